export { mayInherit, requireScope } from './chains';
export { checkKnowledgeRecords } from './import-check';
export { Knowledge } from './knowledge';
export * from './model';
export { checkScopeId } from './names';
export { parseRisks } from './risk';
export { entriesTopic, knowledgeSchema, SCOPES_TOPIC } from './schema';
export { holdingBoth, type Stores } from './stores';
