import type { Transaction } from '../store';
import type { EntryState } from '../transfer';
import { type Row, runForAll } from './bulk';
import type { CheckedRecords } from './import-check';
import type { EntryKey, Scope } from './model';
import { parseRisks } from './risk';
import { entriesTopic, manyEntriesTopic, namesTopic } from './schema';
import { writeScope } from './scopes';

/** A change of an entry: the revisions to append, and what the entry holds after them. */
export interface EntryChange {
  key: EntryKey;
  /** Number of the first of `revisions`. */
  number: number;
  revisions: EntryState[];
  /** What the entry held before the first of them. */
  before: { content: string; metaknowledge: string } | undefined;
}

/** What one store gets. */
export interface Part {
  scopes: Scope[];
  categories: CheckedRecords['categories'];
  entries: EntryChange[];
}

/** A transaction cannot yield to the event loop: with as many entries it takes some 15 ms. */
const ENTRIES_AT_ONCE = 150;

/** What brings one store to the plan: parts of transactions, to be applied in this order. */
export function applying({ scopes, categories, entries }: Part): ((transaction: Transaction) => void)[] {
  if (scopes.length + categories.length + entries.length === 0) return [];
  const steps = [applyingAtOnce({ scopes, categories, entries: entries.slice(0, ENTRIES_AT_ONCE) })];
  for (let first = ENTRIES_AT_ONCE; first < entries.length; first += ENTRIES_AT_ONCE) {
    const some = entries.slice(first, first + ENTRIES_AT_ONCE);
    steps.push(applyingAtOnce({ scopes: [], categories: [], entries: some }));
  }
  return steps;
}

function applyingAtOnce({ scopes, categories, entries }: Part): (transaction: Transaction) => void {
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
      transaction.touch(manyEntriesTopic(scopeId));
      transaction.touch(namesTopic(scopeId));
    }
  };
}

function appendRevisions(transaction: Transaction, changes: readonly EntryChange[]): void {
  runForAll(
    transaction,
    `INSERT INTO revision
       (scope_id, category, keyword, number, action, at, author, by_agent, project_context, reason,
        previous_content, previous_metaknowledge)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
       value ->> 8, value ->> 9, value ->> 10, value ->> 11
     FROM json_each(?1)`,
    revisionRows(changes),
  );
}

function* revisionRows(changes: readonly EntryChange[]): Generator<Row> {
  for (const { key, number, revisions, before } of changes) {
    let content = before?.content ?? null;
    let metaknowledge = before?.metaknowledge ?? null;
    for (const [index, state] of revisions.entries()) {
      const { action, at, author, by_agent, project_context, reason } = state;
      yield [
        ...[key.scope_id, key.category, key.keyword, number + index, action, Date.parse(at), author],
        ...[by_agent ? 1 : 0, project_context, reason, content, metaknowledge],
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
