import * as vscode from 'vscode';

/** This window's folders that programs on this machine can work in, too: those of the file system. */
export function foldersOnDisk(): vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}
