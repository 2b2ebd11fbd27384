import * as z from 'zod';
import type { SessionSummary, TaskState } from '../../src/continuity/model';
import type { Tier } from '../../src/knowledge/model';
import { LONGEST_TEXT } from './limits';

/** What can be edited in place: of the overview, the scope and the progress. */
export const TEXT_FIELDS = [
  'purpose',
  'current_phase',
  'name',
  'description',
  'overall_progress',
  'current_sprint',
] as const;
export const LIST_FIELDS = ['tech_stack', 'compliance', 'key_constraints', 'parents'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];
export type ListField = (typeof LIST_FIELDS)[number];

const text = z.string().max(LONGEST_TEXT);
const list = z.array(text).max(1_000);
/** What every request says that is answered. */
const asked = {
  /** Its number, so that its answer finds back. */
  request: z.int().min(1),
  /** The project that the page shows: what is meant for it must not land in another one. */
  project_id: text,
};
const domain = text.nullable();

/** What the project page says to the extension. */
export const projectRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  /** `base` is what was stored when the person began: something else by now is not overwritten. */
  z.strictObject({ type: z.literal('saveText'), ...asked, field: z.enum(TEXT_FIELDS), value: text, base: text }),
  z.strictObject({ type: z.literal('saveList'), ...asked, field: z.enum(LIST_FIELDS), value: list, base: list }),
  z.strictObject({ type: z.literal('addParent'), ...asked, tier: z.enum(['PRODUCT', 'GROUP']), name: text }),
  z.strictObject({
    type: z.literal('saveTask'),
    ...asked,
    name: text,
    domain,
    state: z.enum(['in_progress', 'blocked', 'completed']),
    status: text.optional(),
    blocker: text.optional(),
  }),
  z.strictObject({ type: z.literal('removeTask'), ...asked, name: text, domain }),
  z.strictObject({ type: z.literal('openScope'), scope_id: text }),
  z.strictObject({ type: z.literal('run'), command: z.enum(['setUpProject', 'logSession', 'openFolder', 'trust']) }),
]);
export type ProjectRequest = z.output<typeof projectRequest>;
/** A request that is answered. */
export type AnsweredRequest = Extract<ProjectRequest, { request: number }>;

/** One scope of the project's chain. */
export interface ChainScope {
  scope_id: string;
  tier: Tier;
  name: string;
  description?: string;
  /** Those it names itself; GENERAL is above all, named or not. */
  parents: string[];
  entries: number;
  /** Entries of it that hold for the project and carry a risk. */
  risks: number;
}

/** A scope that the project can inherit from. */
export interface ParentChoice {
  scope_id: string;
  tier: 'PRODUCT' | 'GROUP';
  name: string;
  /** Ids of the products in its chain, itself included: a chain holds one at most. */
  products: string[];
}

export interface BoardTask {
  name: string;
  domain: string | null;
  state: TaskState;
  /** The status, or what blocks it. */
  note: string | null;
  /** `YYYY-MM-DD`, of completed ones. */
  date: string | null;
}

export interface ProjectDetails {
  texts: Record<TextField, string>;
  lists: Record<ListField, string[]>;
  /** Most specific first; the project itself is the first one. */
  chain: ChainScope[];
  choices: ParentChoice[];
  /** In progress and blocked as they came in, completed ones newest first. */
  tasks: BoardTask[];
  sessions: SessionSummary[];
  /** Those that tasks and sessions name, sorted. */
  domains: string[];
}

export interface ProjectState {
  /** Null where no folder is open. */
  project_id: string | null;
  /** Whether the person may change something; not in Restricted Mode. */
  writable: boolean;
  /** Null as long as the project is not defined. */
  project: ProjectDetails | null;
}

export type ProjectPart = 'overview' | 'inheritance' | 'progress' | 'sessions';

/** What the extension says to the project page. */
export type ProjectMessage =
  | { type: 'state'; state: ProjectState }
  /** Nothing can be shown, and why. */
  | { type: 'failed'; error: string }
  | { type: 'show'; part: ProjectPart }
  /** `error` says why nothing was changed; `conflict` that it was something else by then. */
  | { type: 'answer'; request: number; error?: string; conflict?: boolean };
