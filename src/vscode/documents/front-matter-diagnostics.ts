import * as vscode from 'vscode';
import { OpenDocuments } from '../diagnostics/open-documents';
import { DIAGNOSTIC_SOURCE } from '../diagnostics/settings';
import { faultMessage } from './fault-messages';
import { isWritableEntry } from './uris';

/** Shows in open entries, as one types, what of the front matter could not be saved. */
export function showFrontMatterFaults(): vscode.Disposable {
  return new OpenDocuments(vscode.languages.createDiagnosticCollection('kaizen-front-matter'), {
    isMeant: ({ uri }) => isWritableEntry(uri),
    look: faultsIn,
  });
}

async function faultsIn(document: vscode.TextDocument): Promise<vscode.Diagnostic[]> {
  // Most entries need no YAML to be loaded.
  if (!document.lineAt(0).text.startsWith('---')) return [];
  const text = document.getText();
  const { parseEntryText } = await import('../../frontmatter');
  return parseEntryText(text).faults.map((fault) => {
    const { start, end } = fault.range;
    const place = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const diagnostic = new vscode.Diagnostic(place, faultMessage(fault), vscode.DiagnosticSeverity.Error);
    diagnostic.source = DIAGNOSTIC_SOURCE;
    return diagnostic;
  });
}
