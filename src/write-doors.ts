import type { BasesPart } from './bases';
import type { ContinuityPart } from './continuity';
import type { KnowledgePart } from './knowledge';
import type { LearningPart } from './learning';
import type { LibraryPart } from './library';
import type { NotesPart } from './notes';
import type { RelationsPart } from './relations';
import type { ReviewPart } from './review';
import { checkedWrites, type WriteCheck, type WriteMethods } from './safety';

/** The parts that keep what somebody writes. The others read, or write by these. */
interface WrittenParts {
  knowledge: KnowledgePart;
  continuity: ContinuityPart;
  bases: BasesPart;
  notes: NotesPart;
  library: LibraryPart;
  relations: RelationsPart;
  learning: LearningPart;
}

/** `input.content` is what who wrote it calls `content`. */
const ofWhatIsAsked = (field: string) => field.replace(/^(?:(?:write|request|input|patch)(?:\.|, (?=a name)))+/, '');

/**
 * Every door by which a text gets into what Kaizen keeps, with its arguments. What is given is looked at before it is
 * written; what only names something that is kept is not, so that what holds a secret can be removed. A door that is told
 * an author and is missing here does not compile. What the library reads of a source, and notes of the registry, these
 * two parts look at themselves once they have read it.
 */
const DOORS: { readonly [Name in keyof WrittenParts]: WriteMethods<WrittenParts[Name]> } = {
  knowledge: {
    defineScope: [],
    deleteScope: [null],
    storeIfMissing: [],
    storeOverwrite: [],
    delete: [null],
    restore: [null],
    undo: [null],
    move: [null],
    describeCategory: [null, 'category', 'description'],
  },
  continuity: { storeSessionSummary: [], storeProjectOverview: [], updateProgress: [], removeTask: [null, null] },
  // A node's file says nothing of who wrote it: its doors are told no author.
  bases: { prepareUpdate: [null, 'content'], update: [] },
  notes: { get: [null], write: [ofWhatIsAsked], undo: [null], migrate: ['steps', null] },
  library: {
    check: [],
    ingest: [],
    refresh: [null],
    describe: [null],
    remove: [null],
    acquire: [],
    requestDocument: [],
    settleRequest: [null],
  },
  relations: {
    add: [],
    remove: [null],
    restore: [null],
    import: ['relations'],
    moved: [null, 'to'],
    forget: [null],
    tidy: [],
  },
  learning: {
    write: [ofWhatIsAsked],
    undo: [null],
    feedback: [],
    takeBack: [null],
    importFeedback: ['feedback'],
    moved: [null, 'to'],
    import: ['file'],
  },
};

/** A proposal is looked at before it is kept; accepting one performs it by the doors above. */
const REVIEW: WriteMethods<ReviewPart> = {
  propose: [ofWhatIsAsked],
  accept: [null],
  reject: [null],
  reconsider: [null],
};

/** The parts as everybody is given them. */
export function checkedParts<Parts extends WrittenParts>(parts: Parts, check: WriteCheck): Parts {
  const checked: Partial<Record<keyof WrittenParts, object>> = {};
  for (const name of Object.keys(DOORS) as (keyof WrittenParts)[]) {
    checked[name] = checkedWrites<object>(parts[name], DOORS[name], check);
  }
  return checked as Parts;
}

export function checkedReview(review: ReviewPart, check: WriteCheck): ReviewPart {
  return checkedWrites(review, REVIEW, check);
}
