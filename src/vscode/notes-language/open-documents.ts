import * as vscode from 'vscode';
import type { NotesPart } from '../../notes';

/** The open documents of files, by their paths. */
export function documentsOf(uris: readonly vscode.Uri[]): vscode.TextDocument[] {
  const wanted = new Set(uris.map((uri) => uri.toString()));
  return vscode.workspace.textDocuments.filter(({ uri }) => wanted.has(uri.toString()));
}

/** How long the editor may need to take in what was written beside it, on a busy machine, in milliseconds. */
export const TAKING_IN_MS = 5_000;

/**
 * Whether the document says `text`, which its file says. The editor takes in a moment later what was written beside it: waited
 * for where nothing was typed that this would lose.
 * @param until a time as `Date.now()` says it
 */
export async function isTakenIn(
  document: vscode.TextDocument,
  text: (document: string) => string,
  until: number,
): Promise<boolean> {
  const says = () => document.getText() === text(document.getText());
  if (says() || document.isDirty) return says();
  await new Promise<void>((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      changes.dispose();
      resolve();
    };
    const timer = setTimeout(stop, Math.max(0, until - Date.now()));
    const changes = vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
      if (changed === document && (says() || document.isDirty)) stop();
    });
  });
  return says();
}

/**
 * Sees to it that the files are what the person sees: asks to save what is not. False when the person does not want to, or
 * when it could not be saved.
 */
export async function saveBefore(
  uris: readonly vscode.Uri[],
  what: string,
  notes: Pick<NotesPart, 'touched' | 'rescan'>,
): Promise<boolean> {
  const unsaved = documentsOf(uris).filter(({ isDirty }) => isDirty);
  if (unsaved.length === 0) return true;
  const save = vscode.l10n.t('Save and Go On');
  const choice = await vscode.window.showWarningMessage(
    what,
    {
      modal: true,
      detail:
        unsaved.length === 1
          ? vscode.l10n.t('A note that has to be changed for it has unsaved changes: {0}', nameOf(unsaved[0]!.uri))
          : vscode.l10n.t(
              'Notes that have to be changed for it have unsaved changes: {0}',
              unsaved.map(({ uri }) => nameOf(uri)).join(', '),
            ),
    },
    save,
  );
  if (choice !== save) return false;
  for (const document of unsaved) {
    if (!(await document.save())) return false;
    notes.touched(document.uri.fsPath);
  }
  // Links are changed where they stand by now.
  await notes.rescan();
  return true;
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
