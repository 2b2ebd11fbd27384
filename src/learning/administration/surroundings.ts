import type { BasesPart } from '../../bases';
import type { Clock } from '../../core/clock';
import type { KnowledgePart } from '../../knowledge';
import type { LibraryPart } from '../../library';
import type { NotesPart } from '../../notes';
import type { RelationsPart } from '../../relations';
import type { LearningPart } from '../model';

/** What is looked after. Nothing of it is opened before it is asked. */
export interface Surroundings {
  learning: LearningPart;
  relations: Pick<RelationsPart, 'find' | 'stored' | 'import'>;
  library: Pick<LibraryPart, 'state' | 'ready' | 'stats' | 'sources' | 'source' | 'refresh'>;
  knowledge: Pick<KnowledgePart, 'listScopes' | 'statistics'>;
  bases: Pick<BasesPart, 'statuses' | 'nodes' | 'problems'>;
  notes: Pick<NotesPart, 'spaces' | 'notes'>;
  /** The workspace folder, absolute: where agents may have files written and read. */
  workspace: string | undefined;
  clock: Clock;
}
