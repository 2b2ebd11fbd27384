import * as vscode from 'vscode';
import type { ImportResult } from '../../transfer';
import { withoutIcons } from '../messages';
import { rulesFound } from '../rules-found';
import type { CommandContext } from './command';
import { importKnowledge } from './import-knowledge';

/**
 * Imports what other tools keep in a folder of this window: in the given one, or where they keep something; asks where
 * that is so in several. Where nothing is found in the usual places, a file or a folder can be chosen.
 */
export async function importFromOtherTools(
  context: CommandContext,
  target: unknown,
  given: unknown,
): Promise<ImportResult | undefined> {
  // In Restricted Mode nothing is written: said before anything is looked for.
  context.knowledge.change();
  if (target instanceof vscode.Uri) return importKnowledge(context, target, given);
  const found = await rulesFound();
  if (found.length === 0) {
    const choose = vscode.l10n.t('Choose…');
    const message = vscode.l10n.t(
      'Other tools keep nothing here in the usual places (AGENTS.md, CLAUDE.md, .cursor/rules, …). Another file or folder can be imported all the same.',
    );
    return (await vscode.window.showInformationMessage(message, choose)) === choose
      ? importKnowledge(context, undefined, given)
      : undefined;
  }
  const [only, ...others] = found;
  const folder = others.length === 0 ? only?.folder.uri : await askFolder(found);
  return folder && importKnowledge(context, folder, given);
}

async function askFolder(found: Awaited<ReturnType<typeof rulesFound>>): Promise<vscode.Uri | undefined> {
  const picked = await vscode.window.showQuickPick(
    found.map(({ folder, names }) => ({
      label: `$(folder) ${withoutIcons(folder.name)}`,
      detail: withoutIcons(names.join(', ')),
      uri: folder.uri,
    })),
    {
      title: vscode.l10n.t('Import What Other Tools Keep'),
      placeHolder: vscode.l10n.t('The folder whose files are to be imported'),
    },
  );
  return picked?.uri;
}
