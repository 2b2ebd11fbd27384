export { Explorer } from './explorer';
export type { KnowledgeNode } from './knowledge-tree';
