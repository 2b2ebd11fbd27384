export { FileWarnings } from './file-warnings';
