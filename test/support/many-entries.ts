import { parseLines } from '../../src/transfer';
import type { Hall } from './hall';

/** Scopes that `importMany` spreads the entries over; the last inherits from all others. */
export const CROWDED = ['general', 'web', 'auth', 'mobile', 'shop'];

/** Defines the scopes and imports 10,000 entries: 9,000 keywords in 104 categories, every twentieth a warning. */
export async function importMany(hall: Hall): Promise<void> {
  await hall.define('general', 'GENERAL');
  await hall.define('web', 'PRODUCT');
  await hall.define('auth', 'GROUP', ['web']);
  await hall.define('mobile', 'GROUP', ['web']);
  await hall.define('shop', 'PROJECT', ['auth', 'mobile']);
  const entries = Array.from({ length: 10_000 }, (_, index) => ({
    type: 'entry',
    scope: CROWDED[index % CROWDED.length],
    category: `area${index % 13}.topic${index % 8}`,
    keyword: `rule-${index % 9_000}`,
    content: `${index % 20 ? '' : 'WARNING: '}${'the order of events matters '.repeat(8)}${index}`,
    metaknowledge: { REASON: `incident ${index}` },
    at: '2026-01-01',
  }));
  const lines = [{ type: 'kaizen', format: 1 }, ...entries].map((record) => JSON.stringify(record));
  const records = parseLines(lines.join('\n'), { author: 'importer', at: '2026-01-01T00:00:00.000Z' });
  await hall.kaizen.importRecords(records, { author: 'importer' });
}
