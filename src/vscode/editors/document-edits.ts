import * as vscode from 'vscode';
import type { Splice } from '../../../webview-ui/protocol/text-splices';

/** Makes changes as one step of undo. False when the document had changed meanwhile; it is then as it was. */
export async function applyEdits(document: vscode.TextDocument, splices: readonly Splice[]): Promise<boolean> {
  if (splices.length === 0) return true;
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of splices) {
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  }
  return vscode.workspace.applyEdit(edit);
}
