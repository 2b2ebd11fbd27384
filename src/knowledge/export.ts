import { isoTime } from '../core/clock';
import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import type { Reader, Store } from '../store';
import type { CategoryRecord, EntryRecord, EntryState, KnowledgeRecord, ScopeRecord } from '../transfer';
import { inChunks, type Row } from './bulk';
import type { ScopeMap } from './chains';
import { identityOf, parseMetaknowledge } from './entries';
import { type RevisionAction, type Scope, TIERS } from './model';
import { type Stores, storeOf } from './stores';

interface Place {
  scope_id: string;
  category: string;
  keyword: string;
}

interface StateRow extends Place {
  action: RevisionAction;
  at: number;
  author: string;
  by_agent: number;
  project_context: string;
  reason: string | null;
  /** What the entry held before this change: what the change before led to. */
  previous_content: string | null;
  previous_metaknowledge: string | null;
}

interface HeldRow extends Place {
  content: string;
  metaknowledge: string;
}

/** How many entries are read before others have their turn. */
const AT_ONCE = 300;

/**
 * All scopes, category descriptions and entries with their revisions, sorted as an export file holds them
 * (docs/import-export.md). What is left of the entries of a deleted scope stands outside of every tier and is left out.
 * Yields to the event loop; what is changed meanwhile may be in it or not, each entry whole.
 */
export async function exportKnowledge(stores: Stores, scopes: ScopeMap): Promise<KnowledgeRecord[]> {
  const categories: CategoryRecord[] = [];
  const entries: EntryRecord[] = [];
  for (const store of new Set([stores.shared, stores.workspace])) {
    const holds = (scopeId: string) => {
      const scope = scopes.get(scopeId);
      return scope !== undefined && storeOf(stores, scope.tier) === store;
    };
    categories.push(...categoryRecords(store.read(), holds));
    await readEntries(store, holds, entries);
  }
  return [
    ...[...scopes.values()].map(scopeRecord).sort((a, b) => byTier(a) - byTier(b) || compareText(a.id, b.id)),
    ...categories.sort(byPlace),
    ...entries.sort((a, b) => byPlace(a, b) || compareText(a.keyword, b.keyword)),
  ];
}

function byTier({ tier }: ScopeRecord): number {
  return TIERS.indexOf(tier);
}

function byPlace(a: CategoryRecord | EntryRecord, b: CategoryRecord | EntryRecord): number {
  return compareText(a.scope, b.scope) || compareText(a.category, b.category);
}

function scopeRecord({ id, tier, name, description, parents }: Scope): ScopeRecord {
  return { type: 'scope', id, tier, name, description: description ?? null, parents: [...parents] };
}

function categoryRecords(reader: Reader, holds: (scopeId: string) => boolean): CategoryRecord[] {
  return reader
    .all<{ scope_id: string; name: string; description: string }>(
      'SELECT scope_id, name, description FROM category WHERE description IS NOT NULL',
    )
    .filter(({ scope_id }) => holds(scope_id))
    .map(({ scope_id, name, description }) => ({ type: 'category', scope: scope_id, category: name, description }));
}

async function readEntries(store: Store, holds: (scopeId: string) => boolean, into: EntryRecord[]): Promise<void> {
  const turns = new Turns();
  const keys = store
    .read()
    .all<Place>('SELECT DISTINCT scope_id, category, keyword FROM revision ORDER BY scope_id, category, keyword')
    .filter(({ scope_id }) => holds(scope_id));
  for (let first = 0; first < keys.length; first += AT_ONCE) {
    await turns.pause();
    into.push(...entryRecords(store.read(), keys.slice(first, first + AT_ONCE)));
  }
}

function entryRecords(reader: Reader, keys: readonly Place[]): EntryRecord[] {
  const [places] = inChunks(keys.map(({ scope_id, category, keyword }): Row => [scope_id, category, keyword]));
  const held = new Map<string, HeldRow>();
  for (const row of reader.all<HeldRow>(
    `SELECT c.scope_id, c.name AS category, e.keyword, e.content, e.metaknowledge
     FROM json_each(?) j
     JOIN category c ON c.scope_id = j.value ->> 0 AND c.name = j.value ->> 1
     JOIN entry e ON e.category_id = c.id AND e.keyword = j.value ->> 2`,
    [places!],
  )) {
    held.set(identityOf(row), row);
  }
  const changes = new Map<string, StateRow[]>(keys.map((key) => [identityOf(key), []]));
  for (const row of reader.all<StateRow>(
    `SELECT r.scope_id, r.category, r.keyword, r.action, r.at, r.author, r.by_agent, r.project_context, r.reason,
       r.previous_content, r.previous_metaknowledge
     FROM json_each(?) j
     JOIN revision r ON r.scope_id = j.value ->> 0 AND r.category = j.value ->> 1 AND r.keyword = j.value ->> 2
     ORDER BY r.number`,
    [places!],
  )) {
    changes.get(identityOf(row))!.push(row);
  }
  return [...changes].filter(([, rows]) => rows.length > 0).map(([id, rows]) => entryRecord(rows, held.get(id)));
}

/** `changes` are all of one entry, oldest first and at least one. */
function entryRecord(changes: readonly StateRow[], held: HeldRow | undefined): EntryRecord {
  const states = changes.map((change, index): EntryState => {
    const next = changes[index + 1];
    const content = next ? next.previous_content : (held?.content ?? null);
    const metaknowledge = next ? next.previous_metaknowledge : (held?.metaknowledge ?? null);
    return {
      content,
      metaknowledge: metaknowledge === null ? null : parseMetaknowledge(metaknowledge),
      action: change.action,
      author: change.author,
      by_agent: change.by_agent === 1,
      at: isoTime(change.at),
      project_context: change.project_context,
      reason: change.reason,
    };
  });
  const { scope_id, category, keyword } = changes[0]!;
  const latest = states.pop()!;
  return { type: 'entry', scope: scope_id, category, keyword, ...latest, revisions: states };
}
