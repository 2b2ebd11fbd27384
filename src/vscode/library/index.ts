export { LibraryAtWork } from './library-at-work';
export { configuredWeb, WEB_SETTING } from './settings';
