import * as vscode from 'vscode';
import type { AgentSurroundings, FileChange } from '../../agents';
import { withoutLinks } from '../messages';
import { shownFile } from './agent-pieces';

/**
 * Says which files were written, shows them, and puts them back when the person wants it. Throws what `apply` throws: who
 * changed one of the files since is told so, and keeps what they have.
 */
export async function announceWritten(
  said: string,
  changes: readonly FileChange[],
  around: AgentSurroundings,
  onUndone?: () => Promise<void>,
): Promise<void> {
  const [show, undo] = [vscode.l10n.t('Show Files'), vscode.l10n.t('Undo')];
  const left = changes.filter(({ after }) => after !== undefined);
  const actions = [...(left.length > 0 ? [show] : []), undo];
  const choice = await vscode.window.showInformationMessage(withoutLinks(said), ...actions);
  if (choice === show) {
    for (const { file } of left) {
      await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false, preserveFocus: true });
    }
  }
  if (choice !== undo) return;
  const { apply } = await import('../../agents');
  await apply(
    changes.map((change) => ({ ...change, before: change.after, after: change.before })),
    around,
  );
  await onUndone?.();
  const names = changes.map(({ file }) => shownFile(file, around)).join(', ');
  void vscode.window.showInformationMessage(withoutLinks(vscode.l10n.t('As before: {0}', names)));
}
