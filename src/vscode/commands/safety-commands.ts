import * as vscode from 'vscode';
import { described } from '../../safety';
import { inWords } from '../in-words';
import type { CommandContext, CommandHandlers } from './command';

export function safetyCommands(context: CommandContext): CommandHandlers {
  return { 'kaizen.findSecrets': () => findStoredSecrets(context) };
}

/** Lists the places, and never what stands there. */
async function findStoredSecrets({ knowledge }: CommandContext): Promise<void> {
  const found = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Looking for secrets…'), cancellable: true },
    async (_progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      const kaizen = await knowledge.hall();
      return kaizen.findSecrets(controller.signal).catch((error) => {
        if (controller.signal.aborted) return undefined;
        throw error;
      });
    },
  );
  if (found === undefined) return;
  if (found.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing that is stored looks as if it held a secret.'));
    return;
  }
  const lines = found.map(({ where, places }) => `${inWords(where)}: ${inWords(described(places))}`);
  const head = vscode.l10n.t('What looks like a secret, by its place. Take it out, and consider it known to others.');
  const document = await vscode.workspace.openTextDocument({ content: `${head}\n\n${lines.join('\n')}\n` });
  await vscode.window.showTextDocument(document);
}
