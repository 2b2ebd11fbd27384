export { Continuity } from './continuity';
export * from './model';
export { continuitySchema, continuityTopic } from './schema';
