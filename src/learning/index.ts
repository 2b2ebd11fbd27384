export * from './administration';
export type { LearningOptions } from './learning';
export * from './model';
export { recordMarkdown } from './records/markdown';
export { learningSchema, RECORDS_TOPIC } from './schema';
export { openWorkflows, type World as WorkflowsWorld } from './workflows';

import { Learning, type LearningOptions } from './learning';
import type { LearningPart } from './model';

/** Reads and counts nothing before it is asked for the first time. */
export function openLearning(options: LearningOptions): LearningPart {
  return new Learning(options);
}
