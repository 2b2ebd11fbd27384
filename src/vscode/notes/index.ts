export { NotesAtWork } from './notes-at-work';
export { NOTE_EDITOR, openNoteFile, showWhereMoved } from './open-note';
export type { RegistryConnection } from './registry-connection';
export { folderFaultInWords } from './settings';
export { TextDocuments } from './text-documents';
