export { pathForSetting } from './base-definitions';
export { BaseDiagnostics } from './base-diagnostics';
export { BasesAtWork } from './bases-at-work';
export { EmbeddingChoice } from './embedding-choice';
export { adviceForFile, type FileAdvice, type FollowedFile } from './file-advice';
export { openNode } from './open-node';
export { Rescans } from './rescans';
export {
  type BaseSetting,
  levelForNew,
  namesOn,
  type SettingChange,
  type SettingLevel,
  setBase,
} from './setting-changes';
export { faultInWords, settingPlace } from './settings';
