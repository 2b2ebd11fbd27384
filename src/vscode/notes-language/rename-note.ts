import * as vscode from 'vscode';
import type { Note, NotesPart, Space } from '../../notes';
import { saveBefore } from './open-documents';

/**
 * Renames a note, its file, and every link to it, as the command does, which says what became of it and offers to take it
 * back; documents with unsaved changes are saved first, when the person agrees. Throws as `NotesPart.write` does.
 */
export async function renameNote(
  uriOf: (place: { space: Space; file: string }) => vscode.Uri,
  notes: NotesPart,
  { space, zettel_id }: Note,
  newId: string,
): Promise<void> {
  if (newId === zettel_id) return;
  const { files } = await notes.preview({ action: 'rename', location: space, zettel_id, new_zettel_id: newId });
  const question = vscode.l10n.t('Rename "{0}" to "{1}"?', zettel_id, newId);
  if (!(await saveBefore(files.map(uriOf), question, notes))) return;
  await vscode.commands.executeCommand('kaizen.renameNote', { space, zettel_id }, undefined, newId);
}
