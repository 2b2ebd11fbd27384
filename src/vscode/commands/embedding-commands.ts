import * as vscode from 'vscode';
import type { EmbeddingState } from '../../search';
import { inWords } from '../in-words';
import { withoutLinks } from '../messages';
import type { CommandContext, CommandHandlers } from './command';
import { setUpEmbeddings } from './embedding-set-up';

export function embeddingCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.setUpEmbeddings': () => setUpEmbeddings(context),
    'kaizen.forgetEmbeddingKey': () => forgetEmbeddingKey(context),
    'kaizen.showEmbeddingState': () => showEmbeddingState(context),
  };
}

async function forgetEmbeddingKey({ knowledge: { embeddings } }: CommandContext): Promise<void> {
  const servers = await embeddings.forgetKeys();
  const message =
    servers.length === 0
      ? vscode.l10n.t('No key is kept for an endpoint.')
      : vscode.l10n.t('Forgotten: the key for {0}.', servers.join(', '));
  void vscode.window.showInformationMessage(withoutLinks(message));
}

/** Says in words how search goes, and offers to change it. */
async function showEmbeddingState({ bases }: CommandContext): Promise<void> {
  const { discovery } = await bases.start();
  const setUp = vscode.l10n.t('Set Up Search by Meaning…');
  const message = stateInWords(discovery.state.embeddings);
  if ((await vscode.window.showInformationMessage(withoutLinks(message), setUp)) !== setUp) return;
  await vscode.commands.executeCommand('kaizen.setUpEmbeddings');
}

function stateInWords(state: EmbeddingState): string {
  if (!('done' in state)) {
    return vscode.l10n.t('Search goes by words. Nothing leaves this machine.');
  }
  const { provider, done, total, problem } = state;
  const numbers = [done, total].map((number) => number.toLocaleString(vscode.env.language));
  if (problem !== undefined) {
    return vscode.l10n.t(
      'Search goes by words for now: {0} ({1}; {2} of {3} texts)',
      inWords(problem),
      provider,
      ...numbers,
    );
  }
  return done >= total
    ? vscode.l10n.t('Search goes by words and meaning ({0}; {1} texts).', provider, numbers[1] ?? '')
    : vscode.l10n.t(
        'Search goes by words; by meaning as well for {1} of {2} texts so far ({0}).',
        provider,
        ...numbers,
      );
}
