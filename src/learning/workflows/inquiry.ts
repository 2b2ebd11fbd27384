import { KaizenError } from '../../core/errors';
import { Turns } from '../../core/turns';
import type { Finding, Findings } from '../workflows-model';
import { type Confidence, confidenceOf, rounded } from './confidence';
import { Evidence, type Passage, type Place } from './evidence';
import { asQuery, named, quoteFrom, shared, spelled, stemSet, stemsOf } from './words';
import type { World } from './world';

const DEFAULT_RESULTS = 10;
const MOST_RESULTS = 100;
/** What is learned of something may raise it from further down. */
const DEEPER = 3;
/** What is said of another domain than the asked one may hold all the same, and less so. */
const OTHER_DOMAIN = 0.8;

/** Where a project or template no longer tells what it was about, and begins to list. */
const LISTS = /^## (?:Tasks|Phases|Checkpoints|Context)\b/mu;

const PLACE_NAMES: Record<Place, string> = {
  learning: 'captured records',
  library: 'the library',
  knowledge: 'entries, nodes and notes',
};

/** What an operation says of a passage. */
export interface Said {
  why: string;
  content?: string | undefined;
  details?: Readonly<Record<string, unknown>> | undefined;
  kind?: string | undefined;
  id?: string | undefined;
  /** Instead of the passage's own. */
  semantic?: number | undefined;
}

export interface Answering {
  operation: string;
  extra?: Readonly<Record<string, unknown>> | undefined;
  /** Where nothing was found: what that means, and what to do. */
  nothing: string;
  /** What else is to be known, in sentences. */
  remarks?: readonly (string | undefined)[] | undefined;
  /** Instead of what the results alone tell. */
  confidence?: Confidence | undefined;
}

/** One question of a workflow: where it searches, and how its answer is made. */
export class Inquiry {
  readonly evidence: Evidence;
  readonly turns: Turns;
  readonly limit: number;
  /** Candidates that are looked at for as many results. */
  readonly deep: number;
  private readonly authorities = new Map<string, number>();
  private askedFor: ReadonlySet<string> | undefined;
  private readonly ranks = new Map<Finding, number>();

  /** Throws `invalid_argument` for a number of results beyond 1 to 100. */
  constructor(
    readonly world: World,
    readonly asked: { text: string; domain?: string | undefined; n_results?: number | undefined },
    readonly signal: AbortSignal | undefined,
  ) {
    signal?.throwIfAborted();
    const { n_results = DEFAULT_RESULTS } = asked;
    if (!(Number.isInteger(n_results) && n_results >= 1 && n_results <= MOST_RESULTS)) {
      throw new KaizenError('invalid_argument', `n_results is a whole number from 1 to ${MOST_RESULTS}.`);
    }
    this.limit = n_results;
    this.deep = Math.min(MOST_RESULTS, Math.max(20, n_results * DEEPER));
    this.evidence = new Evidence(world, signal);
    this.turns = new Turns(signal);
  }

  /** A passage as a result, with what was learned of it. */
  finding(passage: Passage, said: Said): Finding {
    const { uri, title, kind, artifact_type, source } = passage;
    const semantic = clamped((said.semantic ?? passage.semantic) * this.domainWeight(passage));
    const learned = this.world.learning.effectivenessOf(uri);
    const rank = this.world.learning.combinedScore(semantic, learned);
    const finding: Finding = {
      id: said.id ?? passage.id,
      uri,
      title,
      kind: said.kind ?? kind,
      artifact_type,
      content: said.content ?? this.quote(passage),
      semantic_score: rounded(semantic),
      effectiveness_score: rounded(learned.score),
      combined_score: rounded(clamped(rank)),
      score_confidence: rounded(learned.confidence),
      source,
      why: said.why,
      ...(said.details === undefined ? {} : { details: said.details }),
    };
    this.authorities.set(uri, passage.authority);
    this.ranks.set(finding, rank);
    return finding;
  }

  /** The words of what was asked. */
  get asks(): ReadonlySet<string> {
    this.askedFor ??= stemSet(asQuery(this.asked.text));
    return this.askedFor;
  }

  /** What of a passage says most of what was asked. */
  quote(passage: Passage): string {
    if (passage.chunk) return passage.text;
    const told = passage.record ? passage.text.split(LISTS)[0]!.trim() : '';
    return quoteFrom(told === '' ? passage.text : told, this.asks);
  }

  /** Best first by the combined score, as many as were asked for. */
  best(findings: readonly Finding[]): Finding[] {
    return this.sorted(findings).slice(0, this.limit);
  }

  sorted(findings: readonly Finding[]): Finding[] {
    const rank = (finding: Finding) => this.ranks.get(finding) ?? finding.combined_score;
    return [...findings].sort(
      (a, b) =>
        rank(b) - rank(a) ||
        b.semantic_score - a.semantic_score ||
        (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0) ||
        (a.content < b.content ? -1 : 1),
    );
  }

  confidence(results: readonly Finding[]): Confidence {
    return confidenceOf(results, (uri) => this.authorities.get(uri));
  }

  answer(
    results: readonly Finding[],
    { operation, extra = {}, nothing, remarks = [], confidence }: Answering,
  ): Findings {
    this.signal?.throwIfAborted();
    const told = confidence ?? this.confidence(results);
    const problems = [...this.evidence.problems].map(
      ([place, problem]) => `${capitalised(PLACE_NAMES[place])} could not be searched: ${problem}`,
    );
    const message = [results.length === 0 ? nothing : undefined, ...remarks, ...problems].filter(Boolean).join(' ');
    return {
      operation,
      results,
      confidence: told.confidence,
      confidence_rationale: told.rationale,
      extra,
      ...(message === '' ? {} : { message }),
    };
  }

  private domainWeight({ record }: Passage): number {
    const wanted = this.asked.domain?.trim().toLowerCase();
    const domain = record?.record.domain?.trim().toLowerCase();
    if (!wanted || !domain || record?.kind === 'pattern') return 1;
    return wanted === domain ? 1 : OTHER_DOMAIN;
  }
}

/** `It has "timeout" and "retry".` Forms of one word are named once. */
export function because(passage: Pick<Passage, 'matched'>, more?: string): string {
  const byStem = new Map(passage.matched.toReversed().map((word) => [stemsOf(word)[0] ?? word, word]));
  const matched = passage.matched.filter((word) => byStem.get(stemsOf(word)[0] ?? word) === word);
  const words = matched.length > 0 ? `It has ${named(matched)}` : 'It is close in meaning';
  return more === undefined ? `${words}.` : `${words}; ${more}.`;
}

/** The same of one sentence of a passage: what of the question stands in it, and not only somewhere near it. */
export function becauseOf(sentence: string, asked: ReadonlySet<string>, more?: string): string {
  const written = spelled(sentence);
  const matched = shared(stemsOf(sentence), asked).map((stem) => written.get(stem) ?? stem);
  return because({ matched }, more);
}

function clamped(value: number): number {
  return Math.max(0, Math.min(1, value));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
