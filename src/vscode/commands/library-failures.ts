import * as vscode from 'vscode';
import { isKaizenError } from '../../core/errors';
import { errorInWords } from '../in-words';
import { WEB_SETTING } from '../library';
import { withoutLinks } from '../messages';
import type { CommandContext } from './command';

/**
 * Does something with the library. What the web or a database refuses is told with what can be done about it at once.
 * Undefined then. Everything else is thrown.
 */
export async function withLibrary<T>(context: CommandContext, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isKaizenError(error) || !(error.code.startsWith('registry_') || error.code === 'fetch_refused')) throw error;
    const message = withoutLinks(errorInWords(error));
    context.log.warn(message);
    // Nobody waits for the answer.
    void offer(error.code, message);
    return undefined;
  }
}

async function offer(code: string, message: string): Promise<void> {
  const settings = vscode.l10n.t('Open Settings');
  const connect = vscode.l10n.t('Connect…');
  const isWeb = code === 'fetch_refused';
  const choice = await vscode.window.showWarningMessage(message, isWeb ? settings : connect);
  if (choice === settings) await openWebSettings();
  if (choice === connect) await vscode.commands.executeCommand('kaizen.connectLibrary');
}

/** They belong to the machine, so the editor lists them elsewhere where that is a remote one. */
async function openWebSettings(): Promise<void> {
  const command = vscode.env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  await vscode.commands.executeCommand(`workbench.action.${command}`, { query: WEB_SETTING });
}
