import * as vscode from 'vscode';
import type { AgentSurroundings, FileChange } from '../../agents';
import { withoutIcons } from '../messages';
import { shownFile } from './agent-pieces';
import { ChangesShown, type ShownChange } from './changes-shown';
import type { CommandContext } from './command';

interface Row extends ShownChange {
  /** What a person should know before agreeing; often empty. */
  notes: string;
}

/**
 * Shows each file as it is and as it would be, all in one editor, and asks whether to write. The question stays while
 * the person looks at them; each file can be looked at alone. What was shown goes with the answer, and a no is confirmed.
 */
export async function confirmChanges(
  { texts }: CommandContext,
  title: string,
  changes: readonly FileChange[],
  around: AgentSurroundings,
  notesOf: (change: FileChange) => string = () => '',
): Promise<boolean> {
  const rows = changes.map((change): Row => {
    const name = shownFile(change.file, around);
    const document = (text: string | undefined) => (text === undefined ? undefined : texts.add(name, text));
    return { name, before: document(change.before), after: document(change.after), notes: notesOf(change) };
  });
  const shown = new ChangesShown();
  await shown.show(title, rows);
  const isAgreed = await ask(title, rows, shown);
  await shown.close();
  if (!isAgreed) void vscode.window.showInformationMessage(vscode.l10n.t('Nothing was written.'));
  return isAgreed;
}

async function ask(title: string, rows: readonly Row[], shown: ChangesShown): Promise<boolean> {
  // The question lies over the beginning of what it is about: one file that is shown already takes no line of it.
  const listed = rows.length > 1 ? rows : rows.filter(({ notes }) => notes !== '');
  const items = [
    { label: `$(check) ${writeInWords(rows.length)}`, isYes: true },
    { label: `$(close) ${vscode.l10n.t('Write nothing')}`, isYes: false },
    ...(listed.length > 0 ? [{ label: vscode.l10n.t('Files'), kind: vscode.QuickPickItemKind.Separator }] : []),
    ...listed.map((row) => ({
      label: withoutIcons(row.name),
      description: rowInWords(row),
      ...(row.notes === '' ? {} : { detail: row.notes }),
      row,
    })),
  ] as (vscode.QuickPickItem & { isYes?: boolean; row?: Row })[];
  for (;;) {
    const picked = await vscode.window.showQuickPick(items, {
      title,
      placeHolder: vscode.l10n.t('Is it to be written as it is shown?'),
      ignoreFocusOut: true,
    });
    if (!picked?.row) return picked?.isYes === true;
    await shown.show(picked.row.name, [picked.row]);
  }
}

function writeInWords(count: number): string {
  return count === 1 ? vscode.l10n.t('Write 1 file') : vscode.l10n.t('Write {0} files', count);
}

function rowInWords({ before, after }: Row): string {
  if (!before) return vscode.l10n.t('new file');
  return after ? vscode.l10n.t('changed') : vscode.l10n.t('deleted');
}
