export { adviceFor } from './base-branches';
export { nodeIcon, relevanceText } from './base-items';
export type { BasesNode, MoreNodesNode } from './base-nodes';
export { Explorer } from './explorer';
export { lineAround, wordsOf } from './filter';
export { follow } from './follow';
export { titleOf as titleOfRecord } from './learning-branches';
export type { LearnedNode, MoreLearnedNode } from './learning-nodes';
export {
  learnedIcon,
  learnedKindName,
  learnedKindsName,
  patternDomainName,
  patternTypeName,
  projectStatusName,
  scoreInWords,
  severityName,
  visibilityName,
} from './learning-words';
export type { LibraryGrouping, LibraryNode, MoreLibraryNode } from './library-nodes';
export { allSources } from './library-tree';
export {
  authorityName,
  documentTypeName,
  passageCount,
  placeInDocument,
  requestedTypeName,
  sourceCount,
  sourceIcon,
  urgencyName,
  workflowName,
} from './library-words';
export type { KnowledgeNode, MoreNode } from './nodes';
export { placeInCollection, placeOfNode } from './note-branches';
export type { MoreNotesNode, NotesNode } from './note-nodes';
export {
  collectionTypeName,
  entryTypeName,
  locationName,
  noteCount,
  noteIcon,
  relationshipName,
  subjectOfWrite,
} from './note-words';
export {
  END_KINDS,
  endKindIcon,
  endKindName,
  incomingRelationName,
  relationMeaning,
  relationName,
} from './relation-words';
export { touchedBy } from './topics';
