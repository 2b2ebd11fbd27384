import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type { Transaction } from '../store';
import { type Authorship, parseMetaknowledge, readEntry, unknownEntry, writeEntry } from './entries';
import { type RevisionRow, readHistory, readLastChange, unknownRevision } from './history';
import type { EntryKey, StoredEntry } from './model';

/** Brings the entry to what it held after revision `number`, as a new revision. */
export function restoreRevision(
  transaction: Transaction,
  key: EntryKey,
  number: number,
  change: Authorship,
  at: number,
): StoredEntry {
  const history = readHistory(transaction, key);
  const wanted = history.find((revision) => revision.number === number);
  if (!wanted) throw unknownRevision(key, number, history.length);
  if (wanted.content === null || wanted.metaknowledge === null) {
    throw new KaizenError(
      'invalid_argument',
      sentence('Revision {0} of "{1}" is a deletion, so there is nothing to bring back from it.', number, key.keyword),
      sentence('Restore revision {0} to have what was deleted.', number - 1),
    );
  }
  const state = { content: wanted.content, metaknowledge: wanted.metaknowledge };
  const reason = change.reason ?? `Restored revision ${number}.`;
  writeEntry(transaction, key, state, 'restore', { ...change, reason }, at);
  return readEntry(transaction, key)!;
}

/**
 * Takes back the entry's last change, which has to be revision `number`, as a new revision: what was made is deleted,
 * anything else says again what it said before.
 */
export function undoChange(
  transaction: Transaction,
  key: EntryKey,
  number: number,
  change: Authorship,
  at: number,
): void {
  const last = readLastChange(transaction, key);
  if (!last) throw unknownEntry(transaction, key);
  if (!Number.isInteger(number) || number < 1 || number > last.number) throw unknownRevision(key, number, last.number);
  if (number < last.number) throw changedAgain(key, number, last);
  const { previous_content: content, previous_metaknowledge: metaknowledge } = last;
  const by = { ...change, reason: change.reason ?? `Undid revision ${number}.` };
  if (content !== null && metaknowledge !== null) {
    const state = { content, metaknowledge: parseMetaknowledge(metaknowledge) };
    writeEntry(transaction, key, state, 'restore', by, at);
  } else if (readEntry(transaction, key)) {
    writeEntry(transaction, key, null, 'delete', by, at);
  } else {
    // An imported history may begin with a deletion.
    throw new KaizenError(
      'invalid_argument',
      sentence('Revision {0} of "{1}" changed nothing to take back.', number, key.keyword),
    );
  }
}

function changedAgain({ keyword }: EntryKey, number: number, { number: latest, author }: RevisionRow): KaizenError {
  return new KaizenError(
    'conflict',
    sentence(
      '"{0}" was changed again after revision {1}: revision {2} by {3} is its last one.',
      keyword,
      number,
      latest,
      author,
    ),
    sentence('Look at its history, and restore revision {0} if what it said then is wanted.', number - 1),
  );
}
