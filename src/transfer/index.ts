/** Export files: the records on their lines, reading and writing them. Knows the format, not the stores. */
export { atLine, parseLines } from './parse';
export type { Defaults } from './read';
export * from './records';
export { serialise } from './serialise';
