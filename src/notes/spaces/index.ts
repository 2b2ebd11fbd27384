export type { LinkingFile, SpaceFiles } from './access';
export { Spaces, type SpacesOptions } from './spaces';
