import * as vscode from 'vscode';
import { KNOWLEDGE_SCHEME } from '../../core/knowledge-uri';
import type { LearningAtWork } from '../learning';
import type { LibraryAtWork } from '../library';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { EntryChanges } from './entry-changes';
import { EntryFileSystem } from './entry-file-system';
import { showFrontMatterFaults } from './front-matter-diagnostics';
import { showInstructions } from './instruction-diagnostics';
import { LearningDocuments } from './learning-documents';
import { LibraryDocuments } from './library-documents';

/** Entries as documents of the editor: opened, edited, saved, renamed and deleted as files are. */
export class EntryDocuments implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(knowledge: WorkspaceKnowledge, library: LibraryAtWork, learning: LearningAtWork) {
    const changes = new EntryChanges(knowledge);
    const documents = new LibraryDocuments(library);
    const records = new LearningDocuments(learning);
    this.disposables = [
      changes,
      documents,
      records,
      vscode.workspace.registerFileSystemProvider(
        KNOWLEDGE_SCHEME,
        new EntryFileSystem(knowledge, changes, documents, records),
        {
          isCaseSensitive: true,
        },
      ),
      showFrontMatterFaults(),
      showInstructions(),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}
