import * as z from 'zod';
import type { GraphEdge, GraphState } from './graph';
import { DIRECTIONS, MOST_EXPANDED, MOST_STEPS } from './relations-limits';

/** What the page of relations draws and what both sides say to each other: everything that is known, and what it is to what. */

const id = z.string().min(1).max(4_000);

/** What is to be drawn. Things are named by their addresses. */
export const relationsView = z.strictObject({
  /** Where it begins; without, all stored relations are shown. */
  start: id.optional(),
  /** Relations from the beginning. */
  depth: z.int().min(1).max(MOST_STEPS),
  direction: z.enum(DIRECTIONS),
  /** Relations that are less sure are left out; 0 to 1. */
  minimum: z.number().min(0).max(1),
  /** Whose neighbours are shown as well. */
  expanded: z.array(id).max(MOST_EXPANDED),
  /** The shortest way between two is shown as well. */
  way: z.strictObject({ from: id, to: id }).optional(),
});
export type RelationsView = z.output<typeof relationsView>;

/** What the page says to the extension. */
export const relationsRequest = z.discriminatedUnion('type', [
  /** The page is drawn, or drawn again: it is told where to begin. */
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('look'), view: relationsView }),
  /** All relations of one thing, with why they hold and who says so. */
  z.strictObject({ type: z.literal('details'), id }),
  z.strictObject({ type: z.literal('open'), id }),
  /** Have the person choose where to begin. */
  z.strictObject({ type: z.literal('choose') }),
  /** Have the person choose where a way from here leads. */
  z.strictObject({ type: z.literal('way'), id }),
  z.strictObject({ type: z.literal('add'), id }),
  /** A relation, by its id. */
  z.strictObject({ type: z.literal('remove'), id: z.string().min(1).max(10_000) }),
]);
export type RelationsRequest = z.output<typeof relationsRequest>;

/** What the page is opened for. */
export interface RelationsSubject {
  /** Without, all stored relations are shown. */
  start?: string | undefined;
  /** The way from the start to this one is shown. */
  to?: string | undefined;
}

/** The shortest way from one thing to another, and among equally short ones the surest. */
export interface RelationsWay {
  from: string;
  to: string;
  /** Indices into `nodes`, from the beginning on; empty where no way was found. */
  nodes: readonly number[];
  /** Indices into `edges`, one less. */
  edges: readonly number[];
  /** The product of the relations' confidences. */
  confidence: number;
  /** Only a part of what is reached was looked at: there may be a way nevertheless. */
  truncated: boolean;
}

export interface RelationsEdge extends GraphEdge {
  confidence: number;
}

export interface RelationsState extends GraphState {
  edges: readonly RelationsEdge[];
  view: RelationsView;
  /** There is more within the depth than is shown. */
  truncated: boolean;
  /** Ends of which nobody can tell now whether they are there. */
  unresolved: number;
  /** Of an overview: there are more relations than were looked at. */
  partial: boolean;
  way?: RelationsWay | undefined;
}

export interface RelationEndDetail {
  id: string;
  label: string;
  /** An index into the state's `kinds`. */
  kind?: number | undefined;
}

/** A relation as one of its ends sees it; names are in the person's language. */
export interface RelationDetail {
  id: string;
  /** What the thing is to the other one. */
  word: string;
  isOutgoing: boolean;
  other: RelationEndDetail;
  mutual: boolean;
  context: string;
  confidence: number;
  provenance: string;
  evidence: readonly RelationEndDetail[];
  author: string;
  /** ISO 8601; empty where nobody knows. */
  at: string;
  /** A file says it, and there alone it can be changed. */
  isStated: boolean;
}

/** What the extension says to the page. */
export type RelationsMessage =
  /** Begin here; without a subject, where the page was. */
  | { type: 'begin'; subject?: RelationsSubject | undefined }
  | { type: 'state'; state: RelationsState }
  | { type: 'details'; id: string; relations: readonly RelationDetail[]; more: boolean }
  /** Instead of a graph: what happened and what to do. */
  | { type: 'problem'; message: string };
