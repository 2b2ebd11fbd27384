export { keyOf } from './dismissals';
export { FileWarnings } from './file-warnings';
export { pathInFolder } from './files';
export type { WarningTarget } from './warning-actions';
