import type { BasesPart } from '../bases';
import type { KnowledgePart } from '../knowledge';
import type { LearningPart } from '../learning';
import type { LibraryPart } from '../library';
import type { NotesPart } from '../notes';

/** The parts whose knowledge has addresses. */
export interface KnownParts {
  knowledge: KnowledgePart;
  bases: BasesPart;
  notes: NotesPart;
  library: LibraryPart;
  learning: Pick<LearningPart, 'find' | 'isHidden' | 'onDidChange'>;
}
