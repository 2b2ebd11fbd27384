export { BaseDiagnostics } from './base-diagnostics';
export { BasesAtWork } from './bases-at-work';
export { EmbeddingChoice } from './embeddings';
export { adviceForFile, type FileAdvice, type FollowedFile } from './file-advice';
export { openNode } from './open-node';
