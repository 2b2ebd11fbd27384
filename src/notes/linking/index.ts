export { aboutLeft, untilNothingIsStale } from './following';
export { Linking } from './linking';
export { type MovedLinks, moveLinks } from './moving';
export { Renaming } from './renaming';
