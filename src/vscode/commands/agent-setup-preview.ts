import * as vscode from 'vscode';
import type { AgentSurroundings, FileChange } from '../../agents';
import { withoutIcons } from '../messages';
import { shownFile } from './agent-pieces';
import type { CommandContext } from './command';

interface Row {
  name: string;
  before: vscode.Uri | undefined;
  after: vscode.Uri | undefined;
}

/**
 * Shows each file as it is and as it would be, all in one editor, and asks whether to write. The question stays while
 * the person looks at them; each file can be looked at alone.
 */
export async function confirmChanges(
  { texts }: CommandContext,
  title: string,
  changes: readonly FileChange[],
  around: AgentSurroundings,
): Promise<boolean> {
  const rows = changes.map(({ file, before, after }): Row => {
    const name = shownFile(file, around);
    const document = (text: string | undefined) => (text === undefined ? undefined : texts.add(name, text));
    return { name, before: document(before), after: document(after) };
  });
  await compare(title, rows);
  const items = [
    { label: `$(check) ${writeInWords(changes.length)}`, isYes: true },
    { label: `$(close) ${vscode.l10n.t('Write nothing')}`, isYes: false },
    { label: vscode.l10n.t('Files'), kind: vscode.QuickPickItemKind.Separator },
    ...rows.map((row) => ({ label: withoutIcons(row.name), description: rowInWords(row), row })),
  ] as (vscode.QuickPickItem & { isYes?: boolean; row?: Row })[];
  for (;;) {
    const picked = await vscode.window.showQuickPick(items, {
      title,
      placeHolder: vscode.l10n.t('Is it to be written as it is shown?'),
      ignoreFocusOut: true,
    });
    if (!picked?.row) return picked?.isYes === true;
    await compare(picked.row.name, [picked.row]);
  }
}

/** With one side only, the editor for several files shows it as added or deleted. */
async function compare(title: string, rows: readonly Row[]): Promise<void> {
  await vscode.commands.executeCommand(
    'vscode.changes',
    title,
    rows.map(({ before, after }) => [after ?? before, before, after]),
  );
}

function writeInWords(count: number): string {
  return count === 1 ? vscode.l10n.t('Write 1 file') : vscode.l10n.t('Write {0} files', count);
}

function rowInWords({ before, after }: Row): string {
  if (!before) return vscode.l10n.t('new file');
  return after ? vscode.l10n.t('changed') : vscode.l10n.t('deleted');
}
