import type { ArtifactScore, AskedQuery, UseCount } from '../feedback-model';
import type { LearnedKind, ScoreLevel } from '../vocabulary';

/** What reports on all knowledge say (seed 003, 5.7.1): without what only a server has, for pages show them as well. */

export interface HealthOptions {
  /** What to do about what is not as it should be; true unless told. */
  include_recommendations?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface HealthReport {
  /** `problems`: something cannot be read or searched; `attention`: something should be looked at. */
  status: 'healthy' | 'attention' | 'problems';
  /** ISO 8601. */
  assessed_at: string;
  library: LibraryHealth;
  knowledge: { scopes: number; entries: number; stale: number; never_read: number; risks: number };
  bases: { bases: number; nodes: number; problems: number };
  notes: { spaces: number; notes: number; problems: number };
  learning: Readonly<Record<LearnedKind, number>> & {
    feedback: number;
    /** Things that were rated or used, by the level of their score. */
    scores: Readonly<Partial<Record<ScoreLevel, number>>>;
  };
  /** At most 1,000 are counted. */
  relations: number;
  findings: readonly HealthFinding[];
  recommendations?: readonly Recommendation[] | undefined;
}

export interface LibraryHealth {
  state: string;
  documents: number;
  chunks: number;
  failed: number;
  stale: number;
  open_requests: number;
}

/** What a finding or a recommendation is about. `library_says` is what the library finds of itself, in its words. */
export const HEALTH_CODES = [
  'library_unreachable',
  'library_says',
  'sources_failed',
  'sources_stale',
  'documents_asked_for',
  'entries_stale',
  'base_problems',
  'note_problems',
  'questions_unanswered',
  'projects_without_outcome',
] as const;
export type HealthCode = (typeof HEALTH_CODES)[number];

export interface HealthFinding {
  severity: 'problem' | 'attention';
  area: 'library' | 'knowledge' | 'bases' | 'notes' | 'learning';
  code: HealthCode;
  /** A sentence. */
  message: string;
  /** Of how many it is, where they are counted. */
  count?: number | undefined;
  /** Some of them: what was asked. */
  names?: readonly string[] | undefined;
}

export interface Recommendation {
  /** 1 comes first. */
  priority: number;
  code: HealthCode;
  /** A sentence. */
  action: string;
  /** The tool and operation that does it, where there is one. */
  tool?: string | undefined;
}

export interface UsageAnalytics {
  /** What was asked and not found, most often first. */
  unanswered: readonly AskedQuery[];
  /** What was asked most. */
  asked: readonly AskedQuery[];
  used_most: readonly UseCount[];
  /** What was given and neither used nor rated, most often first. */
  never_used: readonly UseCount[];
  /** Most asked first. */
  by_tool: readonly { tool: string; times: number; unanswered: number }[];
  /** Newest first, UTC. */
  by_day: readonly { day: string; times: number; unanswered: number; tools: Readonly<Record<string, number>> }[];
  totals: { asked: number; unanswered: number };
}

export interface StaleOptions {
  /** 1 to 36,500; 365 unless told. */
  max_age_days?: number | undefined;
  /** Of each kind, 1 to 1,000; 100 unless told. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Something that nobody has looked at for long. */
export interface StaleItem {
  uri: string;
  kind: 'document' | 'entry' | 'node' | 'note';
  title: string;
  /** When it was published, looked at or changed last: ISO 8601, as exact as it is known. */
  date: string;
  age_days: number;
  /** What the date says: `published`, `looked at`, `changed`, `checked`. */
  by: 'published' | 'looked_at' | 'changed' | 'checked';
  /** Of a document, as the library says it: `level` is `current`, `recent`, `ageing` or `stale`. */
  freshness?: { score: number; level: string; date?: string | undefined } | undefined;
  /** Of a web page: what `refresh_web` takes. */
  source_id?: string | undefined;
}

export interface StaleContent {
  max_age_days: number;
  /** Oldest first. */
  documents: readonly StaleItem[];
  entries: readonly StaleItem[];
  nodes: readonly StaleItem[];
  notes: readonly StaleItem[];
  /** Scores from which age takes something off, most first. */
  scores: readonly Pick<
    ArtifactScore,
    'artifact' | 'artifact_type' | 'staleness_penalty' | 'composite_score' | 'last_used' | 'last_feedback'
  >[];
  /** Of each, all that there are, beyond the limit as well. */
  counts: { documents: number; entries: number; nodes: number; notes: number; scores: number };
  /** Documents of which no date is known. */
  undated_documents: number;
  /** What could not be looked at, in a sentence. */
  message?: string | undefined;
}
