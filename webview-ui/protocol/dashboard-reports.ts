import type {
  HealthReport,
  StaleContent,
  StaleItem,
  UsageAnalytics,
} from '../../src/learning/administration/reports-model';
import type { ScoreCounts } from '../../src/learning/feedback-model';
import type { ConfidenceLevel, ScoreLevel } from '../../src/learning/vocabulary';

/** Reports of the dashboard, each made when it is looked at. */
export const REPORTS = ['health', 'asked', 'old', 'helped'] as const;
export type ReportName = (typeof REPORTS)[number];

/** What the dashboard shows: what is known, counted, or one of the reports. */
export const DASHBOARD_TABS = ['knowledge', ...REPORTS] as const;
export type DashboardTab = (typeof DASHBOARD_TABS)[number];

/** Days after which something counts as old. */
export const AGES = [90, 180, 365, 730] as const;
export type Age = (typeof AGES)[number];

/** Something with an address, as a person knows it. */
export interface NamedPiece {
  uri: string;
  title: string;
  /** Where it is: scope and category, file, source, or what was captured. */
  place: string;
}

export interface CountedPiece extends NamedPiece {
  retrieved: number;
  used: number;
  /** ISO 8601, the last of both. */
  last_at?: string | undefined;
}

export interface ScoredPiece extends NamedPiece {
  /** 0 to 1. */
  score: number;
  level: ScoreLevel;
  stars: number;
  /** 0 to 1. */
  confidence: number;
  confidence_level: ConfidenceLevel;
  feedback: number;
  used: number;
  /** What age took off, 0 to 0.3. */
  staleness_penalty: number;
  /** ISO 8601: the last feedback or use. */
  last_at?: string | undefined;
}

interface Made {
  /** ISO 8601. */
  made_at: string;
  /** False in Restricted Mode, where nothing is stored or fetched. */
  writable: boolean;
}

export interface HealthTab extends Made {
  name: 'health';
  health: HealthReport;
}

export interface AskedTab extends Made {
  name: 'asked';
  /** Whether it is counted at all, by the settings. */
  counting: boolean;
  unanswered: UsageAnalytics['unanswered'];
  asked: UsageAnalytics['asked'];
  by_day: UsageAnalytics['by_day'];
  by_tool: UsageAnalytics['by_tool'];
  totals: UsageAnalytics['totals'];
  used_most: readonly CountedPiece[];
  never_used: readonly CountedPiece[];
}

/** Kinds of what can be old, beside scores. */
export type OldKind = 'documents' | 'entries' | 'nodes' | 'notes';

export type OldPiece = StaleItem & Pick<NamedPiece, 'place'>;

export interface OldTab extends Made, Pick<StaleContent, 'counts' | 'undated_documents' | 'message'> {
  name: 'old';
  age: Age;
  /** Oldest first. */
  pieces: Readonly<Record<OldKind, readonly OldPiece[]>>;
  scores: readonly ScoredPiece[];
}

export interface HelpedTab extends Made {
  name: 'helped';
  counts: ScoreCounts;
  best: readonly ScoredPiece[];
  /** Below the middle, lowest first. */
  worst: readonly ScoredPiece[];
}

export type DashboardReport = HealthTab | AskedTab | OldTab | HelpedTab;
