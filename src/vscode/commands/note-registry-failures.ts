import * as vscode from 'vscode';
import { isKaizenError } from '../../core/errors';
import { errorInWords } from '../in-words';
import { withoutLinks } from '../messages';
import type { CommandContext } from './command';

/**
 * Does something with the registry. What it refuses is told with what can be done about it at once: connect, set it up,
 * look at the log. Undefined then. Everything else is thrown.
 */
export async function withRegistry<T>(context: CommandContext, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isKaizenError(error) || !error.code.startsWith('registry_')) throw error;
    const message = withoutLinks(errorInWords(error));
    context.log.warn(message);
    // Nobody waits for the answer: local work goes on.
    void offer(context, error.code, message);
    return undefined;
  }
}

async function offer({ log }: CommandContext, code: string, message: string): Promise<void> {
  const connect = vscode.l10n.t('Connect…');
  const showLog = vscode.l10n.t('Show Log');
  // Connecting looks at the schema as well, and offers to create it.
  const choices = code === 'registry_not_configured' ? [connect] : [connect, showLog];
  const choice = await vscode.window.showWarningMessage(message, ...choices);
  if (choice === connect) await vscode.commands.executeCommand('kaizen.connectRegistry');
  if (choice === showLog) log.show();
}
