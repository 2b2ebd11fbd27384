import * as vscode from 'vscode';
import { KNOWLEDGE_SCHEME, LEARNING_AUTHORITY, learningUri } from '../../core/knowledge-uri';
import type { LearningAtWork } from '../learning';
import { withoutFetching } from '../messages';
import { namesIn } from './uris';

const EXTENSION = '.md';

/** A captured record as the editor opens it: its address with an ending, so that it is read as Markdown. */
export function learningDocumentUri(kind: string, id: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: KNOWLEDGE_SCHEME,
    authority: LEARNING_AUTHORITY,
    path: `/${kind}/${id}${EXTENSION}`,
  });
}

/** The address of the record that a document shows, with its ending or, as agents name it, without. */
export function learnedIn(uri: vscode.Uri): string | undefined {
  if (uri.scheme !== KNOWLEDGE_SCHEME || uri.authority !== LEARNING_AUTHORITY) return undefined;
  const [kind, name, ...more] = namesIn(uri.path);
  if (!kind || !name || more.length > 0) return undefined;
  // Ids hold no dots.
  return learningUri(kind, name.replace(/\.md$/, ''));
}

/** Captured records, to be read and not changed: `knowledge://learning/<kind>/<id>`. */
export class LearningDocuments implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChange = this.changed.event;
  private readonly listening: vscode.Disposable;

  constructor(private readonly learning: LearningAtWork) {
    this.listening = learning.onDidChange(() => {
      const open = vscode.workspace.textDocuments.filter(({ uri }) => learnedIn(uri) !== undefined);
      // One that is gone is told by reading it, which says so.
      if (open.length > 0) this.changed.fire(open.map(({ uri }) => ({ uri, type: vscode.FileChangeType.Changed })));
    });
  }

  /** What an agent captured is previewed at a click, and must ask no server for anything. Throws FileNotFound. */
  async read(address: string): Promise<{ text: string; at: number }> {
    const { learning } = await this.learning.start();
    const [found, text] = [learning.find(address), learning.markdown(address)];
    if (!found || text === undefined) throw vscode.FileSystemError.FileNotFound(address);
    const [revision] = learning.revisions({ kind: found.kind, id: found.id, limit: 1 });
    return { text: withoutFetching(text), at: Date.parse(revision?.at ?? '') || 0 };
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }
}
