import { described, type SecretPlace, type WriteCheck } from '../safety';
import type { EntryRecord, TransferRecord } from './records';

/** Below what a reason may have. */
const LONGEST_REASON = 8_000;
const SAID = 'Stored although it looks as if it held a secret: ';

/**
 * What a person imports although it looks as if it held a secret: the history of each entry that does says so, and no
 * other's.
 */
export async function storedAnyway(
  records: Readonly<Record<string, TransferRecord>>,
  check: WriteCheck,
  signal?: AbortSignal,
): Promise<Record<string, TransferRecord>> {
  const told: Record<string, TransferRecord> = {};
  for (const [name, record] of Object.entries(records)) {
    const places = record.type === 'entry' ? await check.places(record, signal) : [];
    told[name] = record.type === 'entry' && places.length > 0 ? withReason(record, places) : record;
  }
  return told;
}

/** What was exported from a store where somebody decided so has it in its reason, which stays as it is. */
function withReason(record: EntryRecord, places: readonly SecretPlace[]): EntryRecord {
  const said = `${SAID}${described(places)}`;
  if (record.reason?.includes(said)) return record;
  const before = record.reason ? `${record.reason}. ` : '';
  return { ...record, reason: `${before}${said}`.slice(0, LONGEST_REASON) };
}
