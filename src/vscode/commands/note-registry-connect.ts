import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import type { RegistryOptions, RegistryStatus } from '../../notes';
import { withoutIcons, withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { askForDatabase, connectTo, disconnectFrom } from './database-connect';
import { withProgress } from './long-work';

/**
 * Asks for the registry's address, tries it, and keeps it in secret storage once it works. What is new there is created,
 * and a certificate is passed over, only when the person says so.
 */
export async function connectRegistry(context: CommandContext): Promise<void> {
  context.knowledge.change();
  const { registry } = context.knowledge;
  const before = await registry.options();
  const tried = await askForDatabase(vscode.l10n.t('Connect to Registry'), before);
  if (!tried) return;
  const { notes } = await context.notes.start();
  let worked: TriedRegistry | undefined;
  let isKept = false;
  try {
    worked = await tryOut(context, tried);
    if (worked) await registry.choose(worked.options);
    isKept = worked !== undefined;
  } finally {
    // What was tried and not kept is not used any further.
    if (!isKept) notes.useRegistry(before);
  }
  if (!worked) return;
  const connected = vscode.l10n.t('Connected to {0}.', statusInWords(worked.status));
  void vscode.window.showInformationMessage(withoutLinks(connected));
}

export function disconnectRegistry(context: CommandContext): Promise<void> {
  return disconnectFrom(context, context.knowledge.registry, {
    none: vscode.l10n.t('No registry is connected.'),
    inEnvironment: vscode.l10n.t('The address of the registry comes from KAIZEN_REGISTRY_URL in the environment.'),
    done: (server) => vscode.l10n.t('Disconnected from {0}. Notes in your spaces stay.', server),
  });
}

/** What the registry is and holds, in a few words. */
export async function showRegistryStatus(context: CommandContext): Promise<void> {
  const { notes } = await context.notes.start();
  const status = await withProgress(vscode.l10n.t('Asking the registry'), async ({ signal }) =>
    (await notes.registry()).status(signal),
  );
  void vscode.window.showInformationMessage(withoutLinks(vscode.l10n.t('Registry: {0}.', statusInWords(status))));
}

interface TriedRegistry {
  options: RegistryOptions;
  status: RegistryStatus;
}

/** Gives what worked; undefined when the person would rather not. */
function tryOut(context: CommandContext, options: RegistryOptions): Promise<TriedRegistry | undefined> {
  const danger = vscode.l10n.t(
    'Without checking it, somebody else could answer in its place, and read the password and all notes. Do that only in a network that you trust.',
  );
  return connectTo(options, danger, (address) => tryAddress(context, address));
}

async function tryAddress(context: CommandContext, options: RegistryOptions): Promise<TriedRegistry | undefined> {
  const { notes } = await context.notes.start();
  notes.useRegistry(options);
  const status = await withProgress(vscode.l10n.t('Connecting to the registry'), async ({ signal }) =>
    (await notes.registry()).status(signal),
  );
  if (status.state === 'newer') {
    throw new KaizenError(
      'registry_newer',
      vscode.l10n.t('The registry was set up by a newer Kaizen.'),
      vscode.l10n.t('Update the extension.'),
    );
  }
  if (status.state === 'ready') return { options, status };
  if (!(await agreesToInit(status))) return undefined;
  return withProgress(vscode.l10n.t('Setting the registry up'), async ({ signal }) => {
    const registry = await notes.registry();
    await registry.init(signal);
    return { options, status: await registry.status(signal) };
  });
}

async function agreesToInit({ server, state }: RegistryStatus): Promise<boolean> {
  const isNew = state === 'missing';
  const agree = isNew ? vscode.l10n.t('Set Up') : vscode.l10n.t('Update');
  const question = isNew
    ? vscode.l10n.t('Set up a registry in {0}?', server)
    : vscode.l10n.t('Update the registry in {0}?', server);
  const detail = isNew
    ? vscode.l10n.t(
        'Tables for notes, their versions, relationships and collections are created. Nothing else is touched.',
      )
    : vscode.l10n.t('Its tables are brought forward. Whoever uses an older Kaizen cannot use it any more then.');
  return (await vscode.window.showInformationMessage(question, { modal: true, detail }, agree)) === agree;
}

function statusInWords({ server, postgres, entries, tls, canPublish }: RegistryStatus): string {
  const facts = [
    server,
    `PostgreSQL ${postgres}`,
    entries === 1 ? vscode.l10n.t('1 note') : vscode.l10n.t('{0} notes', entries.toLocaleString(vscode.env.language)),
    tlsInWords(tls),
    canPublish ? vscode.l10n.t('you may publish') : vscode.l10n.t('read only'),
  ];
  return withoutIcons(facts.filter(Boolean).join(', '));
}

function tlsInWords(tls: RegistryStatus['tls']): string {
  switch (tls) {
    case 'verified':
      return vscode.l10n.t('TLS verified');
    case 'unverified':
      return vscode.l10n.t('TLS, certificate not checked');
    case 'none':
      return vscode.l10n.t('without TLS');
  }
}
