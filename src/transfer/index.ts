/** Export files: the records on their lines or in their Markdown files, reading and writing them. Knows the formats, not the stores. */
export { AGENTS_FILE_BYTES, type AgentsFile, type AgentsFileOptions, agentsFile } from './agents-file';
export type { Holding, HoldingEntry } from './holding';
export { type FolderWriting, writeFolder } from './markdown-folder';
export type { FileNote, TextFile } from './markdown-format';
export { markdownFiles, ofScopes } from './markdown-write';
export { atLine, parseLines } from './parse';
export type { Defaults } from './read';
export * from './records';
export { ENGLISH_REPORT, htmlReport, type ReportOptions, type ReportWords } from './report';
export { serialise, serialiseInTurns } from './serialise';
export {
  openSource,
  readSource,
  type Source,
  type SourceRecords,
  sourceOfText,
} from './source';
export { storedAnyway } from './stored-anyway';
export { writeWhole } from './write-whole';
