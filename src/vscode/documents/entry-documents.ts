import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import { KNOWLEDGE_SCHEME } from '../../core/knowledge-uri';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { entryOf } from './uris';

/** Shows entries as read-only markdown that follows what is stored. */
export class EntryDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly knowledge: WorkspaceKnowledge) {
    this.disposables = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(KNOWLEDGE_SCHEME, this),
      knowledge.onDidChange(() => {
        for (const document of vscode.workspace.textDocuments) {
          if (entryOf(document.uri)) this.changed.fire(document.uri);
        }
      }),
    ];
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const key = entryOf(uri);
    if (!key) return `There is no entry at ${uri.toString(true)}.\n`;
    try {
      const { knowledge } = await this.knowledge.parts();
      return knowledge.entry(key)?.content ?? `*This entry was deleted.*\n`;
    } catch (error) {
      return `${describeError(error)}\n`;
    }
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}
