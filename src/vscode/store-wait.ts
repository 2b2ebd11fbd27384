import * as vscode from 'vscode';
import type { DataDirectories } from '../core/locations';
import type { LockWait } from '../store';

/** The lock by which notes are written one after another, beside the workspace's store. */
const NOTES_LOCK = 'notes';

/** Says in the status bar what is waited for and which process has it, until the wait is over. Gives what it says. */
export function showWait(wait: LockWait, directories: DataDirectories): string {
  const title = waitInWords(wait, directories);
  void vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => wait.ended);
  return title;
}

function waitInWords(wait: LockWait, directories: DataDirectories): string {
  const what = storeOf(wait, directories);
  return wait.pid === undefined
    ? vscode.l10n.t('Kaizen is waiting: {0} is held by another process', what)
    : vscode.l10n.t('Kaizen is waiting: {0} is held by process {1}', what, String(wait.pid));
}

function storeOf({ directory, name }: LockWait, { data, shared }: DataDirectories): string {
  if (directory === shared && data !== shared) return vscode.l10n.t('the shared store');
  if (directory !== data) return vscode.l10n.t('the library');
  return name === NOTES_LOCK ? vscode.l10n.t('the store of notes') : vscode.l10n.t("the workspace's store");
}
