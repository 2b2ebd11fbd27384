import { compareText } from '../core/text';
import type { Reader, Transaction } from '../store';
import { atLine, type EntryState, type ImportCounts, type ImportOptions, type ImportResult } from '../transfer';
import { inChunks, type Row, runForAll } from './bulk';
import { checkScope, checkTier, requireScope, type ScopeMap } from './chains';
import { parseMetaknowledge } from './entries';
import type { CheckedEntry, CheckedRecords } from './import-check';
import type { EntryKey, Metaknowledge, Scope } from './model';
import { parseRisks } from './risk';
import { entriesTopic, namesTopic } from './schema';
import { writeScope } from './scopes';
import { type Stores, storeOf } from './stores';

/** What an import changes in each store, as a part of one transaction. */
export interface ImportPlan {
  /** The scopes as they will be. */
  scopes: ScopeMap;
  /** Undefined where nothing changes. */
  shared: ((transaction: Transaction) => void) | undefined;
  workspace: ((transaction: Transaction) => void) | undefined;
}

interface PlanOptions extends ImportOptions {
  /** Time of the revisions that overwriting makes. */
  at: number;
}

/** A change of an entry: the revisions to append, and what the entry holds after them. */
interface EntryChange {
  key: EntryKey;
  /** Number of the first of `revisions`. */
  number: number;
  revisions: EntryState[];
  /** What the entry held before the first of them. */
  before: { content: string; metaknowledge: string } | undefined;
}

/** What one store gets. */
interface Part {
  scopes: Scope[];
  categories: CheckedRecords['categories'];
  entries: EntryChange[];
}

// ── Planning ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Compares the records with what is there and counts the outcome. Throws a KaizenError that names the line, and nothing is changed then. */
export function planImport(
  stores: Stores,
  existing: ScopeMap,
  records: CheckedRecords,
  options: PlanOptions,
  result: ImportResult,
): ImportPlan {
  const parts = new Map(
    [stores.shared, stores.workspace].map((store): [typeof store, Part] => [
      store,
      { scopes: [], categories: [], entries: [] },
    ]),
  );
  const { scopes, changed } = planScopes(existing, records.scopes, options, result.scope);
  const partOf = (scopeId: string) => parts.get(storeOf(stores, scopes.get(scopeId)!.tier))!;
  for (const scope of changed) partOf(scope.id).scopes.push(scope);
  for (const { line, scope_id } of records.categories) atLine(line, () => requireScope(scope_id, scopes));
  for (const { line, key } of records.entries) atLine(line, () => requireScope(key.scope_id, scopes));
  for (const [store, part] of parts) {
    const reader = store.read();
    const isHere = ({ scope_id }: { scope_id: string }) => partOf(scope_id) === part;
    part.categories = planCategories(reader, records.categories.filter(isHere), options, result.category);
    const entries = records.entries.filter(({ key }) => isHere(key));
    part.entries = planEntries(reader, entries, options, result.entry);
  }
  return {
    scopes,
    shared: applying(parts.get(stores.shared)!),
    workspace: stores.workspace === stores.shared ? undefined : applying(parts.get(stores.workspace)!),
  };
}

function planScopes(
  existing: ScopeMap,
  records: CheckedRecords['scopes'],
  { overwrite }: PlanOptions,
  counts: ImportCounts,
): { scopes: ScopeMap; changed: Scope[] } {
  const scopes = new Map(existing);
  const changed: CheckedRecords['scopes'] = [];
  for (const { line, scope } of records) {
    const before = existing.get(scope.id);
    // Its entries would end up in a scope of another tier: that is nothing to pass over in silence.
    atLine(line, () => checkTier(scope, before));
    if (count(counts, before && sameScope(before, scope), overwrite)) {
      scopes.set(scope.id, scope);
      changed.push({ line, scope });
    }
  }
  // Only now all parents are known, in whatever order the file has them.
  for (const { line, scope } of changed) atLine(line, () => checkScope(scope, scopes));
  return { scopes, changed: changed.map(({ scope }) => scope) };
}

