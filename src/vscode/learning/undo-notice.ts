import * as vscode from 'vscode';
import { withoutLinks } from '../messages';
import type { LearningAtWork } from './learning-at-work';

/** Says what was captured or changed, and offers to take it back. Resolves when the notification is gone. */
export async function announceWithUndo(learning: LearningAtWork, message: string, revision: number): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(withoutLinks(message), undo)) !== undo) return;
  const { learning: part } = await learning.start();
  await part.undo(revision, learning.change());
  vscode.window.setStatusBarMessage(vscode.l10n.t('Taken back.'), 4_000);
}
