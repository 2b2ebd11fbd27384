export * from './administration';
export { type Given, givenBy } from './feedback/inputs';
export type { LearningOptions } from './learning';
export * from './model';
export { type Way, waysFrom } from './projects/lifecycle';
export { titleFrom as lessonTitle } from './records/lessons';
export { recordMarkdown } from './records/markdown';
export { learningSchema, RECORDS_TOPIC } from './schema';
export {
  type EstimateFactor,
  type EstimateToActual,
  estimateToActual,
  openWorkflows,
  type World as WorkflowsWorld,
} from './workflows';

import { Learning, type LearningOptions } from './learning';
import type { LearningPart } from './model';

/** Reads and counts nothing before it is asked for the first time. */
export function openLearning(options: LearningOptions): LearningPart {
  return new Learning(options);
}
