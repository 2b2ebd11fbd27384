import type { EntryRecord, ParsedRecord, TransferRecord } from '../src/transfer';

export const PROJECT = 'checkout-api';
const GROUPS = ['auth', 'mobile', 'payments', 'web'];
const SCOPES = ['general', 'webapp', ...GROUPS, PROJECT];
const AREAS = ['git', 'api', 'db', 'testing', 'security', 'deploy', 'logging', 'ui', 'perf', 'docs', 'billing', 'mail'];
const TOPICS = ['workflows', 'naming', 'errors', 'limits', 'reviews', 'rollback', 'style', 'tools', 'setup'];
const WORDS =
  'the a retry token index cache schema queue branch commit build deploy test client server order refund user page query timeout limit message event hook proxy stage release flag rule'.split(
    ' ',
  );
const AT = '2026-01-05T09:00:00.000Z';

/** The same numbers every time (mulberry32), so that every run measures the same entries. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Seven scopes, 108 categories, `count` entries of about 200 characters; every seventh keyword stands in two scopes. */
export function corpus(count: number): ParsedRecord[] {
  const random = seeded(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const records: TransferRecord[] = [
    scope('general', 'GENERAL', []),
    scope('webapp', 'PRODUCT', []),
    ...GROUPS.map((id) => scope(id, 'GROUP', ['webapp'])),
    scope(PROJECT, 'PROJECT', GROUPS),
  ];
  const seen = new Set<string>();
  for (let i = 0; seen.size < count; i++) {
    const key = {
      scope: pick(SCOPES),
      category: `${pick(AREAS)}.${pick(TOPICS)}`,
      keyword: `rule-${i % 7 === 0 ? i - 7 : i}`,
    };
    const id = Object.values(key).join('/');
    if (seen.has(id)) continue;
    seen.add(id);
    const text = Array.from({ length: 32 }, () => pick(WORDS)).join(' ');
    records.push(entry(key, i % 20 === 0 ? `WARNING: ${text}` : text));
  }
  return records.map((record, index) => ({ line: index + 1, record }));
}

/** What an agent asks in the three steps: two categories, ten keywords of the first. */
export function questions(count: number): { categories: string[]; keywords: string[] } {
  const entries = corpus(count).flatMap(({ record }) => (record.type === 'entry' ? [record] : []));
  const categories = [...new Set(entries.map(({ category }) => category))].slice(0, 2);
  const keywords = entries.filter(({ category }) => category === categories[0]).map(({ keyword }) => keyword);
  return { categories, keywords: [...new Set(keywords)].slice(0, 10) };
}

function scope(id: string, tier: 'GENERAL' | 'PRODUCT' | 'GROUP' | 'PROJECT', parents: string[]): TransferRecord {
  return { type: 'scope', id, tier, name: id, description: null, parents };
}

function entry(key: { scope: string; category: string; keyword: string }, content: string): EntryRecord {
  const change = {
    action: 'create',
    author: 'bench',
    by_agent: false,
    at: AT,
    project_context: PROJECT,
    reason: null,
  } as const;
  return { type: 'entry', ...key, content, metaknowledge: { REASON: 'Measured' }, ...change, revisions: [] };
}
