import * as z from 'zod';
import type { CoverageAssessment, Preflight } from '../../src/library/coverage-model';
import {
  DEPTH_THRESHOLDS,
  RECENCY_REQUIREMENTS,
  REQUESTED_TYPES,
  REQUIRED_AUTHORITIES,
  WORKFLOW_TYPES,
  WORKFLOWS,
} from '../../src/library/vocabulary';

const DEPTHS = Object.keys(DEPTH_THRESHOLDS) as (keyof typeof DEPTH_THRESHOLDS)[];

const line = z.string().min(1).max(2_000);
const lines = z.array(line).max(50);

/** What is asked about. */
const subject = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('topic'),
    topic: line,
    depth: z.enum(DEPTHS).optional(),
    authority: z.enum(REQUIRED_AUTHORITIES).optional(),
    recency: z.enum(RECENCY_REQUIREMENTS).optional(),
    workflow: z.enum(WORKFLOWS).optional(),
  }),
  z.strictObject({
    kind: z.literal('workflow'),
    workflow: z.enum(WORKFLOW_TYPES),
    description: line,
    topics: lines.optional(),
    standards: lines.optional(),
  }),
]);
export type CoverageSubject = z.output<typeof subject>;

/** What the coverage page says to the extension. */
export const coverageRequest = z.discriminatedUnion('type', [
  /** The page is drawn, or drawn again, with what it showed before. */
  z.strictObject({ type: z.literal('ready'), subject: subject.optional() }),
  z.strictObject({ type: z.literal('assess'), subject }),
  /** A passage, by its address. */
  z.strictObject({ type: z.literal('open'), uri: z.string().min(1).max(4_000) }),
  z.strictObject({ type: z.literal('searchWeb'), topic: line, queries: lines, urls: lines }),
  z.strictObject({ type: z.literal('add') }),
  z.strictObject({
    type: z.literal('request'),
    topic: line,
    rationale: z.string().max(4_000),
    document_type: z.enum(REQUESTED_TYPES),
    examples: lines,
  }),
]);
export type CoverageRequestMessage = z.output<typeof coverageRequest>;

export interface CoverageState {
  subject: CoverageSubject;
  /** Of a topic, or of each topic of a workflow. */
  result: { kind: 'topic'; assessment: CoverageAssessment } | { kind: 'workflow'; preflight: Preflight };
  /** Sources that the library has. */
  documents: number;
  /** False in Restricted Mode, where nothing can be added. */
  writable: boolean;
}

/** What the extension says to the coverage page. */
export type CoverageMessage =
  | { type: 'state'; state: CoverageState }
  /** Nothing was asked yet: the form is to be filled in. */
  | { type: 'empty'; documents: number }
  /** It is being looked at. */
  | { type: 'assessing'; subject: CoverageSubject }
  /** Instead of an answer: what happened and what to do. */
  | { type: 'problem'; message: string };
