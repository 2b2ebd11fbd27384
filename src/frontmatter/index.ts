export { type EntryText, type FrontMatterFault, formatEntryText, parseEntryText } from './entry-text';
