export { Continuity } from './continuity';
export * from './model';
export { checkContinuityRecords } from './records';
export { continuitySchema, continuityTopic } from './schema';
