/** Seed 003, 4.2.1: what one piece of knowledge says of another. */
export const KNOWLEDGE_RELATIONS = [
  'references',
  'supersedes',
  'implements',
  'supports',
  'contradicts',
  'qualifies',
  'causes',
  'prevents',
  'indicates',
  'alternative_to',
  'preferred_over',
] as const;

/** Those of notes (seed 004) that seed 003 does not have, and that of Markdown nodes (seed 002). */
export const NOTE_RELATIONS = ['extends', 'depends_on', 'related', 'example_of'] as const;
export const NODE_RELATIONS = ['blocked_by'] as const;

export const RELATION_TYPES = [...KNOWLEDGE_RELATIONS, ...NOTE_RELATIONS, ...NODE_RELATIONS] as const;
export type RelationType = (typeof RELATION_TYPES)[number];

/** How it came to be known; seed 003, 4.2.1. */
export const PROVENANCES = ['manual', 'inferred', 'extracted'] as const;
export type Provenance = (typeof PROVENANCES)[number];

export const DIRECTIONS = ['outgoing', 'incoming', 'both'] as const;
export type Direction = (typeof DIRECTIONS)[number];
