/** Markdown files as trees of nodes: seed 002's hybrid schema, and every other Markdown too. Reads and edits texts only. */
export { editNode, type NodeEdit } from './edit';
export type { Place } from './nodes';
export { MAX_NODES, parseFile } from './parse';
