import * as vscode from 'vscode';
import { KNOWLEDGE_SCHEME } from '../../core/knowledge-uri';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { EntryChanges } from './entry-changes';
import { EntryFileSystem } from './entry-file-system';
import { FrontMatterDiagnostics } from './front-matter-diagnostics';

/** Entries as documents of the editor: opened, edited, saved, renamed and deleted as files are. */
export class EntryDocuments implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(knowledge: WorkspaceKnowledge) {
    const changes = new EntryChanges(knowledge);
    this.disposables = [
      changes,
      vscode.workspace.registerFileSystemProvider(KNOWLEDGE_SCHEME, new EntryFileSystem(knowledge, changes), {
        isCaseSensitive: true,
      }),
      new FrontMatterDiagnostics(),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}
