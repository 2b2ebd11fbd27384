export { adviceFor } from './base-branches';
export { nodeIcon, relevanceText } from './base-items';
export type { BasesNode, MoreNodesNode } from './base-nodes';
export { Explorer } from './explorer';
export { lineAround, wordsOf } from './filter';
export { follow } from './follow';
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
export { touchedBy } from './topics';
