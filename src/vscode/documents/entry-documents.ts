import * as vscode from 'vscode';
import { KNOWLEDGE_SCHEME } from '../../core/knowledge-uri';
import type { LibraryAtWork } from '../library';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { EntryChanges } from './entry-changes';
import { EntryFileSystem } from './entry-file-system';
import { FrontMatterDiagnostics } from './front-matter-diagnostics';
import { LibraryDocuments } from './library-documents';

/** Entries as documents of the editor: opened, edited, saved, renamed and deleted as files are. */
export class EntryDocuments implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(knowledge: WorkspaceKnowledge, library: LibraryAtWork) {
    const changes = new EntryChanges(knowledge);
    const documents = new LibraryDocuments(library);
    this.disposables = [
      changes,
      documents,
      vscode.workspace.registerFileSystemProvider(
        KNOWLEDGE_SCHEME,
        new EntryFileSystem(knowledge, changes, documents),
        {
          isCaseSensitive: true,
        },
      ),
      new FrontMatterDiagnostics(),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}
