import * as vscode from 'vscode';
import { LONGEST_NOTE } from '../../../webview-ui/protocol/limits';
import { noteFormat } from '../../notes';
import type { EditorContext } from './context';
import { NoteForm } from './note-form';

/** Puts the form of a note into a panel. What lies in no space, a collection, and what is too long for it, opens as text. */
export async function fillNote(
  context: EditorContext,
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
): Promise<void> {
  const place = context.notes.placeOf(document.uri);
  const isShort = document.getText().length <= LONGEST_NOTE;
  if (place && isShort && !(await isCollection(document))) {
    new NoteForm(context, document, panel, place);
    return;
  }
  const { viewColumn = vscode.ViewColumn.Active } = panel;
  panel.dispose();
  await context.openAsText(document.uri, { viewColumn });
}

async function isCollection(document: vscode.TextDocument): Promise<boolean> {
  return (await noteFormat()).isCollection(document.getText());
}
