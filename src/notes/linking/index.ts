export { aboutLeft, untilNothingIsStale } from './following';
export { Linking } from './linking';
export { moveLinks } from './moving';
export { Renaming } from './renaming';
