export { ANALYSIS, isStopWord, namesIn, wordsOf } from './analysis';
export {
  createEmbedder,
  installLocalModel,
  isLocalModelInstalled,
  isLocalModelSound,
  localModel,
} from './embeddings';
export { fuse } from './hybrid';
export {
  byWordsOnly,
  type HybridAnswer,
  type HybridHit,
  HybridSearch,
  type HybridSearchOptions,
} from './hybrid-search';
export * from './model';
export { embeddedText, Passages } from './passages';
export { SegmentCache } from './segment-cache';
export { type SnippetOptions, snippetOf } from './snippet';
export { type Background, backgroundOf, standingOut } from './vectors/background';
export { QueryVectors } from './vectors/query-vectors';
export { createSemanticIndex, type SemanticIndexOptions } from './vectors/semantic-index';

import type { SearchIndex, WholeCollection } from './model';
import { MemorySearchIndex } from './search-index';

/** An empty index with the product's analysis and ranking; of a part of a greater whole, where that is told. */
export function createSearchIndex(whole?: WholeCollection): SearchIndex {
  return new MemorySearchIndex({ whole });
}
