export { Continuity } from './continuity';
export * from './model';
export { statedProgress } from './progress';
export { checkContinuityRecords } from './records';
export { continuitySchema, continuityTopic } from './schema';
