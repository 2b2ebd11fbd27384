export { requireScope } from './chains';
export { type CheckedRecords as CheckedKnowledgeRecords, checkKnowledgeRecords, type ImportPlan } from './import';
export { Knowledge } from './knowledge';
export * from './model';
export { parseRisks } from './risk';
export { entriesTopic, knowledgeSchema, SCOPES_TOPIC } from './schema';
export { holdingBoth, type Stores } from './stores';
