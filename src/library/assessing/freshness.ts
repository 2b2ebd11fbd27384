import { parseTime } from '../../core/clock';
import type { DocumentMetadata, Freshness } from '../model';

const YEAR = 365.25 * 24 * 3600 * 1000;

/** See docs/library.md, "Freshness". */
const BY_PUBLICATION = { full: 1, halvesEvery: 5, bounds: { current: 1, recent: 5, ageing: 10 } };
/** That a page was there says less about how new it is than when it was published: it is to be looked at again sooner. */
const BY_LOOKING = { full: 0.25, halvesEvery: 1, bounds: { current: 0.25, recent: 1, ageing: 2 } };

/** What is known neither to be new nor to be old. */
const UNKNOWN_FRESHNESS: Freshness = { score: 0.5, level: 'unknown' };

type Dated = Pick<DocumentMetadata, 'publication_date' | 'crawled_at' | 'last_verified_at' | 'source_type'>;

/** How fresh a source is at a time (ms since the epoch): by when it was published, else by when a page was last looked at. */
export function freshnessOf(document: Dated, now: number): Freshness {
  const published = timeOf(document.publication_date);
  if (published !== undefined) return aged(published, document.publication_date!, now, BY_PUBLICATION);
  if (document.source_type !== 'web') return UNKNOWN_FRESHNESS;
  const seen = document.last_verified_at ?? document.crawled_at;
  const looked = timeOf(seen);
  return looked === undefined ? UNKNOWN_FRESHNESS : aged(looked, seen!, now, BY_LOOKING);
}

/** Years since then, at least 0; undefined without a date. */
export function ageInYears(date: string | undefined, now: number): number | undefined {
  const time = timeOf(date);
  return time === undefined ? undefined : Math.max(0, (now - time) / YEAR);
}

function aged(
  time: number,
  date: string,
  now: number,
  { full, halvesEvery, bounds }: typeof BY_PUBLICATION,
): Freshness {
  const age = Math.max(0, (now - time) / YEAR);
  const score = 2 ** (-Math.max(0, age - full) / halvesEvery);
  const level =
    age <= bounds.current ? 'current' : age <= bounds.recent ? 'recent' : age <= bounds.ageing ? 'ageing' : 'stale';
  return { score, level, date };
}

/** `2023` and `2023-05` are read as their last day: as new as they may be. */
function timeOf(date: string | undefined): number | undefined {
  if (date === undefined) return undefined;
  const [, year, month] = /^(\d{4})(?:-(\d\d))?$/.exec(date) ?? [];
  if (year === undefined) return parseTime(date);
  return Date.UTC(Number(year), month === undefined ? 12 : Number(month), 0);
}
