import * as vscode from 'vscode';
import { foldersOnDisk } from '../folders-on-disk';

/** The folder that agents are set up in; several: the person chooses. Undefined, after saying so, where there is none. */
export async function agentFolder(title: string): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = foldersOnDisk();
  if (folders.length > 1) {
    const items = folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder }));
    const placeHolder = vscode.l10n.t('Which folder do the agents work in?');
    return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.folder;
  }
  if (folders.length === 0) {
    const open = vscode.l10n.t('Open Folder');
    const choice = await vscode.window.showInformationMessage(
      vscode.l10n.t('Agents are set up for a folder on this machine, and none is open.'),
      open,
    );
    if (choice === open) await vscode.commands.executeCommand('workbench.action.files.openFolder');
  }
  return folders[0];
}
