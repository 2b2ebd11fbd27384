import type { LibraryPart } from '../../library';
import type { RelationsPart } from '../../relations';
import type { LearningPart } from '../model';

/** A passage of what is known beside captured records and the library. */
export interface KnowledgePassage {
  uri: string;
  kind: 'entry' | 'node' | 'note';
  title: string;
  /** Where it is, for a person. */
  path: string;
  /** `WARNING` and the like are told by the text. */
  type: string;
  /** 0 to 1. */
  score: number;
  /** Words of the question that it was found by. */
  matched: readonly string[];
  text: string;
}

/** Finds entries, nodes and notes by words or meaning, best first. Must not count as having been asked by an agent. */
export type SearchKnowledge = (
  query: string,
  limit: number,
  signal?: AbortSignal,
) => Promise<readonly KnowledgePassage[]>;

/** What workflows look through. Nothing of it is opened before it is asked. */
export interface World {
  learning: Pick<
    LearningPart,
    | 'get'
    | 'find'
    | 'list'
    | 'search'
    | 'markdown'
    | 'effectivenessOf'
    | 'combinedScore'
    | 'noteUse'
    | 'noteQuery'
    | 'warm'
  >;
  library: Pick<LibraryPart, 'state' | 'search' | 'sources' | 'chunks'>;
  relations: Pick<RelationsPart, 'find' | 'resolve'>;
  knowledge: SearchKnowledge;
}
