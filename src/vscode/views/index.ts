export { Explorer } from './explorer';
export { lineAround, wordsOf } from './filter';
export { follow } from './follow';
export type { KnowledgeNode, MoreNode } from './nodes';
export { touchedBy } from './topics';
