import * as vscode from 'vscode';
import { withoutLinks } from '../messages';

export const EXPORT_FORMATS = ['lines', 'markdown', 'agents', 'report'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Says what was exported, and opens or shows it. */
export async function announceExport(
  summary: string,
  uri: vscode.Uri,
  format: Exclude<ExportFormat, 'agents'>,
): Promise<void> {
  // A browser has no file manager to show, and opens no file of the machine that Kaizen runs on.
  const isAtMachine = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  const inBrowser = format === 'report' && isAtMachine;
  // What a browser is for, the editor shows as text.
  const open = format === 'report' && !isAtMachine ? vscode.l10n.t('Open as Text') : vscode.l10n.t('Open');
  const reveal = vscode.l10n.t('Reveal');
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const actions = [...(format === 'markdown' ? [] : [open]), ...(isAtMachine || isInWorkspace ? [reveal] : [])];
  const chosen = await vscode.window.showInformationMessage(withoutLinks(summary), ...actions);
  if (chosen === open && inBrowser) await vscode.env.openExternal(uri);
  else if (chosen === open) await vscode.commands.executeCommand('vscode.open', uri);
  if (chosen === reveal) {
    await vscode.commands.executeCommand(isAtMachine ? 'revealFileInOS' : 'revealInExplorer', uri);
  }
}
