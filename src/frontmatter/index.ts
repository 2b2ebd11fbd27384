/** Entries as Markdown documents: reading and writing them. Knows the format, not the stores. */
export { type EntryText, formatEntryText, parseEntryText } from './entry-text';
export { type FaultCode, type FrontMatterFault, lineAt } from './faults';
export { type ForeignHead, type ForeignValue, readForeignHead } from './foreign';
export { readYamlTree, type YamlTree } from './yaml-tree';
