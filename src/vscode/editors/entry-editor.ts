import * as vscode from 'vscode';
import { entryOf, revisionOf } from '../documents';
import type { EditorContext } from './context';
import { EntryForm } from './entry-form';

/** Puts the form of an entry into a panel. What is not an entry as it is now, such as a past revision, opens as text. */
export async function fillEntry(
  context: EditorContext,
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
): Promise<void> {
  const key = entryOf(document.uri);
  if (key && revisionOf(document.uri) === undefined) {
    new EntryForm(context, document, key, panel);
    return;
  }
  const { viewColumn = vscode.ViewColumn.Active } = panel;
  panel.dispose();
  await context.openAsText(document.uri, { viewColumn });
}
