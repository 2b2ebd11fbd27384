export { Linking } from './linking';
export { Renaming } from './renaming';
