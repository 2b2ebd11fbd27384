import * as vscode from 'vscode';
import { NOTE_EDITOR } from '../notes';
import type { CommandContext, CommandHandlers } from './command';
import { chooseNotes, fileOf, notesReady } from './note-given';

/** From the form of a note to its text and back; for what is in front, or for the note of a line in the view. */
export function noteEditorCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.openNoteAsForm': async (first?: unknown, others?: unknown) => {
      const file = await fileOfNote(context, vscode.l10n.t('Open as Form'), first, others);
      if (file) await vscode.commands.executeCommand('vscode.openWith', file, NOTE_EDITOR, { preview: false });
    },
    'kaizen.openNoteAsText': async (first?: unknown, others?: unknown) => {
      const file = await fileOfNote(context, vscode.l10n.t('Open as Text'), first, others);
      if (file) await vscode.window.showTextDocument(file, { preview: false });
    },
  };
}

async function fileOfNote(
  context: CommandContext,
  title: string,
  first: unknown,
  others: unknown,
): Promise<vscode.Uri | undefined> {
  // What is in front need not be indexed to be shown otherwise.
  if (first instanceof vscode.Uri && context.notes.placeOf(first)) return first;
  const { inFront } = context.notes;
  if (first === undefined && inFront) return inFront;
  const parts = await notesReady(context);
  const [note] = await chooseNotes(context, parts, title, first, others);
  return note && fileOf(parts, note);
}
