import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import type { Reader, Transaction } from '../store';
import {
  atLine,
  conflictSide,
  type EntryState,
  type ImportCounts,
  type ImportOptions,
  type ImportResult,
  replaces,
} from '../transfer';
import { inChunks, type Row } from './bulk';
import { checkScope, checkTier, requireScope, type ScopeMap } from './chains';
import { parseMetaknowledge } from './entries';
import { applying, type EntryChange, type Part } from './import-apply';
import type { CheckedEntry, CheckedRecords } from './import-check';
import type { EntryKey, Metaknowledge, Scope } from './model';
import { type Stores, storeOf } from './stores';

/**
 * What an import changes in each store: one part of a transaction, or for many entries several, to be applied one after
 * the other while both stores are held. Empty where nothing changes.
 */
export interface ImportPlan {
  /** The scopes as they will be. */
  scopes: ScopeMap;
  shared: ((transaction: Transaction) => void)[];
  workspace: ((transaction: Transaction) => void)[];
}

interface PlanOptions extends ImportOptions {
  /** Time of the revisions that overwriting makes. */
  at: number;
}

/**
 * Compares the records with what is there and counts the outcome; yields to the event loop. Throws a KaizenError that
 * names the line, and nothing is changed then.
 */
export async function planImport(
  stores: Stores,
  existing: ScopeMap,
  records: CheckedRecords,
  options: PlanOptions,
  result: ImportResult,
): Promise<ImportPlan> {
  const turns = new Turns(options.signal);
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
  for (const { line, key } of records.entries) {
    await turns.pause();
    atLine(line, () => requireScope(key.scope_id, scopes));
  }
  for (const [store, part] of parts) {
    const reader = store.read();
    const isHere = ({ scope_id }: { scope_id: string }) => partOf(scope_id) === part;
    part.categories = planCategories(reader, records.categories.filter(isHere), options, result.category);
    const entries = records.entries.filter(({ key }) => isHere(key));
    part.entries = await planEntries(reader, entries, options, result.entry, turns);
  }
  return {
    scopes,
    shared: applying(parts.get(stores.shared)!),
    workspace: stores.workspace === stores.shared ? [] : applying(parts.get(stores.workspace)!),
  };
}

