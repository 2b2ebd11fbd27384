import * as vscode from 'vscode';
import { describeError, isKaizenError } from '../core/errors';

/** The channel behind *Kaizen: Show Log*. */
export type Log = vscode.LogOutputChannel;

export function createLog(): Log {
  return vscode.window.createOutputChannel('Kaizen', { log: true });
}

/** Tells the person what happened and what to do next; the details go to the log. */
export async function showError(log: Log, error: unknown): Promise<void> {
  // A refusal says all there is to know; a log would add nothing.
  if (isKaizenError(error) && !error.code.startsWith('store_')) {
    log.warn(describeError(error));
    void vscode.window.showWarningMessage(describeError(error));
    return;
  }
  log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const choice = await vscode.window.showErrorMessage(describeError(error), 'Show Log');
  if (choice) log.show();
}
