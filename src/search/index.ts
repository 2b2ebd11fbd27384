export * from './model';

import type { Embedder, EmbeddingOptions, QuerySyntax, SearchIndex, SemanticIndex, Snippet } from './model';

// FOUNDATION: each of these is replaced by the room's own module.

export function createSearchIndex(): SearchIndex {
  throw new Error('not built yet');
}

/** A part of `text` around the words of the query, with the words marked. `length` in UTF-16 code units, 240 unless told. */
export function snippetOf(
  _text: string,
  _query: string,
  _options?: { syntax?: QuerySyntax; length?: number },
): Snippet {
  throw new Error('not built yet');
}

export interface SemanticIndexOptions {
  /** Where vectors are kept by the hash of their text; made when missing. */
  cacheDirectory: string;
  log?: (message: string) => void;
}

export function createSemanticIndex(_options: SemanticIndexOptions): SemanticIndex {
  throw new Error('not built yet');
}

export interface EmbedderContext {
  /** Where the local model is kept, the same for all workspaces and processes. */
  modelsDirectory: string;
  log?: (message: string) => void;
}

/** Undefined for `none`. Throws `invalid_argument`, and `embedding_failed` when the local model is not installed. */
export function createEmbedder(_options: EmbeddingOptions, _context: EmbedderContext): Embedder | undefined {
  return undefined;
}

/** What is downloaded for the local model, for a person to agree to. */
export interface LocalModel {
  name: string;
  /** All files together. */
  bytes: number;
  sources: readonly string[];
}

export function localModel(): LocalModel {
  throw new Error('not built yet');
}

export function isLocalModelInstalled(_modelsDirectory: string): boolean {
  return false;
}

/** Downloads, checks and puts in place. Throws `embedding_failed`; leaves nothing half done. */
export async function installLocalModel(
  _modelsDirectory: string,
  _options?: { onProgress?: (done: number, total: number) => void; signal?: AbortSignal },
): Promise<void> {
  throw new Error('not built yet');
}

/** Reciprocal rank fusion of what words and what meaning found, with scores from 0 to 1. Deterministic. */
export function fuse(
  _words: readonly { uri: string; score: number }[],
  _meaning: readonly { uri: string; similarity: number }[],
): { uri: string; score: number }[] {
  throw new Error('not built yet');
}
