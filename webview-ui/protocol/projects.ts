import * as z from 'zod';
import type { ProjectRecord } from '../../src/learning/records-model';
import {
  OUTCOME_STATUSES,
  type OutcomeStatus,
  type ProjectStatus,
  type ScoreLevel,
  TASK_STATUSES,
  type Transition,
  VISIBILITIES,
  type Visibility,
} from '../../src/learning/vocabulary';
import { LONGEST_TEXT } from './limits';

const text = z.string().max(LONGEST_TEXT);
const line = z.string().max(2_000);
const id = z.string().min(1).max(200);
const amount = z.number().min(0);
/** As many as a text has lines: who types more than a project may have is told so, and a message that is dropped tells nobody. */
const MOST_LINES = LONGEST_TEXT;
const lines = z.array(text).max(MOST_LINES);

/** What of the board is looked at. */
const view = z.strictObject({
  /** Words that a name, description or tag is to hold; empty for all. */
  text: line,
  /** Empty for all. */
  type: line,
  domain: line,
  /** How many cards of each column are wanted. */
  shown: z.strictObject({
    planning: z.int().min(1).max(20_000),
    active: z.int().min(1).max(20_000),
    completed: z.int().min(1).max(20_000),
    abandoned: z.int().min(1).max(20_000),
  }),
  /** Whose details are wanted. */
  project: id.nullable(),
});
export type ProjectsView = z.output<typeof view>;

/** What a person says of a project that is planned. */
const plan = z.strictObject({
  name: line,
  project_type: line.optional(),
  domain: line.optional(),
  description: text.optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  estimated_duration_days: amount.optional(),
  estimated_effort_hours: amount.optional(),
  tasks: z
    .array(z.strictObject({ name: text, estimated_hours: amount.optional() }))
    .max(MOST_LINES)
    .optional(),
  source_template_id: id.optional(),
});
export type PlanInput = z.output<typeof plan>;

const outcome = z.strictObject({
  status: z.enum(OUTCOME_STATUSES),
  outcome_summary: text.optional(),
  actual_duration_days: amount.optional(),
  actual_effort_hours: amount.optional(),
  success_rating: z.number().min(0).max(1).optional(),
  lessons_learned: lines.optional(),
  what_worked: lines.optional(),
  what_didnt_work: lines.optional(),
});
export type OutcomeAnswer = z.output<typeof outcome>;

/** What every request says that is answered: its number, so that the answer finds back. */
const asked = { request: z.int().min(1) };
const about = { ...asked, project_id: id };

/** What the page of projects says to the extension. */
export const projectsRequest = z.discriminatedUnion('type', [
  /** The page is drawn, or drawn again, with what it showed before. */
  z.strictObject({ type: z.literal('ready'), view }),
  z.strictObject({ type: z.literal('look'), view }),
  z.strictObject({ type: z.literal('create'), ...asked, plan }),
  /** `base` is when it had changed last as the person began: what changed since is not overwritten. */
  z.strictObject({ type: z.literal('change'), ...about, base: line, plan }),
  z.strictObject({
    type: z.literal('move'),
    ...about,
    transition: z.enum(['activate', 'abandon', 'reopen']),
    reason: text.optional(),
  }),
  z.strictObject({ type: z.literal('end'), ...about, outcome }),
  z.strictObject({
    type: z.literal('saveTask'),
    ...about,
    task_id: id,
    status: z.enum(TASK_STATUSES).optional(),
    actual_hours: amount.optional(),
  }),
  /** How well it went, 1 to 5. */
  z.strictObject({ type: z.literal('rate'), ...about, rating: z.int().min(1).max(5) }),
  z.strictObject({ type: z.literal('remove'), ...about }),
  /** The person does not want to say how well it went. */
  z.strictObject({ type: z.literal('dismiss'), project_id: id }),
  z.strictObject({
    type: z.literal('run'),
    command: z.enum(['open', 'explain', 'relations', 'template']),
    /** What it is about, by its address. */
    uri: z.string().min(1).max(4_000),
  }),
  z.strictObject({ type: z.literal('trust') }),
]);
export type ProjectsRequest = z.output<typeof projectsRequest>;
/** A request that is answered. */
export type AnsweredProjectsRequest = Extract<ProjectsRequest, { request: number }>;

/** What was estimated, and what it took; null where nobody said. */
export interface Compared {
  estimated: number | null;
  actual: number | null;
}

export interface ProjectCard {
  id: string;
  name: string;
  project_type: string;
  domain: string;
  status: ProjectStatus;
  visibility: Visibility;
  owner: string | null;
  tasks: { done: number; all: number };
  days: Compared;
  hours: Compared;
  /** As its outcome was captured; null as long as it goes on. */
  outcome: OutcomeStatus | null;
  /** 0 to 1. */
  success_rating: number | null;
}

export interface ProjectColumn {
  status: ProjectStatus;
  /** Of all that fit the filter. */
  count: number;
  /** Those last changed first, as many as are wanted. */
  cards: ProjectCard[];
}

/** What was needed for each unit that was estimated, over ended projects of a type, or of all. */
export interface EstimateRow {
  /** Null for all together. */
  project_type: string | null;
  duration: { mean: number; median: number; projects: number } | null;
  effort: { mean: number; median: number; projects: number } | null;
}

export interface NamedThing {
  uri: string;
  name: string;
}

export interface CapturedProject {
  uri: string;
  record: ProjectRecord;
  /** The template it was made from, as long as that is there. */
  template: NamedThing | null;
  lessons: NamedThing[];
  /** Null where nobody has said or shown anything of it. */
  score: { value: number; level: ScoreLevel; ratings: number; confidence: number } | null;
  relations: number;
  /** The person is to be asked how well it went. */
  asks: boolean;
}

export interface TemplateChoice {
  id: string;
  name: string;
  project_type: string;
  domain: string;
  tasks: number;
}

export interface ProjectsState {
  view: ProjectsView;
  /** False in Restricted Mode, where nothing is changed. */
  writable: boolean;
  /** Of all projects, whatever the filter. */
  total: number;
  columns: ProjectColumn[];
  /** Those that projects have, sorted. */
  types: string[];
  domains: string[];
  ways: Record<ProjectStatus, { transition: Transition; to: ProjectStatus }[]>;
  /** All together first, then types with most projects first; empty where nothing can be compared. */
  estimates: EstimateRow[];
  templates: TemplateChoice[];
  details: CapturedProject | null;
}

/** What is shown first, and which form is opened. */
export interface ProjectsPart {
  project?: string | undefined;
  form?: 'create' | 'change' | 'end' | 'abandon' | undefined;
  /** Of a new project: the template that it follows. */
  template?: string | undefined;
}

/** What the extension says to the page of projects. */
export type ProjectsMessage =
  | { type: 'state'; state: ProjectsState }
  /** Nothing can be shown, and why. */
  | { type: 'failed'; error: string }
  | { type: 'show'; part: ProjectsPart }
  /** `error` says why nothing was changed; `project_id` what was made. */
  | { type: 'answer'; request: number; error?: string; project_id?: string };
