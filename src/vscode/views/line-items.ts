import * as vscode from 'vscode';

/** Lines that both trees have. */

/** *Show more*, below what there is more of. */
export function moreItem(node: { hidden: number }): vscode.TreeItem {
  const hidden = node.hidden.toLocaleString(vscode.env.language);
  const item = lineOf(vscode.l10n.t('Show more ({0})…', hidden), 'ellipsis');
  item.command = { command: 'kaizen.showMore', title: vscode.l10n.t('Show More'), arguments: [node] };
  return item;
}

/** A line that says something or offers what to do next. */
export function hintItem({
  text,
  icon,
  command,
  contextValue,
}: {
  text: string;
  icon: string;
  command?: vscode.Command;
  contextValue?: string;
}): vscode.TreeItem {
  const item = lineOf(text, icon);
  if (command) item.command = command;
  if (contextValue) item.contextValue = contextValue;
  return item;
}

function lineOf(text: string, icon: string): vscode.TreeItem {
  const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.None);
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}
