import * as vscode from 'vscode';
import { isKaizenError, type KaizenError } from '../core/errors';
import { errorInWords, inWords } from './in-words';
import { withoutLinks } from './messages';

/** The channel behind *Kaizen: Show Log*. */
export type Log = vscode.LogOutputChannel;

export function createLog(): Log {
  return vscode.window.createOutputChannel('Kaizen', { log: true });
}

const SHOWN_MS = 4_000;

/**
 * Tells the person what happened and what to do next; the details go to the log.
 * @param asked what the person asked for, where that is known: in Restricted Mode a refusal names it
 */
export async function showError(log: Log, error: unknown, asked?: string): Promise<void> {
  const message = withoutLinks(errorInWords(error));
  // The person did it, and need not be told.
  if (isKaizenError(error) && error.code === 'cancelled') {
    vscode.window.setStatusBarMessage(message, SHOWN_MS);
    return;
  }
  if (isKaizenError(error) && error.code === 'read_only' && !vscode.workspace.isTrusted) {
    log.warn(message);
    offerTrust(error, asked).then(undefined, (failed) => log.error(String(failed)));
    return;
  }
  // A refusal says all there is to know; a log would add nothing.
  if (isKaizenError(error) && !error.code.startsWith('store_')) {
    log.warn(message);
    void warn(message, error.code === 'read_only' && !vscode.workspace.isTrusted);
    return;
  }
  log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const choice = await vscode.window.showErrorMessage(message, vscode.l10n.t('Show Log'));
  if (choice) log.show();
}

/** What Restricted Mode keeps from being written can be allowed from where it is refused. */
async function warn(message: string, isRestricted: boolean): Promise<void> {
  const trust = vscode.l10n.t('Manage Trust');
  const choice = await vscode.window.showWarningMessage(message, ...(isRestricted ? [trust] : []));
  if (choice === trust) await vscode.commands.executeCommand('workbench.trust.manage');
}

/** Short enough to be read whole: the button says what the error's hint says. */
async function offerTrust({ said: [said = ''] }: KaizenError, asked: string | undefined): Promise<void> {
  const why = inWords(said);
  const trust = vscode.l10n.t('Manage Trust');
  const message = withoutLinks(asked === undefined ? why : vscode.l10n.t('{0}: {1}', asked, why));
  if ((await vscode.window.showWarningMessage(message, trust)) !== trust) return;
  await vscode.commands.executeCommand('workbench.trust.manage');
}
