import * as vscode from 'vscode';
import { KNOWLEDGE_SCHEME } from '../../core/knowledge-uri';
import { entryOf } from '../documents';
import { riskCountDecoration, riskDecoration } from '../risk-signs';
import type { WorkspaceKnowledge } from '../workspace-knowledge';

/** What the editor knows a scope's or a category's line by, to ask for its badge: no document. */
const COUNT_SCHEME = 'kaizen-risks';

/** Has the line with that id show how many risks stand below it; nothing where none does. */
export function riskCountUri(id: string, risks: number | undefined): vscode.Uri | undefined {
  if (!risks) return undefined;
  return vscode.Uri.from({ scheme: COUNT_SCHEME, path: `/${encodeURIComponent(id)}`, query: String(risks) });
}

/**
 * Marks entries that carry risks: in the tree, on tabs and wherever else the editor shows their documents; and counts
 * them on the lines of scopes and categories.
 */
export class EntryDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private readonly registration = vscode.window.registerFileDecorationProvider(this);

  constructor(private readonly knowledge: WorkspaceKnowledge) {}

  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    if (uri.scheme === COUNT_SCHEME) return riskCountDecoration(Number(uri.query));
    if (uri.scheme !== KNOWLEDGE_SCHEME) return undefined;
    const key = entryOf(uri);
    if (!key) return undefined;
    try {
      const { knowledge } = await this.knowledge.parts();
      return riskDecoration(knowledge.entry(key)?.risks ?? []);
    } catch {
      // A document may name what cannot be an entry; what there is to say about that is said where it is opened.
      return undefined;
    }
  }

  /** Has the editor ask anew for what it shows. */
  refresh(): void {
    this.changed.fire(undefined);
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
