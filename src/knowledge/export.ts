import { isoTime } from '../core/clock';
import { compareText } from '../core/text';
import type { Reader } from '../store';
import type { CategoryRecord, EntryRecord, EntryState, KnowledgeRecord, ScopeRecord } from '../transfer';
import type { ScopeMap } from './chains';
import { parseMetaknowledge } from './entries';
import { type RevisionAction, type Scope, TIERS } from './model';
import { type Stores, storeOf } from './stores';

interface StateRow {
  scope_id: string;
  category: string;
  keyword: string;
  action: RevisionAction;
  at: number;
  author: string;
  project_context: string;
  reason: string | null;
  /** What the entry held before this change: what the change before led to. */
  previous_content: string | null;
  previous_metaknowledge: string | null;
}

interface HeldRow {
  scope_id: string;
  category: string;
  keyword: string;
  content: string;
  metaknowledge: string;
}

/**
 * All scopes, category descriptions and entries with their revisions, sorted as an export file holds them
 * (docs/import-export.md). What is left of the entries of a deleted scope stands outside of every tier and is left out.
 */
export function exportKnowledge(stores: Stores, scopes: ScopeMap): KnowledgeRecord[] {
  const parts = [...new Set([stores.shared, stores.workspace])].map((store) => {
    const holds = (scopeId: string) => {
      const scope = scopes.get(scopeId);
      return scope !== undefined && storeOf(stores, scope.tier) === store;
    };
    const reader = store.read();
    return { categories: categoryRecords(reader, holds), entries: entryRecords(reader, holds) };
  });
  return [
    ...[...scopes.values()].map(scopeRecord).sort((a, b) => byTier(a) - byTier(b) || compareText(a.id, b.id)),
    ...parts.flatMap(({ categories }) => categories).sort(byPlace),
    ...parts.flatMap(({ entries }) => entries).sort((a, b) => byPlace(a, b) || compareText(a.keyword, b.keyword)),
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

function entryRecords(reader: Reader, holds: (scopeId: string) => boolean): EntryRecord[] {
  const held = new Map<string, HeldRow>();
  for (const row of reader.all<HeldRow>(
    `SELECT e.scope_id, c.name AS category, e.keyword, e.content, e.metaknowledge
     FROM entry e JOIN category c ON c.id = e.category_id`,
  )) {
    held.set(identity(row), row);
  }
  const records: EntryRecord[] = [];
  let changes: StateRow[] = [];
  const finish = () => {
    const [first] = changes;
    if (first && holds(first.scope_id)) records.push(entryRecord(changes, held.get(identity(first))));
    changes = [];
  };
  for (const row of reader.all<StateRow>(
    `SELECT scope_id, category, keyword, action, at, author, project_context, reason, previous_content, previous_metaknowledge
     FROM revision ORDER BY scope_id, category, keyword, number`,
  )) {
    if (changes[0] && identity(changes[0]) !== identity(row)) finish();
    changes.push(row);
  }
  finish();
  return records;
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
      at: isoTime(change.at),
      project_context: change.project_context,
      reason: change.reason,
    };
  });
  const { scope_id, category, keyword } = changes[0]!;
  const latest = states.pop()!;
  return { type: 'entry', scope: scope_id, category, keyword, ...latest, revisions: states };
}

/** Names hold no control characters, so nothing else can give the same text. */
function identity({ scope_id, category, keyword }: { scope_id: string; category: string; keyword: string }): string {
  return `${scope_id}\0${category}\0${keyword}`;
}
