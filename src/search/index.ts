export { isStopWord } from './analysis';
export {
  createEmbedder,
  installLocalModel,
  isLocalModelInstalled,
  isLocalModelSound,
  localModel,
} from './embeddings';
export { fuse } from './hybrid';
export * from './model';
export { type SnippetOptions, snippetOf } from './snippet';
export { createSemanticIndex, type SemanticIndexOptions } from './vectors/semantic-index';

import type { SearchIndex } from './model';
import { MemorySearchIndex } from './search-index';

/** An empty index with the product's analysis and ranking. */
export function createSearchIndex(): SearchIndex {
  return new MemorySearchIndex();
}
