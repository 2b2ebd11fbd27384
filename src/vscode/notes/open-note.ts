import * as vscode from 'vscode';

/** The custom editor that shows a note as a form. */
export const NOTE_EDITOR = 'kaizen.noteEditor';

/** Opens a note's file as the settings say, at a line or to the side as text. */
export async function openNoteFile(file: vscode.Uri, options: vscode.TextDocumentShowOptions = {}): Promise<void> {
  const setting = vscode.workspace.getConfiguration('kaizen').get<'form' | 'text'>('entries.openAs');
  const isAtPlace = options.selection !== undefined || options.viewColumn !== undefined;
  if (setting === 'text' || isAtPlace) {
    await vscode.window.showTextDocument(file, { preview: true, ...options });
    return;
  }
  await vscode.commands.executeCommand('vscode.openWith', file, NOTE_EDITOR, { preview: true, ...options });
}

/** Has the tabs of a file show it where it is now; those with unsaved changes are left alone. */
export async function showWhereMoved(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  for (const group of vscode.window.tabGroups.all) {
    for (const tab of group.tabs) {
      const { input, isDirty, isActive, isPreview } = tab;
      const isDocument = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
      if (!isDocument || isDirty || input.uri.toString() !== from.toString()) continue;
      const editor = input instanceof vscode.TabInputCustom ? input.viewType : 'default';
      const options = { viewColumn: group.viewColumn, preserveFocus: true, preview: isPreview, background: !isActive };
      await vscode.window.tabGroups.close(tab, true);
      await vscode.commands.executeCommand('vscode.openWith', to, editor, options);
    }
  }
}
