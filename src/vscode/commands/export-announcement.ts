import * as vscode from 'vscode';
import { withoutLinks } from '../messages';

export const EXPORT_FORMATS = ['lines', 'markdown', 'agents', 'report'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Says what was exported, and opens or shows it. */
export async function announceExport(summary: string, uri: vscode.Uri, format: ExportFormat): Promise<void> {
  const [open, reveal] = [vscode.l10n.t('Open'), vscode.l10n.t('Reveal')];
  // A browser has no file manager to show.
  const canReveal = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const actions = [...(format === 'markdown' ? [] : [open]), ...(canReveal || isInWorkspace ? [reveal] : [])];
  const chosen = await vscode.window.showInformationMessage(withoutLinks(summary), ...actions);
  // What a browser is for, the editor would show as text.
  if (chosen === open && format === 'report') await vscode.env.openExternal(uri);
  else if (chosen === open) await vscode.commands.executeCommand('vscode.open', uri);
  if (chosen === reveal) {
    await vscode.commands.executeCommand(canReveal ? 'revealFileInOS' : 'revealInExplorer', uri);
  }
}
