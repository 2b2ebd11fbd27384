export { pathForSetting } from './base-definitions';
export { BaseDiagnostics } from './base-diagnostics';
export { BasesAtWork } from './bases-at-work';
export { EmbeddingChoice } from './embedding-choice';
export { adviceForFile, type FileAdvice, type FollowedFile } from './file-advice';
export { openNode } from './open-node';
export { faultInWords, settingPlace } from './settings';
