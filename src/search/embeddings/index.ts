import type { Embedder, EmbeddingOptions } from '../model';
import { endpointEmbedder } from './endpoint';
import { type InstallOptions, install, isInstalled, isSound } from './local/install';
import { localEmbedder } from './local/local-embedder';
import { bytesOf, MINI_LM, sourcesInUse } from './local/model-files';

export interface EmbedderContext {
  /** Where the local model is kept, the same for all workspaces and processes. */
  modelsDirectory: string;
}

/** Undefined for `none`. Throws `invalid_argument`, and `embedding_failed` when the local model is not installed. */
export function createEmbedder(options: EmbeddingOptions, { modelsDirectory }: EmbedderContext): Embedder | undefined {
  if (options.provider === 'none') return undefined;
  return options.provider === 'endpoint' ? endpointEmbedder(options) : localEmbedder({ modelsDirectory });
}

/** What is downloaded for the local model, for a person to agree to. */
export interface LocalModel {
  name: string;
  /** All files together. */
  bytes: number;
  /** Hosts that are asked. */
  sources: readonly string[];
}

export function localModel(): LocalModel {
  const sources = Object.values(sourcesInUse()).map((base) => (URL.canParse(base) ? new URL(base).host : base));
  return { name: MINI_LM.name, bytes: bytesOf(MINI_LM), sources };
}

export function isLocalModelInstalled(modelsDirectory: string): boolean {
  return isInstalled(MINI_LM, modelsDirectory);
}

/** Reads all files: takes a moment. */
export async function isLocalModelSound(modelsDirectory: string): Promise<boolean> {
  return isSound(MINI_LM, modelsDirectory);
}

/** Downloads, checks and puts in place, once for all workspaces. Throws `embedding_failed`; leaves nothing half done. */
export async function installLocalModel(modelsDirectory: string, options: InstallOptions = {}): Promise<void> {
  await install(MINI_LM, modelsDirectory, options);
}
