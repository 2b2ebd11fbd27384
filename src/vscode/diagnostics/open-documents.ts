import * as vscode from 'vscode';

/** How long a person has to pause in typing. */
const PAUSE_MS = 250;

interface Looks {
  /** Whether anything is said of a document, as things are now. */
  isMeant(document: vscode.TextDocument): boolean;
  /** What is said of it; undefined for as before. */
  look(document: vscode.TextDocument): vscode.Diagnostic[] | undefined | Promise<vscode.Diagnostic[] | undefined>;
  /** Told what went wrong in a look. */
  failed?(error: unknown, document: vscode.TextDocument): void;
}

/** What is said in Problems of open documents: at once as they are opened, and again after each pause in typing. */
export class OpenDocuments implements vscode.Disposable {
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly registrations: vscode.Disposable;

  constructor(
    readonly collection: vscode.DiagnosticCollection,
    private readonly looks: Looks,
  ) {
    this.registrations = vscode.Disposable.from(
      collection,
      vscode.workspace.onDidOpenTextDocument((document) => this.plan(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.plan(document, PAUSE_MS)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
    );
    this.planAll();
  }

  /** Looks at all of them anew. */
  planAll(): void {
    for (const document of vscode.workspace.textDocuments) this.plan(document);
  }

  dispose(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.registrations.dispose();
  }

  private plan(document: vscode.TextDocument, milliseconds = 0): void {
    const id = document.uri.toString();
    if (!this.looks.isMeant(document)) {
      // Most documents never were.
      if (this.waiting.has(id) || this.collection.has(document.uri)) this.forget(document.uri);
      return;
    }
    clearTimeout(this.waiting.get(id));
    const look = () => {
      this.waiting.delete(id);
      this.look(document).catch((error) => this.looks.failed?.(error, document));
    };
    this.waiting.set(id, setTimeout(look, milliseconds));
  }

  private async look(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const diagnostics = await this.looks.look(document);
    // Of a text that was changed meanwhile another look is planned.
    if (diagnostics && !document.isClosed && document.version === version) {
      this.collection.set(document.uri, diagnostics);
    }
  }

  private forget(uri: vscode.Uri): void {
    clearTimeout(this.waiting.get(uri.toString()));
    this.waiting.delete(uri.toString());
    this.collection.delete(uri);
  }
}
