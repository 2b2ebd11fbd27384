/** Folders of files: looked through, followed, confined, read and written with care. Knows no format. */
export { FolderCache, tidyCaches } from './cache';
export { inParallel } from './concurrency';
export { checkRelativePath, isInside, resolveInside } from './confinement';
export { type FolderState, FollowedFolder, type OtherFiles } from './followed-folder';
export { indexFiles } from './indexing';
export type { FileKeeper, FileReader, KnownFile } from './keeper';
export { FOLDER_LIMITS, type FolderLimits } from './limits';
export { compilePatterns, type Patterns } from './patterns';
export { type ReadFile, readBytes, readInside } from './reading';
export { scan } from './scan';
export { unlessAborted, untilSettled } from './waiting';
export {
  createFile,
  isBeside,
  makeRoot,
  moveFile,
  OWN_FILE,
  OWN_FOLDER,
  removeFile,
  removeLeftover,
  replaceFile,
  UnsyncedFolders,
} from './writing';
