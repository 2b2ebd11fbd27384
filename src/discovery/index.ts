export * from './model';

import type { BasesPart } from '../bases';
import type { Clock } from '../core/clock';
import type { KnowledgePart } from '../knowledge';
import type { EmbeddingOptions } from '../search';
import type { Schema, Store } from '../store';
import type { DiscoveryPart, DiscoverySettings } from './model';

/** Counts of what agents were given, in the workspace's store. */
export const discoverySchema: Schema = { part: 'discovery', migrations: [] };

export interface DiscoveryOptions {
  /** The workspace's store: usage is counted there. */
  store: Store;
  knowledge: KnowledgePart;
  bases: BasesPart;
  /** Scope id of the current project. */
  project: string | undefined;
  /** Where segments are kept between runs. */
  cacheDirectory: string;
  /** Where vectors, and the local model, are kept for all workspaces. */
  embeddingsDirectory: string;
  modelsDirectory: string;
  embeddings?: EmbeddingOptions | undefined;
  settings?: Partial<DiscoverySettings> | undefined;
  /** Count what agents are given. */
  countUsage: boolean;
  clock: Clock;
  /** Called once for each change of what entries hold. */
  onEntriesChanged(listener: (topics: ReadonlySet<string>) => void): { dispose(): void };
  log?: (message: string) => void;
}

// FOUNDATION: replaced by the room's own class.
export function openDiscovery(_options: DiscoveryOptions): DiscoveryPart {
  return { close: async () => {}, configure() {}, start() {} } as unknown as DiscoveryPart;
}
