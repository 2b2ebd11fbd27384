/** Entries as Markdown documents: reading and writing them. Knows the format, not the stores. */

export { editHead, type HeadChange } from './edit-head';
export { type EntryText, formatEntryText, parseEntryText } from './entry-text';
export { type FaultCode, type FrontMatterFault, faultSentence, lineAt } from './faults';
export { type ForeignHead, type ForeignPlace, type ForeignValue, readForeignHead } from './foreign';
export { writeFlowList, writeForeignScalar } from './write-foreign';
export { readYamlTree, type YamlTree } from './yaml-tree';
