export { type EstimateFactor, type EstimateToActual, estimateToActual } from './estimates';
export type { KnowledgePassage, SearchKnowledge, World } from './world';

import type { WorkflowsPart } from '../model';
import { Workflows } from './workflows';
import type { World } from './world';

/** Reads and indexes nothing before it is asked for the first time. */
export function openWorkflows(world: World): WorkflowsPart {
  return new Workflows(world);
}
