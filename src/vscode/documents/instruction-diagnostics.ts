import * as vscode from 'vscode';
import { findInstructions } from '../../safety';
import { OpenDocuments } from '../diagnostics/open-documents';
import { DIAGNOSTIC_SOURCE } from '../diagnostics/settings';
import { isWritableEntry } from './uris';

/** Shows in open entries where their text speaks to agents. Nothing is refused for it: a rule about such text quotes it. */
export function showInstructions(): vscode.Disposable {
  return new OpenDocuments(vscode.languages.createDiagnosticCollection('kaizen-instructions'), {
    isMeant: ({ uri }) => isWritableEntry(uri),
    look: instructionsIn,
  });
}

async function instructionsIn(document: vscode.TextDocument): Promise<vscode.Diagnostic[]> {
  const text = document.getText();
  return (await findInstructions(text)).map(({ id, start, end }) => {
    const place = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const message = vscode.l10n.t('This reads as if it tried to instruct agents. Check that it is meant so.');
    const diagnostic = new vscode.Diagnostic(place, message, vscode.DiagnosticSeverity.Information);
    diagnostic.source = DIAGNOSTIC_SOURCE;
    diagnostic.code = id;
    return diagnostic;
  });
}
