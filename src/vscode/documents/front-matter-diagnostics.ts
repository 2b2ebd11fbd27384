import * as vscode from 'vscode';
import { faultMessage } from './fault-messages';
import { entryOf, revisionOf } from './uris';

/** How long the person has to pause in typing. */
const PAUSE_MS = 250;

/** Shows in open entries, as one types, what of the front matter could not be saved. */
export class FrontMatterDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kaizen-front-matter');
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly disposables: vscode.Disposable[];

  constructor() {
    this.disposables = [
      this.collection,
      vscode.workspace.onDidOpenTextDocument((document) => this.plan(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.plan(document, PAUSE_MS)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
    ];
    for (const document of vscode.workspace.textDocuments) this.plan(document, 0);
  }

  dispose(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private plan(document: vscode.TextDocument, milliseconds: number): void {
    if (!entryOf(document.uri) || revisionOf(document.uri) !== undefined) return;
    const id = document.uri.toString();
    clearTimeout(this.waiting.get(id));
    const look = async () => {
      this.waiting.delete(id);
      await this.look(document);
    };
    this.waiting.set(
      id,
      setTimeout(() => void look(), milliseconds),
    );
  }

  private forget(uri: vscode.Uri): void {
    clearTimeout(this.waiting.get(uri.toString()));
    this.waiting.delete(uri.toString());
    this.collection.delete(uri);
  }

  private async look(document: vscode.TextDocument): Promise<void> {
    // Most entries need no YAML to be loaded.
    if (!document.lineAt(0).text.startsWith('---')) {
      this.collection.delete(document.uri);
      return;
    }
    const { parseEntryText } = await import('../../frontmatter');
    if (document.isClosed) return;
    const diagnostics = parseEntryText(document.getText()).faults.map((fault) => {
      const { start, end } = fault.range;
      const place = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const diagnostic = new vscode.Diagnostic(place, faultMessage(fault), vscode.DiagnosticSeverity.Error);
      diagnostic.source = 'Kaizen';
      return diagnostic;
    });
    this.collection.set(document.uri, diagnostics);
  }
}
