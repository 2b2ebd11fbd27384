import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import {
  atLine,
  type CategoryRecord,
  type EntryRecord,
  type EntryState,
  type ParsedRecord,
  type ScopeRecord,
  type TransferRecord,
} from '../transfer';
import type { EntryKey, Scope } from './model';
import {
  checkAuthor,
  checkCategory,
  checkCategoryDescription,
  checkContent,
  checkKey,
  checkMetaknowledge,
  checkProjectContext,
  checkReason,
  checkScopeDescription,
  checkScopeId,
  checkScopeName,
} from './names';

/** Records whose every field may stand in a store; whether they fit what stands there is the plan's matter. */
export interface CheckedRecords {
  scopes: { line: number; scope: Scope }[];
  categories: { line: number; scope_id: string; name: string; description: string }[];
  entries: CheckedEntry[];
}

export interface CheckedEntry {
  line: number;
  key: EntryKey;
  /** Oldest first, the latest included. */
  states: EntryState[];
}

/** Needs no store, so that nobody waits for it; yields to the event loop. Throws a KaizenError that names the line. */
export async function checkKnowledgeRecords(records: readonly ParsedRecord[]): Promise<CheckedRecords> {
  const checked: CheckedRecords = { scopes: [], categories: [], entries: [] };
  // The parser has looked for what is written twice; two keywords may still become one once they are trimmed.
  const lines = new Map<string, number>();
  const once = (line: number, kind: TransferRecord['type'], ...parts: string[]) => {
    const identity = [kind, ...parts].join('\0');
    const earlier = lines.get(identity);
    if (earlier !== undefined) {
      throw new KaizenError('invalid_argument', sentence('the same {0} already stands on line {1}.', kind, earlier));
    }
    lines.set(identity, line);
  };
  const turns = new Turns();
  for (const { line, record } of records) {
    await turns.pause();
    atLine(line, () => {
      if (record.type === 'scope') {
        checked.scopes.push({ line, scope: checkScopeRecord(record) });
      } else if (record.type === 'category') {
        const category = checkCategoryRecord(record);
        once(line, 'category', category.scope_id, category.name);
        checked.categories.push({ line, ...category });
      } else if (record.type === 'entry') {
        const entry = checkEntryRecord(record);
        const { scope_id, category, keyword } = entry.key;
        once(line, 'entry', scope_id, category, keyword);
        checked.entries.push({ line, ...entry });
      }
    });
  }
  return checked;
}

/** Its key and states as they may stand in a store. Throws a KaizenError for the first limit that is broken. */
export function checkEntryRecord(record: EntryRecord): Omit<CheckedEntry, 'line'> {
  const key = checkKey({ scope_id: record.scope, category: record.category, keyword: record.keyword });
  return { key, states: [...record.revisions, latestOf(record)].map(checkState) };
}

function checkScopeRecord({ id, tier, name, description, parents }: ScopeRecord): Scope {
  return {
    id: checkScopeId(id),
    tier,
    name: checkScopeName(name),
    ...(description ? { description: checkScopeDescription(description) } : {}),
    parents: [...new Set(parents)].sort(compareText),
  };
}

function checkCategoryRecord({ scope, category, description }: CategoryRecord) {
  return {
    scope_id: checkScopeId(scope),
    name: checkCategory(category),
    description: checkCategoryDescription(description),
  };
}

function latestOf(record: EntryRecord): EntryState {
  const { content, metaknowledge, action, author, by_agent, at, project_context, reason } = record;
  return { content, metaknowledge, action, author, by_agent, at, project_context, reason };
}

function checkState(state: EntryState): EntryState {
  return {
    content: state.content === null ? null : checkContent(state.content),
    metaknowledge: state.metaknowledge && checkMetaknowledge(state.metaknowledge),
    action: state.action,
    author: checkAuthor(state.author),
    by_agent: state.by_agent,
    at: state.at,
    project_context: checkProjectContext(state.project_context),
    reason: checkReason(state.reason),
  };
}