function sameScope(a: Scope, b: Scope): boolean {
  return a.name === b.name && a.description === b.description && a.parents.join('\0') === b.parents.join('\0');
}

function planCategories(
  reader: Reader,
  records: CheckedRecords['categories'],
  { overwrite }: PlanOptions,
  counts: ImportCounts,
): CheckedRecords['categories'] {
  return records.filter(({ scope_id, name, description }) => {
    const before = reader.get<{ description: string | null }>(
      'SELECT description FROM category WHERE scope_id = ? AND name = ?',
      [scope_id, name],
    )?.description;
    return count(counts, typeof before === 'string' ? before === description : undefined, overwrite);
  });
}

function planEntries(
  reader: Reader,
  records: readonly CheckedEntry[],
  { overwrite, author, at }: PlanOptions,
  counts: ImportCounts,
): EntryChange[] {
  const changes: EntryChange[] = [];
  forEachFound(reader, records, ({ key, states }, { revisions, content, metaknowledge }) => {
    const latest = states.at(-1)!;
    const before = content === null || metaknowledge === null ? undefined : { content, metaknowledge };
    const number = (revisions ?? 0) + 1;
    if (!before) {
      // An entry that was deleted is missing, and comes back with the revisions of the file behind its own.
      const isGoneInBoth = revisions !== null && latest.content === null;
      if (count(counts, isGoneInBoth ? true : undefined, overwrite)) {
        changes.push({ key, number, revisions: states, before });
      }
      return;
    }
    const same = latest.content === before.content && sameLabels(latest.metaknowledge!, before.metaknowledge);
    if (!count(counts, same, overwrite)) return;
    const action = latest.content === null ? 'delete' : 'update';
    const revision: EntryState = { ...latest, action, author, at: new Date(at).toISOString() };
    changes.push({ key, number, revisions: [revision], before });
  });
  // In the order of the tables' keys: SQLite then fills page after page and turns back to none.
  return changes.sort((a, b) => byKey(a.key, b.key));
}

function byKey(a: EntryKey, b: EntryKey): number {
  return (
    compareText(a.scope_id, b.scope_id) || compareText(a.category, b.category) || compareText(a.keyword, b.keyword)
  );
}

function sameLabels(labels: Metaknowledge, json: string): boolean {
  const sorted = (pairs: Metaknowledge) => JSON.stringify(Object.entries(pairs).sort(([a], [b]) => compareText(a, b)));
  return JSON.stringify(labels) === json || sorted(labels) === sorted(parseMetaknowledge(json));
}

interface FoundRow {
  position: number;
  /** How many revisions there are; null when the entry never existed. */
  revisions: number | null;
  content: string | null;
  metaknowledge: string | null;
}

function forEachFound(
  reader: Reader,
  records: readonly CheckedEntry[],
  visit: (record: CheckedEntry, found: FoundRow) => void,
): void {
  const keys = records.map(({ key }, index): Row => [index, key.scope_id, key.category, key.keyword]);
  for (const chunk of inChunks(keys)) {
    const rows = reader.all<FoundRow>(
      `SELECT j.value ->> 0 AS position, e.content, e.metaknowledge,
         (SELECT max(number) FROM revision
          WHERE scope_id = j.value ->> 1 AND category = j.value ->> 2 AND keyword = j.value ->> 3) AS revisions
       FROM json_each(?) j
       LEFT JOIN category c ON c.scope_id = j.value ->> 1 AND c.name = j.value ->> 2
       LEFT JOIN entry e ON e.category_id = c.id AND e.keyword = j.value ->> 3`,
      [chunk],
    );
    for (const row of rows) visit(records[row.position]!, row);
  }
}

/**
 * Counts a record; `same` tells whether what is there is the same, undefined that nothing is there.
 * Whether the record is to be applied.
 */
function count(counts: ImportCounts, same: boolean | undefined, overwrite: boolean | undefined): boolean {
  const outcome = same === undefined ? 'added' : same ? 'identical' : overwrite ? 'overwritten' : 'kept';
  counts[outcome]++;
  return outcome === 'added' || outcome === 'overwritten';
}

