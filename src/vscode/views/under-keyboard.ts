import * as vscode from 'vscode';

/** The editor tells at once what is selected; this is for when it has nothing to tell. */
const SELECTION_MS = 500;

/**
 * What a key acts on: the line in focus, or all that is selected where that line is among it. The editor tells what is
 * selected and not which line the arrow keys went to, so that line is selected, or not, for a moment: it is the one
 * that came or went.
 */
export async function underKeyboard<T>(view: vscode.TreeView<T>): Promise<readonly T[]> {
  const before = view.selection;
  if (!(await toggleFocused(view))) return before;
  const after = view.selection;
  await toggleFocused(view);
  const came = after.find((node) => !before.includes(node));
  return came ? [came] : before;
}

/** Gives whether that changed what is selected: not where no line is in focus. */
async function toggleFocused<T>(view: vscode.TreeView<T>): Promise<boolean> {
  const changed = new Promise<boolean>((resolve) => {
    const end = (isChanged: boolean) => {
      listener.dispose();
      clearTimeout(timer);
      resolve(isChanged);
    };
    const listener = view.onDidChangeSelection(() => end(true));
    const timer = setTimeout(() => end(false), SELECTION_MS);
  });
  await vscode.commands.executeCommand('list.toggleSelection');
  return changed;
}
