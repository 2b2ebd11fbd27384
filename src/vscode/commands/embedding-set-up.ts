import * as vscode from 'vscode';
import type { EmbeddingOptions } from '../../search';
import { withoutIcons, withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { withProgress } from './long-work';

const PROPOSED_URL = 'http://127.0.0.1:11434/v1';
/** What a test of an endpoint sends. */
const TEST_TEXT = 'Kaizen';

interface ProviderItem extends vscode.QuickPickItem {
  provider: EmbeddingOptions['provider'];
}

/**
 * Lets the person choose whether search goes by meaning too, saying what is sent where and what is downloaded. Nothing
 * is sent or downloaded before that is agreed to; the settings are written when it works.
 */
export async function setUpEmbeddings(context: CommandContext): Promise<void> {
  context.knowledge.change();
  const provider = await chooseProvider(context);
  if (provider === 'none') await useWords(context);
  if (provider === 'local') await useLocal(context);
  if (provider === 'endpoint') await useEndpoint(context);
}

async function chooseProvider({ knowledge }: CommandContext): Promise<EmbeddingOptions['provider'] | undefined> {
  const { isLocalModelInstalled, localModel, modelsIn } = await import('../../kaizen');
  const { name, bytes } = localModel();
  const isInstalled = isLocalModelInstalled(modelsIn(knowledge.place.directories.shared));
  const items: ProviderItem[] = [
    {
      provider: 'none',
      label: vscode.l10n.t('Words only'),
      detail: vscode.l10n.t('Nothing is downloaded, and nothing leaves this machine. Good, and fast.'),
      iconPath: new vscode.ThemeIcon('whole-word'),
    },
    {
      provider: 'local',
      label: vscode.l10n.t('A model on this machine'),
      detail: isInstalled
        ? vscode.l10n.t('{0}, which is here already. No text leaves this machine.', name)
        : vscode.l10n.t('{0}: {1} MB are downloaded once. No text leaves this machine.', name, megabytes(bytes)),
      iconPath: new vscode.ThemeIcon('device-desktop'),
    },
    {
      provider: 'endpoint',
      label: vscode.l10n.t('An endpoint of your choice'),
      detail: vscode.l10n.t('OpenAI-compatible. It gets the texts of entries and nodes, and what is looked for.'),
      iconPath: new vscode.ThemeIcon('globe'),
    },
  ];
  const current = knowledge.embeddings.provider;
  const shown = items.map((item) =>
    item.provider === current ? { ...item, description: vscode.l10n.t('current') } : item,
  );
  const picked = await vscode.window.showQuickPick(shown, {
    title: vscode.l10n.t('Set Up Search by Meaning'),
    placeHolder: vscode.l10n.t('Search goes by words always; by meaning as well, if you like'),
  });
  return picked?.provider;
}

async function useWords({ knowledge }: CommandContext): Promise<void> {
  await knowledge.embeddings.choose({ provider: 'none' });
  void vscode.window.showInformationMessage(vscode.l10n.t('Search goes by words. Nothing leaves this machine.'));
}

async function useLocal({ knowledge }: CommandContext): Promise<void> {
  const { installLocalModel, isLocalModelInstalled, localModel, modelsIn } = await import('../../kaizen');
  const directory = modelsIn(knowledge.place.directories.shared);
  if (!isLocalModelInstalled(directory)) {
    const { name, bytes, sources } = localModel();
    const download = vscode.l10n.t('Download');
    const choice = await vscode.window.showInformationMessage(
      vscode.l10n.t('Download {0} ({1} MB)?', name, megabytes(bytes)),
      {
        modal: true,
        detail: vscode.l10n.t('From {0}, once for all workspaces. No text is sent anywhere.', hostsOf(sources)),
      },
      download,
    );
    if (choice !== download) return;
    await withProgress(vscode.l10n.t('Downloading the model'), ({ signal, onProgress }) =>
      installLocalModel(directory, {
        signal,
        onProgress: (done, total) => onProgress(Math.round(done / 1e6), Math.round(total / 1e6)),
      }),
    );
  }
  await knowledge.embeddings.choose({ provider: 'local' });
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Search goes by meaning as well, as soon as all texts are read. Until then it goes by words.'),
  );
}

async function useEndpoint(context: CommandContext): Promise<void> {
  const { embeddings } = context.knowledge;
  const title = vscode.l10n.t('Set Up Search by Meaning');
  const url = await ask({
    title,
    prompt: vscode.l10n.t('Address of the OpenAI-compatible API, up to /v1'),
    value: embeddings.url || PROPOSED_URL,
    validateInput: addressFault,
  });
  if (url === undefined) return;
  const model = await ask({
    title,
    prompt: vscode.l10n.t('Name of the embedding model, as the endpoint knows it'),
    value: embeddings.model,
    placeHolder: 'nomic-embed-text',
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('A name is needed.') : undefined),
  });
  if (model === undefined) return;
  const known = await embeddings.key(url);
  const key = await ask({
    title,
    prompt: known
      ? vscode.l10n.t('Key for {0}; empty keeps the one that is known. It is kept in secret storage.', hostOf(url))
      : vscode.l10n.t('Key for {0}, if it needs one. It is kept in secret storage.', hostOf(url)),
    password: true,
  });
  if (key === undefined || !(await agreesToSend(url))) return;
  const options = { provider: 'endpoint' as const, url, model, key: key || known };
  await withProgress(vscode.l10n.t('Testing the endpoint'), ({ signal }) => test(context, options, signal));
  // The key first: with the address, the search begins to use it.
  if (key) await embeddings.keepKey(url, key);
  await embeddings.choose(options);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Search goes by meaning as well, as soon as all texts are read. Until then it goes by words.'),
  );
}

async function test({ knowledge }: CommandContext, options: EmbeddingOptions, signal: AbortSignal): Promise<void> {
  const { createEmbedder, modelsIn } = await import('../../kaizen');
  const modelsDirectory = modelsIn(knowledge.place.directories.shared);
  const embedder = createEmbedder(options, { modelsDirectory });
  try {
    await embedder?.embed([TEST_TEXT], { use: 'query', signal });
  } finally {
    embedder?.dispose();
  }
}

/** What stays on this machine needs no second question. */
async function agreesToSend(url: string): Promise<boolean> {
  if (isOnThisMachine(new URL(url))) return true;
  const send = vscode.l10n.t('Send Texts');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Send texts to {0}?', hostOf(url)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The texts of all entries and nodes of every workspace that you open, and what you and agents look for, are sent there. Choose "Words only" to end that.',
      ),
    },
    send,
  );
  return choice === send;
}

async function ask(options: vscode.InputBoxOptions): Promise<string | undefined> {
  return (await vscode.window.showInputBox({ ...options, ignoreFocusOut: true }))?.trim();
}

function addressFault(value: string): string | undefined {
  const url = URL.canParse(value.trim()) ? new URL(value.trim()) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOnThisMachine(url));
  return isSafe ? undefined : vscode.l10n.t('An address begins with https:// or, on this machine, http://.');
}

function isOnThisMachine({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function hostOf(url: string): string {
  return withoutLinks(withoutIcons(new URL(url).host));
}

function hostsOf(sources: readonly string[]): string {
  return [...new Set(sources.map((source) => (URL.canParse(source) ? new URL(source).host : source)))].join(', ');
}

function megabytes(bytes: number): string {
  return Math.max(1, Math.round(bytes / 1e6)).toLocaleString(vscode.env.language);
}
