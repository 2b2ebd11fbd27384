import * as vscode from 'vscode';

const SCHEME = 'kaizen-note';
/** Older ones go: a tab that shows one keeps it, but does not get it back after the window was closed. */
const KEPT = 100;

/**
 * Texts that are no files, as read-only documents: what the registry has, what a note said before, what a migration would
 * do. They are kept as long as the window lives.
 */
export class TextDocuments implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registration: vscode.Disposable;
  private count = 0;

  constructor() {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) =>
        this.texts.get(uri.toString()) ?? vscode.l10n.t('This text was not kept. Ask for it again.'),
    });
  }

  /** @param name what the tab is called; may hold `/`, and ends as files of its kind do */
  add(name: string, text: string): vscode.Uri {
    this.count += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: String(this.count) });
    this.texts.set(uri.toString(), text);
    const [oldest] = this.texts.keys();
    if (this.texts.size > KEPT && oldest !== undefined) this.texts.delete(oldest);
    return uri;
  }

  dispose(): void {
    this.registration.dispose();
  }
}
