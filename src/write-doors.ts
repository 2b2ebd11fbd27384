import type { BasesPart } from './bases';
import type { ContinuityPart } from './continuity';
import type { KnowledgePart } from './knowledge';
import type { LearningPart } from './learning';
import type { LibraryPart } from './library';
import type { NotesPart } from './notes';
import type { RelationsPart } from './relations';
import type { ReviewPart } from './review';
import { checkWrites, type WriteCheck, type WriteMethods } from './safety';

/**
 * Every door by which a text gets into what Kaizen keeps: what goes through one of them is looked at before it is
 * written. Missing on purpose is what brings back or moves what is there already (restore, undo, moved), and what the
 * library reads of a source, which it looks at itself once it has read it.
 */

const KNOWLEDGE: WriteMethods<KnowledgePart> = {
  defineScope: [],
  deleteScope: ['scope_id'],
  storeIfMissing: [],
  storeOverwrite: [],
  delete: [],
  restore: [],
  undo: [],
  move: [],
  describeCategory: ['scope_id', 'category', 'description'],
};

const CONTINUITY: WriteMethods<ContinuityPart> = {
  storeSessionSummary: [],
  storeProjectOverview: [],
  updateProgress: [],
};

const BASES: WriteMethods<BasesPart> = { prepareUpdate: ['node', 'content'], update: [] };

const NOTES: WriteMethods<NotesPart> = { write: [], migrate: ['steps'] };

const LIBRARY: WriteMethods<LibraryPart> = {
  check: [],
  ingest: [],
  describe: ['document_id'],
  acquire: [],
  requestDocument: [],
};

const RELATIONS: WriteMethods<RelationsPart> = { add: [], import: ['relations'] };

const LEARNING: WriteMethods<LearningPart> = {
  write: [],
  feedback: [],
  importFeedback: ['feedback'],
  import: ['file'],
};

/** A proposal is looked at before it is kept; accepting one performs it by the doors above. */
const REVIEW: WriteMethods<ReviewPart> = { propose: [] };

export interface WrittenParts {
  knowledge: KnowledgePart;
  continuity: ContinuityPart;
  bases: BasesPart;
  notes: NotesPart;
  library: LibraryPart;
  relations: RelationsPart;
  learning: LearningPart;
  review: ReviewPart;
}

export function checkAllWrites(parts: WrittenParts, check: WriteCheck): void {
  checkWrites(parts.knowledge, KNOWLEDGE, check);
  checkWrites(parts.continuity, CONTINUITY, check);
  checkWrites(parts.bases, BASES, check);
  checkWrites(parts.notes, NOTES, check);
  checkWrites(parts.library, LIBRARY, check);
  checkWrites(parts.relations, RELATIONS, check);
  checkWrites(parts.learning, LEARNING, check);
  checkWrites(parts.review, REVIEW, check);
}
