import { parseTime } from '../../core/clock';
import { describeError, KaizenError } from '../../core/errors';
import { entryUri } from '../../core/knowledge-uri';
import { compareText } from '../../core/text';
import { Turns } from '../../core/turns';
import type { SourceListing } from '../../library';
import { daysBetween } from '../scoring/staleness';
import type { StaleContent, StaleItem, StaleOptions } from './model';
import type { Surroundings } from './surroundings';

const DEFAULT_AGE = 365;
const DEFAULT_LIMIT = 100;
const MOST_AGE = 36_500;
const MOST = 1_000;
const READY_MS = 2_000;

/** See `AdministrationPart.stale`. */
export async function staleContent(
  around: Surroundings,
  { max_age_days, limit: asked, signal }: StaleOptions,
): Promise<StaleContent> {
  const age = within('max_age_days', max_age_days ?? DEFAULT_AGE, MOST_AGE);
  const limit = within('limit', asked ?? DEFAULT_LIMIT, MOST);
  const turns = new Turns(signal);
  const now = around.clock.now();
  const documents = await staleDocuments(around, age, now, signal);
  const statistics = await around.knowledge.statistics({ days: 1, stale_days: age, limit });
  const entries = statistics.stale.map(
    ({ scope_id, category, keyword, updated_at }): StaleItem => ({
      uri: entryUri({ scope_id, category, keyword }),
      kind: 'entry',
      title: keyword,
      ...{ date: updated_at, age_days: daysSince(updated_at, now)!, by: 'changed' },
    }),
  );
  const nodes: StaleItem[] = [];
  for (const { uri, title, last_checked: date } of around.bases.nodes()) {
    const days = date === undefined ? undefined : daysSince(date, now);
    if (days !== undefined && days > age)
      nodes.push({ uri, kind: 'node', title, date: date!, age_days: days, by: 'checked' });
    await turns.pause();
  }
  const notes: StaleItem[] = [];
  for (const { uri, title, updated_at, created_at } of around.notes.notes()) {
    const date = updated_at ?? created_at;
    const days = date === undefined ? undefined : daysSince(date, now);
    if (days !== undefined && days > age)
      notes.push({ uri, kind: 'note', title, date: date!, age_days: days, by: 'changed' });
    await turns.pause();
  }
  const scores = await around.learning.scores(limit, 'stalest', signal);
  const { stale } = await around.learning.scoreCounts(signal);
  return {
    max_age_days: age,
    documents: oldest(documents.stale, limit),
    entries,
    nodes: oldest(nodes, limit),
    notes: oldest(notes, limit),
    scores: scores.map(({ artifact, artifact_type, staleness_penalty, composite_score, last_used, last_feedback }) => ({
      ...{ artifact, artifact_type, staleness_penalty, composite_score },
      ...(last_used === undefined ? {} : { last_used }),
      ...(last_feedback === undefined ? {} : { last_feedback }),
    })),
    counts: {
      documents: documents.stale.length,
      entries: statistics.stale_count,
      nodes: nodes.length,
      notes: notes.length,
      scores: stale,
    },
    undated_documents: documents.undated,
    ...(documents.problem === undefined ? {} : { message: `The library was not looked at: ${documents.problem}` }),
  };
}

/** Those that are older, and those whose freshness says so before. */
async function staleDocuments({ library }: Surroundings, age: number, now: number, signal: AbortSignal | undefined) {
  let listed: SourceListing[];
  try {
    await library.ready(READY_MS, signal);
    listed = await library.sources({ limit: Number.MAX_SAFE_INTEGER });
  } catch (error) {
    signal?.throwIfAborted();
    return { stale: [], undated: 0, problem: describeError(error) };
  }
  const stale = listed.flatMap((source): StaleItem[] => {
    const { freshness } = source;
    const days = freshness.date === undefined ? undefined : daysSince(freshness.date, now);
    if (days === undefined || (days <= age && freshness.level !== 'stale')) return [];
    return [
      {
        ...{ uri: source.uri, kind: 'document', title: source.title, date: freshness.date!, age_days: days },
        by: source.publication_date === undefined ? 'looked_at' : 'published',
        freshness,
        ...(source.source_type === 'web' ? { source_id: source.document_id } : {}),
      },
    ];
  });
  const undated = listed.filter(({ freshness }) => freshness.date === undefined).length;
  return { stale, undated, problem: undefined };
}

function oldest(items: readonly StaleItem[], limit: number): StaleItem[] {
  return [...items].sort((a, b) => b.age_days - a.age_days || compareText(a.uri, b.uri)).slice(0, limit);
}

/** Whole days, at least 0; `2023` and `2023-05` are read as their last day. Undefined for what is no date. */
function daysSince(date: string, now: number): number | undefined {
  const [, year, month] = /^(\d{4})(?:-(\d\d))?$/.exec(date) ?? [];
  const time =
    year === undefined ? parseTime(date) : Date.UTC(Number(year), month === undefined ? 12 : Number(month), 0);
  return time === undefined ? undefined : Math.max(0, daysBetween(time, now));
}

function within(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new KaizenError('invalid_argument', `${name} must be 1 to ${most.toLocaleString('en')}.`);
}
