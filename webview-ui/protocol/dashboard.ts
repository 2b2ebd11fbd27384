import * as z from 'zod';
import type { SessionSummary } from '../../src/continuity/model';
import type { KnowledgeStatistics } from '../../src/knowledge/model';
import { HEALTH_CODES } from '../../src/learning/administration/reports-model';
import { AGES, DASHBOARD_TABS, type DashboardReport, type DashboardTab, type ReportName } from './dashboard-reports';

/** Days of activity that the page can show. */
const days = z.union([z.literal(30), z.literal(90), z.literal(365)]);
export type DashboardDays = z.output<typeof days>;

const name = z.string().min(1).max(200);
const address = z.string().min(1).max(4_000);
/** What is shown, and from how many days on something is old there. */
const tab = { tab: z.enum(DASHBOARD_TABS), age: z.literal([...AGES]) };

/** What the dashboard page says to the extension. */
export const dashboardRequest = z.discriminatedUnion('type', [
  /** The page is drawn, or drawn again. */
  z.strictObject({ type: z.literal('ready'), days, ...tab }),
  /** The person looks at another part, or wants it made anew. */
  z.strictObject({ type: z.literal('tab'), ...tab }),
  z.strictObject({ type: z.literal('range'), days }),
  z.strictObject({
    type: z.literal('open'),
    entry: z.strictObject({ scope_id: name, category: name, keyword: name }),
  }),
  /** An entry or a node, by its address. */
  z.strictObject({ type: z.literal('openPiece'), uri: address }),
  /** Whatever has an address. */
  z.strictObject({ type: z.literal('openArtifact'), uri: address }),
  z.strictObject({ type: z.literal('explain'), uri: address }),
  /** What is done about something that health found. */
  z.strictObject({ type: z.literal('mend'), code: z.enum(HEALTH_CODES) }),
  /** What is done about a question that found no answer. */
  z.strictObject({
    type: z.literal('answer'),
    by: z.enum(['store', 'web', 'request']),
    query: z.string().min(1).max(400),
  }),
  /** Web pages of the library, by their ids: looked at again, once the person has agreed. */
  z.strictObject({ type: z.literal('refresh'), sources: z.array(name).max(1_000) }),
  z.strictObject({
    type: z.literal('run'),
    action: z.enum([
      'storeKnowledge',
      'logSession',
      'setUpProject',
      'reviewProposals',
      'exportLearning',
      'importLearning',
      'openSettings',
    ]),
  }),
]);
export type DashboardRequest = z.output<typeof dashboardRequest>;

/** How often agents were recommended an entry or a node, and took it. */
export interface UsedPiece {
  uri: string;
  title: string;
  /** Scope and category, or base and file. */
  place: string;
  recommended: number;
  retrieved: number;
  /** ISO 8601. */
  last_at: string;
}

export interface DashboardState {
  /** ISO 8601. */
  counted_at: string;
  days: DashboardDays;
  /** An entry counts as stale after so many days without a change. */
  stale_days: number;
  /** The current project, where it is defined; sessions belong to it. */
  project: { scope_id: string; name: string } | null;
  statistics: KnowledgeStatistics;
  /** Most used first. */
  usage: UsedPiece[];
  /** Newest first. */
  sessions: SessionSummary[];
  /** How many changes by agents wait for review. */
  pending: number;
  /** False in Restricted Mode, where nothing can be stored. */
  writable: boolean;
}

/** What the extension says to the dashboard page. */
export type DashboardMessage =
  | { type: 'state'; state: DashboardState }
  /** Instead of numbers: what happened and what to do. */
  | { type: 'problem'; message: string }
  | { type: 'report'; report: DashboardReport }
  | { type: 'reportProblem'; name: ReportName; message: string }
  /** What the person asked for elsewhere. */
  | { type: 'show'; tab: DashboardTab };
