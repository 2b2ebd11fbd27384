export type { LinkingFile, SpaceFiles } from './access';
export { Spaces } from './spaces';
