import type { HistoryItem, Place, SurroundingsMessage } from '../../../webview-ui/protocol/entry';
import type { EntryKey, EntryPlace, KnowledgePart, Revision, Scope, Standing } from '../../knowledge';

/** More revisions than a person looks through in a form; the command *Entry History* has all. */
const SHOWN_REVISIONS = 200;
const NOWHERE = { overrides: [], overridden_by: [], beside: [] };

/** What stands around an entry: its scope, what it overrides, what overrides it and what stands beside it. */
export function surroundingsOf(
  knowledge: KnowledgePart,
  key: EntryKey,
  { project, readOnly }: { project: string | undefined; readOnly: boolean },
): SurroundingsMessage {
  const scopes = new Map(knowledge.listScopes().map((scope) => [scope.scope_id, scope]));
  const own = scopes.get(key.scope_id);
  const current = project === undefined ? undefined : scopes.get(project);
  const { overrides, overridden_by, beside }: Standing = own ? knowledge.standing(key, current?.scope_id) : NOWHERE;
  const place = ({ scope_id, category, keyword, tier }: EntryPlace): Place => ({
    ...{ scope_id, category, keyword, tier },
    scope_name: scopes.get(scope_id)?.name ?? scope_id,
  });
  return {
    type: 'surroundings',
    key,
    ...(own && { scope: { name: own.name, tier: own.tier } }),
    stored: own ? storedState(knowledge, key) : 'deleted',
    readOnly,
    ...(current && {
      project: {
        id: current.scope_id,
        name: current.name,
        inherits: knowledge.chain(current.scope_id).some(({ id }: Scope) => id === key.scope_id),
      },
    }),
    overrides: overrides.map(place),
    overridden_by: overridden_by.map(place),
    beside: beside.map(place),
    knownKeys: knowledge.metaknowledgeKeys().slice(0, 100),
  };
}

/** What is said where the stores cannot be read. */
export function unknownSurroundings(
  key: EntryKey,
  { problem, readOnly }: { problem: string; readOnly: boolean },
): SurroundingsMessage {
  return { type: 'surroundings', key, stored: 'unknown', problem, readOnly, ...NOWHERE, knownKeys: [] };
}

function storedState(knowledge: KnowledgePart, key: EntryKey): SurroundingsMessage['stored'] {
  if (knowledge.entry(key)) return 'stored';
  return knowledge.history(key).length > 0 ? 'deleted' : 'new';
}

/** The newest revisions, newest first, and how many there are; none when the entry's scope is not there any more. */
export function revisionsOf(knowledge: KnowledgePart, key: EntryKey): { revisions: HistoryItem[]; total: number } {
  const isThere = knowledge.listScopes().some(({ scope_id }) => scope_id === key.scope_id);
  const history = isThere ? knowledge.history(key) : [];
  return { revisions: history.slice(-SHOWN_REVISIONS).reverse().map(historyItem), total: history.length };
}

function historyItem(revision: Revision): HistoryItem {
  const { number, action, at, author, by_agent, reason, content } = revision;
  return { number, action, at, author, by_agent, reason, has_content: content !== null, ...changedLines(revision) };
}

/** How many lines lie between the first and the last one that changed. */
function changedLines({ content, previous_content }: Revision): { added: number; removed: number } {
  const before = lines(previous_content);
  const after = lines(content);
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++;
  let shared = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (shared < shorter && before.at(-1 - shared) === after.at(-1 - shared)) shared++;
  return { added: after.length - start - shared, removed: before.length - start - shared };
}

function lines(text: string | null): string[] {
  return text === null || text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
