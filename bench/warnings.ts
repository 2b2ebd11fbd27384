import { performance } from 'node:perf_hooks';
import { Kaizen } from '../src/kaizen';
import type { TransferRecord } from '../src/transfer';
import { PROJECT, seeded } from './corpus';
import { milliseconds, shown, type Times, table, timed } from './measure';

const RULES = 10_000;
const CHECKS = 2_000;
const AREAS = ['auth', 'billing', 'cart', 'catalogue', 'mail', 'orders', 'payments', 'search', 'stock', 'users'];

interface Result {
  check: Times;
  /** Reading and filing all globs before the first check, with pauses, and the longest time between two of them. */
  prepare: number;
  longestHold: number;
  afterWrite: Times;
}

/** Every rule has a risk and a glob of its own, of the kinds that people write. */
function rules(): { line: number; record: TransferRecord }[] {
  const glob = (index: number): string => {
    const area = AREAS[index % AREAS.length]!;
    switch (Math.floor(index / AREAS.length) % 6) {
      case 0:
        return `src/${area}/module-${index}/**`;
      case 1:
        return `src/${area}/file-${index}.ts`;
      case 2:
        return `**/handler-${index}.{ts,tsx}, !**/*.test.ts`;
      case 3:
        return `src/**/${area}-${index}/*.sql`;
      case 4:
        return `src/${area}/*-${index}.ts`;
      default:
        return `*.part-${index}.ts`;
    }
  };
  const change = {
    action: 'create',
    author: 'bench',
    by_agent: false,
    at: '2026-01-05T09:00:00.000Z',
    project_context: PROJECT,
  } as const;
  const records: TransferRecord[] = [
    { type: 'scope', id: 'general', tier: 'GENERAL', name: 'general', description: null, parents: [] },
    { type: 'scope', id: PROJECT, tier: 'PROJECT', name: PROJECT, description: null, parents: [] },
    ...Array.from({ length: RULES }, (_, index) => ({
      type: 'entry' as const,
      scope: index % 2 === 0 ? PROJECT : 'general',
      category: `code.${AREAS[index % AREAS.length]}`,
      keyword: `rule-${index}`,
      content: `DANGER: Number ${index} ${'must be looked at before it is changed '.repeat(4)}`,
      metaknowledge: { REASON: 'Measured', APPLIES_TO: glob(index) },
      ...change,
      reason: null,
      revisions: [],
    })),
  ];
  return records.map((record, index) => ({ line: index + 1, record }));
}

/** Checks of open files against 10,000 rules; see docs/benchmarks.md. */
export async function measureWarnings(where: { data: string; shared: string }): Promise<Result> {
  const writer = new Kaizen(where);
  await writer.importRecords(rules(), { author: 'bench' });
  // A hall of its own: what the import still does on the side is not what is measured.
  await writer.close();
  const kaizen = new Kaizen(where);
  const { knowledge } = await kaizen.parts();
  const random = seeded(11);
  const files = Array.from({ length: CHECKS }, () => {
    const index = Math.floor(random() * RULES);
    const area = AREAS[index % AREAS.length]!;
    const paths = [
      `src/${area}/module-${index}/lib/a.ts`,
      `src/${area}/file-${index}.ts`,
      `web/handler-${index}.tsx`,
      `src/db/${area}-${index}/up.sql`,
      `src/${area}/new-${index}.ts`,
      `lib/whole.part-${index}.ts`,
    ];
    return paths[Math.floor(index / AREAS.length) % paths.length]!;
  });
  const start = performance.now();
  const held = watchEventLoop();
  await knowledge.prepareWarnings(PROJECT);
  const prepare = performance.now() - start;
  const longestHold = held();
  let found = 0;
  const check = await timed(CHECKS, (round) => {
    found += knowledge.warningsFor(PROJECT, files[round % CHECKS]!).length;
  });
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    const entry = { target_scope_id: PROJECT, category: 'code', keyword: 'written', content: `Round ${round}` };
    await knowledge.storeOverwrite(entry, { author: 'bench' });
    const before = performance.now();
    knowledge.warningsFor(PROJECT, files[round]!);
    times.push(performance.now() - before);
  }
  times.sort((a, b) => a - b);
  await kaizen.close();
  if (found < CHECKS) throw new Error(`${found} rules found in ${CHECKS} checks`);
  return { check, prepare, longestHold, afterWrite: { median: times[10]!, p95: times[18]! } };
}

/** Gives what tells the longest time that nothing else had its turn. */
function watchEventLoop(): () => number {
  let last = performance.now();
  let longest = 0;
  let isWatching = true;
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isWatching = false;
    return Math.max(longest, performance.now() - last);
  };
}

export function warningsTable({ check, prepare, longestHold, afterWrite }: Result): string {
  return table(
    [`warnings in files, ${RULES.toLocaleString('en')} rules with a glob each`, ''],
    [
      [`one check of an open file (${CHECKS.toLocaleString('en')} made)`, shown(check)],
      ['reading all globs before the first check', milliseconds(prepare)],
      ['the event loop is held meanwhile for at most', milliseconds(longestHold)],
      ['a check straight after a write, all globs read anew', shown(afterWrite)],
    ],
  );
}