// ── Applying ───────────────────────────────────────────────────────────────────────────────────────────────────────

function applying(part: Part): ((transaction: Transaction) => void) | undefined {
  const { scopes, categories, entries } = part;
  if (scopes.length + categories.length + entries.length === 0) return undefined;
  return (transaction) => {
    for (const scope of scopes) writeScope(transaction, scope);
    appendRevisions(transaction, entries);
    putEntries(transaction, entries);
    describeCategories(transaction, categories);
    // Last, for a category goes with its last entry unless it has a description by then.
    removeEntries(transaction, entries);
    const touched = new Set([...categories.map(({ scope_id }) => scope_id), ...entries.map(({ key }) => key.scope_id)]);
    for (const scopeId of touched) {
      transaction.touch(entriesTopic(scopeId));
      transaction.touch(namesTopic(scopeId));
    }
  };
}

function appendRevisions(transaction: Transaction, changes: readonly EntryChange[]): void {
  runForAll(
    transaction,
    `INSERT INTO revision
       (scope_id, category, keyword, number, action, at, author, project_context, reason, previous_content, previous_metaknowledge)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
       value ->> 8, value ->> 9, value ->> 10
     FROM json_each(?1)`,
    revisionRows(changes),
  );
}

function* revisionRows(changes: readonly EntryChange[]): Generator<Row> {
  for (const { key, number, revisions, before } of changes) {
    let content = before?.content ?? null;
    let metaknowledge = before?.metaknowledge ?? null;
    for (const [index, state] of revisions.entries()) {
      const { action, at, author, project_context, reason } = state;
      yield [
        ...[key.scope_id, key.category, key.keyword, number + index, action, Date.parse(at), author],
        ...[project_context, reason, content, metaknowledge],
      ];
      content = state.content;
      metaknowledge = state.metaknowledge && JSON.stringify(state.metaknowledge);
    }
  }
}

function putEntries(transaction: Transaction, changes: readonly EntryChange[]): void {
  const rows: Row[] = [];
  const categories = new Map<string, Row>();
  for (const { key, revisions } of changes) {
    const { content, metaknowledge } = revisions.at(-1)!;
    if (content === null) continue;
    const { scope_id, category, keyword } = key;
    categories.set(`${scope_id}\0${category}`, [scope_id, category]);
    rows.push([scope_id, category, keyword, content, JSON.stringify(metaknowledge), parseRisks(content).length]);
  }
  runForAll(
    transaction,
    `INSERT INTO category (scope_id, name) SELECT value ->> 0, value ->> 1 FROM json_each(?1) WHERE true
     ON CONFLICT DO NOTHING`,
    categories.values(),
  );
  runForAll(
    transaction,
    `INSERT INTO entry (scope_id, category_id, keyword, content, metaknowledge, risks)
     SELECT j.value ->> 0, c.id, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5
     FROM json_each(?1) j JOIN category c ON c.scope_id = j.value ->> 0 AND c.name = j.value ->> 1 WHERE true
     ON CONFLICT (category_id, keyword) DO UPDATE SET
       content = excluded.content, metaknowledge = excluded.metaknowledge, risks = excluded.risks`,
    rows,
  );
}

function describeCategories(transaction: Transaction, categories: CheckedRecords['categories']): void {
  runForAll(
    transaction,
    `INSERT INTO category (scope_id, name, description)
     SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1) WHERE true
     ON CONFLICT (scope_id, name) DO UPDATE SET description = excluded.description`,
    categories.map(({ scope_id, name, description }): Row => [scope_id, name, description]),
  );
}

function removeEntries(transaction: Transaction, changes: readonly EntryChange[]): void {
  for (const { key, revisions, before } of changes) {
    if (!before || revisions.at(-1)!.content !== null) continue;
    transaction.run(
      'DELETE FROM entry WHERE category_id = (SELECT id FROM category WHERE scope_id = ? AND name = ?) AND keyword = ?',
      [key.scope_id, key.category, key.keyword],
    );
  }
}
