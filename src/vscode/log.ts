import * as vscode from 'vscode';
import { isKaizenError } from '../core/errors';
import { errorInWords } from './in-words';
import { withoutLinks } from './messages';

/** The channel behind *Kaizen: Show Log*. */
export type Log = vscode.LogOutputChannel;

export function createLog(): Log {
  return vscode.window.createOutputChannel('Kaizen', { log: true });
}

const SHOWN_MS = 4_000;

/** Tells the person what happened and what to do next; the details go to the log. */
export async function showError(log: Log, error: unknown): Promise<void> {
  const message = withoutLinks(errorInWords(error));
  // The person did it, and need not be told.
  if (isKaizenError(error) && error.code === 'cancelled') {
    vscode.window.setStatusBarMessage(message, SHOWN_MS);
    return;
  }
  // A refusal says all there is to know; a log would add nothing.
  if (isKaizenError(error) && !error.code.startsWith('store_')) {
    log.warn(message);
    void vscode.window.showWarningMessage(message);
    return;
  }
  log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const choice = await vscode.window.showErrorMessage(message, vscode.l10n.t('Show Log'));
  if (choice) log.show();
}
