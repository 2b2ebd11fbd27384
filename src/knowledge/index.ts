export { untied } from './applicability';
export { scopeOfRules } from './applicability-scope';
export { mayInherit, requireScope } from './chains';
export type { ImportPlan } from './import';
export { checkEntryRecord, checkKnowledgeRecords } from './import-check';
export { Knowledge } from './knowledge';
export { type LabelNotice, labelNotices } from './label-notices';
export { blankCode } from './markdown-code';
export * from './model';
export { checkScopeId } from './names';
export { type EntryOrigin, type EntryWithOrigin, originOfText, originsOf, withOrigins } from './origins';
export { projectIds } from './project-ids';
export { gravity, parseRisks, riskLevels } from './risk';
export {
  entriesTopic,
  entryOfTopic,
  knowledgeSchema,
  manyEntriesTopic,
  moveOfTopic,
  READS_TOPIC,
  SCOPES_TOPIC,
  scopeOfManyEntries,
} from './schema';
export { holdingBoth, type Stores } from './stores';
export { type UnreadableRule, unreadableRules } from './unreadable-rules';
