export { Knowledge } from './knowledge';
export * from './model';
export { parseRisks } from './risk';
export { entriesTopic, knowledgeSchema, SCOPES_TOPIC } from './schema';
export type { Stores } from './stores';
