import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type { Reader } from '../store';
import type { EntryKey } from './model';

/** The number of the entry's last revision, 0 for an entry that never was. */
export function lastRevision(reader: Reader, { scope_id, category, keyword }: EntryKey): number {
  const last = reader.get<{ number: number | null }>(
    'SELECT max(number) AS number FROM revision WHERE scope_id = ? AND category = ? AND keyword = ?',
    [scope_id, category, keyword],
  );
  return last?.number ?? 0;
}

/** Throws `conflict` unless the entry's last revision has this number. */
export function requireRevision(reader: Reader, key: EntryKey, number: number): void {
  if (lastRevision(reader, key) === number) return;
  throw new KaizenError(
    'conflict',
    sentence('The entry "{0}" was changed meanwhile.', key.keyword),
    sentence('Look at what it says now, and decide again.'),
  );
}
