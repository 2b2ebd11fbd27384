import * as vscode from 'vscode';
import { findInstructions } from '../../safety';
import { DIAGNOSTIC_SOURCE } from '../diagnostics/settings';
import { entryOf, revisionOf } from './uris';

/** How long the person has to pause in typing. */
const PAUSE_MS = 250;
/** UTF-16 code units. No entry can be longer. */
const MAX_LENGTH = 1_000_000;

/** Shows in open entries where their text speaks to agents. Nothing is refused for it: a rule about such text quotes it. */
export class InstructionDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kaizen-instructions');
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
    const look = () => {
      this.waiting.delete(id);
      if (!document.isClosed) this.collection.set(document.uri, diagnosticsOf(document));
    };
    this.waiting.set(id, setTimeout(look, milliseconds));
  }

  private forget(uri: vscode.Uri): void {
    clearTimeout(this.waiting.get(uri.toString()));
    this.waiting.delete(uri.toString());
    this.collection.delete(uri);
  }
}

function diagnosticsOf(document: vscode.TextDocument): vscode.Diagnostic[] {
  const text = document.getText();
  if (text.length > MAX_LENGTH) return [];
  return findInstructions(text).map(({ id, start, end }) => {
    const place = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const message = vscode.l10n.t('This reads as if it tried to instruct agents. Check that it is meant so.');
    const diagnostic = new vscode.Diagnostic(place, message, vscode.DiagnosticSeverity.Information);
    diagnostic.source = DIAGNOSTIC_SOURCE;
    diagnostic.code = id;
    return diagnostic;
  });
}
