export { LibraryAtWork } from './library-at-work';
export { RequestNotice } from './request-notice';
export { configuredWeb, WEB_SETTING } from './settings';