function planScopes(
  existing: ScopeMap,
  records: CheckedRecords['scopes'],
  options: PlanOptions,
  counts: ImportCounts,
): { scopes: ScopeMap; changed: Scope[] } {
  const scopes = new Map(existing);
  const changed: CheckedRecords['scopes'] = [];
  for (const { line, scope } of records) {
    const before = existing.get(scope.id);
    // Its entries would end up in a scope of another tier: that is nothing to pass over in silence.
    atLine(line, () => checkTier(scope, before));
    const same = before && sameScope(before, scope);
    if (before && !same) {
      const [stored, incoming] = [conflictSide(before), conflictSide(scope)];
      options.onConflict?.({ line, kind: 'scope', place: [scope.id], stored, incoming });
    }
    if (count(counts, same, replaces(options, line))) {
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
  options: PlanOptions,
  counts: ImportCounts,
): CheckedRecords['categories'] {
  return records.filter(({ line, scope_id, name, description }) => {
    const before = reader.get<{ description: string | null }>(
      'SELECT description FROM category WHERE scope_id = ? AND name = ?',
      [scope_id, name],
    )?.description;
    if (typeof before !== 'string') return count(counts, undefined, false);
    if (before !== description) {
      const side = (content: string) => ({ content, metaknowledge: {} });
      const [stored, incoming] = [side(before), side(description)];
      options.onConflict?.({ line, kind: 'category', place: [scope_id, name], stored, incoming });
    }
    return count(counts, before === description, replaces(options, line));
  });
}

async function planEntries(
  reader: Reader,
  records: readonly CheckedEntry[],
  options: PlanOptions,
  counts: ImportCounts,
  turns: Turns,
): Promise<EntryChange[]> {
  const { author, at } = options;
  const changes: EntryChange[] = [];
  await forEachFound(reader, records, turns, ({ line, key, states }, { revisions, content, metaknowledge }) => {
    const latest = states.at(-1)!;
    const before = content === null || metaknowledge === null ? undefined : { content, metaknowledge };
    const number = (revisions ?? 0) + 1;
    if (!before) {
      // An entry that was deleted is missing, and comes back with the revisions of the file behind its own.
      const isGoneInBoth = revisions !== null && latest.content === null;
      if (count(counts, isGoneInBoth ? true : undefined, false)) {
        changes.push({ key, number, revisions: states, before });
      } else options.onKept?.(line);
      return;
    }
    const same = sameText(latest.content, before.content) && sameLabels(latest.metaknowledge!, before.metaknowledge);
    if (!same) {
      options.onConflict?.({
        line,
        kind: 'entry',
        place: [key.scope_id, key.category, key.keyword],
        stored: { content: before.content, metaknowledge: parseMetaknowledge(before.metaknowledge) },
        incoming: { content: latest.content, metaknowledge: latest.metaknowledge ?? {} },
      });
    }
    if (!count(counts, same, replaces(options, line))) {
      options.onKept?.(line);
      return;
    }
    const action = latest.content === null ? 'delete' : 'update';
    const revision: EntryState = { ...latest, action, author, by_agent: false, at: new Date(at).toISOString() };
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

/** What an editor or git does to the ends of lines is no other text. */
function sameText(incoming: string | null, stored: string): boolean {
  return incoming === stored || (incoming !== null && plain(incoming) === plain(stored));
}

function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function sameLabels(labels: Metaknowledge, json: string): boolean {
  const sorted = (pairs: Metaknowledge) => JSON.stringify(Object.entries(pairs).sort(([a], [b]) => compareText(a, b)));
  return JSON.stringify(labels) === json || sorted(labels) === sorted(parseMetaknowledge(json));
}

/** Keys of at most 200 characters each: well within one chunk. */
const FOUND_AT_ONCE = 200;

interface FoundRow {
  position: number;
  /** How many revisions there are; null when the entry never existed. */
  revisions: number | null;
  content: string | null;
  metaknowledge: string | null;
}

async function forEachFound(
  reader: Reader,
  records: readonly CheckedEntry[],
  turns: Turns,
  visit: (record: CheckedEntry, found: FoundRow) => void,
): Promise<void> {
  const keys = records.map(({ key }, index): Row => [index, key.scope_id, key.category, key.keyword]);
  for (let first = 0; first < keys.length; first += FOUND_AT_ONCE) {
    const [chunk] = inChunks(keys.slice(first, first + FOUND_AT_ONCE));
    await turns.pause();
    const rows = reader.all<FoundRow>(
      `SELECT j.value ->> 0 AS position, e.content, e.metaknowledge,
         (SELECT max(number) FROM revision
          WHERE scope_id = j.value ->> 1 AND category = j.value ->> 2 AND keyword = j.value ->> 3) AS revisions
       FROM json_each(?) j
       LEFT JOIN category c ON c.scope_id = j.value ->> 1 AND c.name = j.value ->> 2
       LEFT JOIN entry e ON e.category_id = c.id AND e.keyword = j.value ->> 3`,
      [chunk!],
    );
    for (const row of rows) {
      await turns.pause();
      visit(records[row.position]!, row);
    }
  }
}

/**
 * Counts a record; `same` tells whether what is there is the same, undefined that nothing is there.
 * Whether the record is to be applied.
 */
function count(counts: ImportCounts, same: boolean | undefined, overwrite: boolean): boolean {
  const outcome = same === undefined ? 'added' : same ? 'identical' : overwrite ? 'overwritten' : 'kept';
  counts[outcome]++;
  return outcome === 'added' || outcome === 'overwritten';
}
