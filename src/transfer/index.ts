/** Export files: the records on their lines or in their Markdown files, reading and writing them. Knows the formats, not the stores. */
export { type FolderWriting, writeFolder } from './markdown-folder';
export type { FileNote, TextFile } from './markdown-format';
export { markdownFiles, ofScopes } from './markdown-write';
export { atLine, parseLines } from './parse';
export type { Defaults } from './read';
export * from './records';
export { serialise, serialiseInTurns } from './serialise';
export { openSource, readSource, type Source, type SourceRecords } from './source';
export { writeWhole } from './write-whole';
