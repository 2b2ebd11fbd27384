export { NotesAtWork } from './notes-at-work';
export { NOTE_EDITOR, openNoteFile, showWhereMoved } from './open-note';
export { type RegistryConnection, serverOf } from './registry-connection';
export { folderFaultInWords } from './settings';
export { TextDocuments } from './text-documents';
