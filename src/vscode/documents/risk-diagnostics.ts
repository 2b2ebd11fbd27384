import * as vscode from 'vscode';
import { parseRisks, type RiskLevel } from '../../knowledge';
import { entryOf } from './uris';

const SEVERITY: Record<RiskLevel, vscode.DiagnosticSeverity> = {
  DANGER: vscode.DiagnosticSeverity.Error,
  WARNING: vscode.DiagnosticSeverity.Warning,
  'LAST TIME': vscode.DiagnosticSeverity.Information,
};

/** Shows the risk indicators of every open entry in the text and in the Problems panel. */
export class RiskDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kaizen');
  private readonly disposables: vscode.Disposable[];

  constructor() {
    this.disposables = [
      this.collection,
      vscode.workspace.onDidOpenTextDocument((document) => this.look(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.look(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.collection.delete(document.uri)),
    ];
    for (const document of vscode.workspace.textDocuments) this.look(document);
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private look(document: vscode.TextDocument): void {
    if (!entryOf(document.uri)) return;
    const risks = parseRisks(document.getText());
    this.collection.set(
      document.uri,
      risks.map(({ level, text, range }) => {
        const place = new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
        const diagnostic = new vscode.Diagnostic(place, `${level}: ${text}`, SEVERITY[level]);
        diagnostic.source = 'Kaizen';
        return diagnostic;
      }),
    );
  }
}
