import type { AuthorityLevel, CoverageLevel, RecencyRequirement, RequiredAuthority } from '../vocabulary';

/** Unless told (seed 003, 5.3.1). */
export const DEFAULTS = { depth: 'working', authority: 'reputable', recency: 'any', workflow: 'general' } as const;

export const LIMITS = {
  /** Characters of a topic; a longer one is a text. */
  topic: 2_000,
  /** Characters of what a workflow is about. */
  description: 20_000,
  domain: 200,
  standard: 200,
  /** Topics and standards that a preflight is given. */
  topics: 50,
  standards: 50,
  /** Topics that are read from its description. */
  derived: 4,
  /** Chunks that are cited. */
  evidence: 8,
  /** Sources that are named as the most authoritative. */
  named: 3,
  queries: 5,
  urls: 5,
} as const;

/**
 * Chosen on the rated topics of bench/sets/library-coverage.json that are there for it, and rounded: of 432 settings around
 * these, five of six reach a correlation of 0.77. docs/library.md, "Coverage", says what each does.
 */
export const COVERAGE = {
  /** Chunks that are looked at, and how many there are at least for each that the depth asks for. */
  looked: 40,
  lookedForEach: 3,
  /** How often a word occurs in a chunk, and in all that was found of a document, until it counts 63 % of what it can. */
  often: { chunk: 4, document: 24 },
  /** What a word counts at most that stands in no heading: what a text is about stands in its headings. */
  unheaded: 0.7,
  /** The best hits, whose scores tell how well the library answers the topic; the first of them counts half. */
  answers: 3,
  /** What the topic's words weigh beside that. */
  words: 0.65,
  /** From this relevance on a chunk counts at all, and from this one on as one whole relevant chunk. */
  relevant: { from: 0.3, whole: 0.6 },
  /** What is met by a single document that says it all in one chunk; the rest is depth. */
  shallow: 0.4,
  /** Where nothing is missing: paraphrases keep it below 1. */
  full: 0.75,
} as const;

/** What confidence rests on: relevant chunks, in the steps of seed 003, 4.8, CONFIDENCE_INTERPRETATION; between them in a line. */
export const CONFIDENCE_POINTS: readonly (readonly [points: number, confidence: number])[] = [
  [0, 0],
  [3, 0.2],
  [10, 0.5],
  [20, 0.8],
  [40, 1],
];

/** What one source says alone is less sure than what several say: the factor by how many there are, each weighed by its part. */
export const DIVERSITY: readonly (readonly [sources: number, factor: number])[] = [
  [1, 0.6],
  [2, 0.8],
  [3, 1],
];

/** Relevant chunks that authority and recency need to count in full: who stands for a single sentence says little. */
export const SUPPORT = 3;

/** What a source without a date is worth where recency is asked for: it may be new. */
export const UNDATED = 0.5;

/** Bounds of `overall_level`, from above: the fifths that seed 003, 4.8 has for scores. */
const LEVEL_BOUNDS: readonly (readonly [from: number, level: CoverageLevel])[] = [
  [0.8, 'very_high'],
  [0.6, 'high'],
  [0.4, 'medium'],
  [0.2, 'low'],
  [0, 'very_low'],
];

/** From here on it is enough, and from here on it is something to start with: the bounds of `high` and `medium`. */
export const ENOUGH = 0.6;
export const SOMETHING = 0.4;
/** Below this there is as good as nothing: the bound of `low`. */
export const NOTHING = 0.2;

/** What a required authority asks of a source at least. */
export const REQUIRED_LEVEL: Readonly<Record<Exclude<RequiredAuthority, 'any'>, AuthorityLevel>> = {
  reputable: 'reputable',
  authoritative: 'authoritative',
  normative: 'normative',
};

/** How old a source may be, in years; `current` is what was published, or looked at, within a year. */
export const RECENCY_YEARS: Readonly<Record<Exclude<RecencyRequirement, 'any'>, number>> = {
  recent_5y: 5,
  recent_2y: 2,
  current: 1,
};

export function levelOf(score: number): CoverageLevel {
  return LEVEL_BOUNDS.find(([from]) => score >= from)?.[1] ?? 'very_low';
}
