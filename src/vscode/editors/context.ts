import type * as vscode from 'vscode';
import type { EntryKey } from '../../knowledge';
import type { LearningAtWork } from '../learning';
import type { LibraryAtWork } from '../library';
import type { Log } from '../log';
import type { NotesAtWork } from '../notes';
import type { NoteLanguage } from '../notes-language';
import type { WorkspaceKnowledge } from '../workspace-knowledge';

export const ENTRY_EDITOR = 'kaizen.entry';

/** What can be shown first on the project's page. */
export const PROJECT_PARTS = ['overview', 'inheritance', 'progress'] as const;
export type ProjectPart = (typeof PROJECT_PARTS)[number];

/** What the webviews work with. */
export interface EditorContext {
  readonly knowledge: WorkspaceKnowledge;
  readonly notes: NotesAtWork;
  readonly library: LibraryAtWork;
  readonly learning: LearningAtWork;
  readonly language: NoteLanguage;
  readonly log: Log;
  readonly extensionUri: vscode.Uri;
  /** What is kept for the person, whichever folder is open. */
  readonly memory: vscode.Memento;
  /** As a form or as text, as the person has set it; in `preview` unless told otherwise. */
  openEntry(key: EntryKey, options?: { preview?: boolean }): Promise<void>;
  openAsText(uri: vscode.Uri, options?: vscode.TextDocumentShowOptions): Promise<void>;
}
