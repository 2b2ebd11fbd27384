import { isoTime } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { libraryUri } from '../../core/knowledge-uri';
import { sentence } from '../../core/sentence';
import { checkTrimmed } from '../../core/text';
import type { CoverageAssessment, CoverageRequest, Preflight, PreflightRequest } from '../model';
import type { Surroundings } from '../surroundings';
import {
  DEPTH_THRESHOLDS,
  RECENCY_REQUIREMENTS,
  REQUIRED_AUTHORITIES,
  WORKFLOW_WEIGHTS,
  type Workflow,
} from '../vocabulary';
import { DEFAULTS, LIMITS, levelOf } from './constants';
import { type Scores, scoresOf } from './coverage';
import { type Gathered, gather } from './evidence';
import { freshnessOf } from './freshness';
import { caveatsOf, gapsOf } from './gaps';
import { preflight } from './preflight';
import { acquisitionsFor, recommended } from './recommending';

/** Tells whether what the library has is enough (seed 003, 4.6, 5.3.1 and 5.3.2). */
export class Assessing {
  constructor(private readonly surroundings: Surroundings) {}

  /** Throws `invalid_argument`, the signal's reason, and what opening the library throws. */
  async assess(request: CoverageRequest): Promise<CoverageAssessment> {
    const topic = checkTrimmed(request.topic, { name: sentence('topic'), min: 1, max: LIMITS.topic });
    const depth = known('required_depth', request.required_depth ?? DEFAULTS.depth, DEPTH_THRESHOLDS);
    const authority = oneOf(
      'required_authority',
      request.required_authority ?? DEFAULTS.authority,
      REQUIRED_AUTHORITIES,
    );
    const recency = oneOf('recency_requirement', request.recency_requirement ?? DEFAULTS.recency, RECENCY_REQUIREMENTS);
    const workflow: Workflow = known(
      'workflow_context',
      request.workflow_context ?? DEFAULTS.workflow,
      WORKFLOW_WEIGHTS,
    );
    const { signal } = request;
    signal?.throwIfAborted();
    const keeper = await this.surroundings.keeper();
    const wanted = { depth, chunks: DEPTH_THRESHOLDS[depth], authority, recency, weights: WORKFLOW_WEIGHTS[workflow] };
    const gathered = await gather(keeper, topic, wanted.chunks, signal);
    const now = this.surroundings.clock.now();
    const scores = rounded(scoresOf(gathered, wanted, now));
    const webEnabled = this.surroundings.web.settings.enabled;
    const { gaps, suggestions } = gapsOf(topic, gathered, scores, wanted, now);
    const acquisitions = acquisitionsFor(topic, gaps, suggestions, { authority, webEnabled });
    const overall_level = levelOf(scores.overall);
    return {
      topic,
      ...(request.workflow_context === undefined ? {} : { workflow_context: workflow }),
      coverage_score: scores.coverage,
      confidence_score: scores.confidence,
      authority_score: scores.authority,
      recency_score: scores.recency,
      overall_score: scores.overall,
      overall_level,
      weights: wanted.weights,
      ...recommended(scores, gaps, acquisitions),
      gaps,
      ...summaryOf(gathered, now),
      acquisition_recommendations: acquisitions,
      caveats_if_proceeding: caveatsOf({ gaps, overall_level }, gathered.message),
      evidence: citationsOf(gathered),
      assessed_at: isoTime(now),
    };
  }

  /** Throws as `assess` does. */
  async preflight(request: PreflightRequest): Promise<Preflight> {
    const { web, clock } = this.surroundings;
    const keeper = await this.surroundings.keeper();
    return preflight(request, keeper, (each) => this.assess(each), {
      webEnabled: web.settings.enabled,
      now: clock.now(),
    });
  }
}

function summaryOf(
  { evidence, documents, missing }: Gathered,
  now: number,
): Pick<
  CoverageAssessment,
  | 'sources_found'
  | 'chunks_found'
  | 'missing_words'
  | 'source_types'
  | 'most_authoritative'
  | 'oldest_source_date'
  | 'newest_source_date'
> {
  const found = [...documents.values()];
  const source_types: Record<string, number> = {};
  for (const { source_type } of found) source_types[source_type] = (source_types[source_type] ?? 0) + 1;
  const dates = found.flatMap((document) => freshnessOf(document, now).date ?? []).sort();
  // In the order of their relevance where they are equally believed.
  const believed = [...found].sort((a, b) => b.authority_score - a.authority_score);
  return {
    sources_found: found.length,
    chunks_found: evidence.length,
    missing_words: missing.slice(0, LIMITS.named),
    source_types,
    most_authoritative: believed.slice(0, LIMITS.named).map(({ title }) => title),
    ...(dates.length === 0 ? {} : { oldest_source_date: dates[0]!, newest_source_date: dates.at(-1)! }),
  };
}

function citationsOf({ evidence }: Gathered): CoverageAssessment['evidence'] {
  return evidence.slice(0, LIMITS.evidence).map(({ chunk, relevance }) => ({
    uri: libraryUri(chunk.document_id, chunk.id),
    document_id: chunk.document_id,
    document_title: chunk.document_title,
    section_title: chunk.section_title,
    ...(chunk.clause_number === undefined ? {} : { clause_number: chunk.clause_number }),
    page_numbers: chunk.page_numbers,
    score: hundredths(relevance),
  }));
}

/** More digits would claim more than is known. */
function rounded(scores: Scores): Scores {
  const { coverage, confidence, authority, recency, overall } = scores;
  return {
    coverage: hundredths(coverage),
    confidence: hundredths(confidence),
    authority: hundredths(authority),
    recency: hundredths(recency),
    overall: hundredths(overall),
  };
}

function hundredths(score: number): number {
  return Math.round(score * 100) / 100;
}

function known<Name extends string>(name: string, value: Name, values: Readonly<Record<Name, unknown>>): Name {
  return oneOf(name, value, Object.keys(values) as Name[]);
}

function oneOf<Value extends string>(name: string, value: Value, values: readonly Value[]): Value {
  if (values.includes(value)) return value;
  throw new KaizenError(
    'invalid_argument',
    `"${String(value).slice(0, 80)}" is no ${name}.`,
    `Use one of ${values.join(', ')}.`,
  );
}
