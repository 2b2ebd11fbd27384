import type { BasesPart } from '../bases';
import type { Clock } from '../core/clock';
import type { KnowledgePart } from '../knowledge';
import type { LearningPart } from '../learning';
import type { NotesPart } from '../notes';
import type { EmbeddingOptions } from '../search';
import type { Store } from '../store';
import type { DiscoverySettings } from './model';

/** What discovery asks of what was learned, and tells it. */
export type Learned = Pick<LearningPart, 'effectivenessOf' | 'gentleBoost' | 'noteUse' | 'noteQuery'>;

export interface DiscoveryOptions {
  /** The workspace's store: usage is counted there. */
  store: Store;
  knowledge: KnowledgePart;
  bases: BasesPart;
  notes: NotesPart;
  /** Scope id of the current project. */
  project: string | undefined;
  /** The workspace folder, absolute: `current_file` is relative to it. */
  workspace?: string | undefined;
  /** Where segments are kept between runs. Without one, they are not. */
  cacheDirectory: string | undefined;
  /** Where vectors, and the local model, are kept for all workspaces. */
  embeddingsDirectory: string;
  modelsDirectory: string;
  embeddings?: EmbeddingOptions | undefined;
  settings?: Partial<DiscoverySettings> | undefined;
  /** Count what agents are given. */
  countUsage: boolean;
  /** What was learned by use; nothing unless told. */
  learned?: Learned | undefined;
  clock: Clock;
  /** Called once for each change of what entries hold. */
  onEntriesChanged(listener: (topics: ReadonlySet<string>) => void): { dispose(): void };
  log?: (message: string) => void;
}
