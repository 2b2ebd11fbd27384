import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type { Reader, Transaction } from '../store';
import { requireRevision } from './base-revision';
import { requireScope, type ScopeMap } from './chains';
import { type Authorship, type EntryState, readEntry, unknownEntry, writeEntry } from './entries';
import type { Change, EntryKey, StoredEntry } from './model';
import { movedTopic } from './schema';
import { holdingBoth, type Stores, storeOf } from './stores';

/**
 * Moves an entry to another scope, category or keyword, as a deletion here and a creation there, whose reasons name
 * each other. Within one store it is one transaction. From one store to the other both are held and the new entry is
 * written first: whoever is killed in between leaves it in both places and nothing lost.
 *
 * `now` is asked once nobody else can write: the entry's revisions stay in the order of their times.
 *
 * Throws `invalid_argument` when both keys are the same, `unknown_entry` when there is nothing to move and `conflict`
 * when the place is taken.
 */
export async function moveEntry(
  stores: Stores,
  scopes: () => ScopeMap,
  from: EntryKey,
  to: EntryKey,
  change: Change,
  now: () => number,
): Promise<StoredEntry> {
  checkDifferent(from, to);
  const sourceStore = storeOf(stores, requireScope(from.scope_id, scopes()).tier);
  const targetStore = storeOf(stores, requireScope(to.scope_id, scopes()).tier);
  const put = (transaction: Transaction, state: EntryState, at: number) => {
    checkFree(transaction, to);
    writeEntry(transaction, to, state, 'create', because(`Moved from ${nameOf(from)}.`, change), at);
    return readEntry(transaction, to)!;
  };
  const take = (transaction: Transaction, at: number) => {
    writeEntry(transaction, from, null, 'delete', because(`Moved to ${nameOf(to)}.`, change), at);
    transaction.touch(movedTopic(from, to));
  };
  if (sourceStore === targetStore) {
    return sourceStore.write((transaction) => {
      const at = now();
      const moved = put(transaction, requireSource(transaction, from, change.base_revision), at);
      take(transaction, at);
      return moved;
    }, change.signal);
  }
  return holdingBoth(
    stores,
    (commits) => {
      const [commitSource, commitTarget] =
        sourceStore === stores.workspace ? [commits.workspace, commits.shared] : [commits.shared, commits.workspace];
      const source = requireSource(sourceStore.read(), from, change.base_revision);
      const at = now();
      const moved = commitTarget((transaction) => put(transaction, source, at));
      try {
        commitSource((transaction) => take(transaction, at));
      } catch (error) {
        // The disk of the other store may be full: then the entry stays where it was, and only there.
        commitTarget((transaction) =>
          writeEntry(transaction, to, null, 'delete', because(`Could not leave ${nameOf(from)}.`, change), at),
        );
        throw error;
      }
      return moved;
    },
    change.signal,
  );
}

function checkDifferent(from: EntryKey, to: EntryKey): void {
  if (nameOf(from) !== nameOf(to)) return;
  throw new KaizenError(
    'invalid_argument',
    sentence('"{0}" stands in "{1}" of "{2}" already.', from.keyword, from.category, from.scope_id),
    sentence('Name another scope, category or keyword to move it to.'),
  );
}

function requireSource(reader: Reader, key: EntryKey, base: number | undefined): StoredEntry {
  const entry = readEntry(reader, key);
  if (!entry) throw unknownEntry(reader, key);
  if (base !== undefined) requireRevision(reader, key, base);
  return entry;
}

function checkFree(reader: Reader, to: EntryKey): void {
  if (!readEntry(reader, to)) return;
  throw new KaizenError(
    'conflict',
    sentence('There is an entry "{0}" in "{1}" of "{2}" already.', to.keyword, to.category, to.scope_id),
    sentence('Move it to another keyword, or delete that entry first: its history is kept.'),
  );
}

/** What is moved and where, before what the person gave as the reason. */
function because(what: string, change: Change): Authorship {
  return { ...change, reason: change.reason ? `${what} ${change.reason}` : what };
}

function nameOf({ scope_id, category, keyword }: EntryKey): string {
  return `${scope_id}/${category}/${keyword}`;
}
