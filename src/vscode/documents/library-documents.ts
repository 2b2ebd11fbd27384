import * as vscode from 'vscode';
import { KNOWLEDGE_SCHEME, LIBRARY_AUTHORITY } from '../../core/knowledge-uri';
import type { LibraryAtWork } from '../library';
import { namesIn } from './uris';

const EXTENSION = '.md';

/** A document of the library as the editor opens it: its address with an ending, so that it is read as Markdown. */
export function libraryDocumentUri(documentId: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: KNOWLEDGE_SCHEME,
    authority: LIBRARY_AUTHORITY,
    path: `/${documentId}${EXTENSION}`,
  });
}

/** The document of the library that a URI names, with its ending or, as agents name it, without. */
export function libraryDocumentOf(uri: vscode.Uri): string | undefined {
  if (uri.scheme !== KNOWLEDGE_SCHEME || uri.authority !== LIBRARY_AUTHORITY) return undefined;
  const [name, ...more] = namesIn(uri.path);
  // Ids hold no dots.
  return name !== undefined && more.length === 0 ? name.replace(/\.md$/, '') : undefined;
}

/** Stored texts of the library, to be read and not changed: `knowledge://library/<document_id>`. */
export class LibraryDocuments implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChange = this.changed.event;
  private readonly listening: vscode.Disposable;

  constructor(private readonly library: LibraryAtWork) {
    this.listening = library.onDidChangeDocuments((ids) => {
      const open = vscode.workspace.textDocuments.filter(({ uri }) => {
        const id = libraryDocumentOf(uri);
        return id !== undefined && (!ids || ids.includes(id));
      });
      // One that is gone is told by reading it, which says so.
      if (open.length > 0) this.changed.fire(open.map(({ uri }) => ({ uri, type: vscode.FileChangeType.Changed })));
    });
  }

  /** Throws `unknown_document`. */
  async read(documentId: string): Promise<{ text: string; at: number }> {
    const part = await this.library.start();
    const [text, { updated_at }] = [await part.text(documentId), await part.source(documentId)];
    return { text, at: Date.parse(updated_at) };
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }
}
