import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { Note, PublishConflict, PublishResult, RegistryEntry } from '../../notes';
import { inWords } from '../in-words';
import { withoutIcons, withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { withProgress } from './long-work';
import { chooseNotes, fileOf, notesReady, requireSavedFiles } from './note-given';
import { entryOf, registryDocument } from './note-registry-pick';
import { isVersion, nextVersions } from './note-versions';

/**
 * Publishes a note: shows what changes for the others beside the registry's latest version, asks for the version, and
 * publishes. What the text is not based on is published over only when the person has seen it and says so.
 */
export async function publishNote(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  context.knowledge.change();
  const parts = await notesReady(context);
  const [note] = await chooseNotes(context, parts, vscode.l10n.t('Publish Note'), first, others);
  if (!note) return;
  requireSavedFiles([await fileOf(parts, note)]);
  const latest = await entryOf(parts, note.zettel_id);
  if (latest) await showDifference(context, parts, note, latest);
  const version = await askVersion(context, note, latest);
  if (version === undefined) return;
  let result = await publish(context, parts, note, version);
  if (result.status === 'conflict') {
    const higher = await settle(context, parts, note, result.conflict, version);
    if (higher === undefined) return;
    result = await publish(context, parts, note, higher, true);
  }
  announce(result);
}

/** The registry's version of the person's choice beside the file. */
export async function compareWithRegistry(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const parts = await notesReady(context);
  const title = vscode.l10n.t('Compare with Registry');
  const [note] = await chooseNotes(context, parts, title, first, others);
  if (!note) return;
  const registry = await parts.notes.registry();
  const versions = await withProgress(vscode.l10n.t('Asking the registry'), ({ signal }) =>
    registry.versions(note.zettel_id, signal),
  );
  if (versions.length === 0) {
    void vscode.window.showInformationMessage(
      withoutLinks(vscode.l10n.t('{0} is not in the registry.', note.zettel_id)),
    );
    return;
  }
  const items = versions.map(({ version, published_by, published_at }) => ({
    label: version,
    description: withoutIcons(vscode.l10n.t('by {0}, {1}', published_by, timeOf(published_at))),
  }));
  const picked = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title });
  const entry = picked && (await entryOf(parts, note.zettel_id, picked.label));
  if (entry) await showDifference(context, parts, note, entry);
}

async function showDifference(
  context: CommandContext,
  parts: KaizenParts,
  note: Note,
  entry: RegistryEntry,
): Promise<void> {
  const title = vscode.l10n.t('{0} (registry {1} ↔ yours)', note.zettel_id, entry.version);
  await vscode.commands.executeCommand(
    'vscode.diff',
    registryDocument(context, entry),
    await fileOf(parts, note),
    title,
    {
      preview: true,
    },
  );
}

async function publish(
  context: CommandContext,
  { notes }: KaizenParts,
  { space, zettel_id }: Note,
  version: string,
  confirmed = false,
): Promise<PublishResult> {
  const change = context.knowledge.change();
  const write = { action: 'publish', location: space, zettel_id, version, confirmed } as const;
  const result = await withProgress(withoutLinks(vscode.l10n.t('Publishing {0}', zettel_id)), ({ signal }) =>
    notes.write(write, { ...change, signal }),
  );
  if (result.action !== 'publish') throw new Error(`Publishing answered ${result.action}.`);
  return result;
}

async function askVersion(
  { knowledge }: CommandContext,
  { zettel_id }: Note,
  latest: RegistryEntry | undefined,
): Promise<string | undefined> {
  const { patch, minor, major } = nextVersions(latest?.version);
  const typed = vscode.l10n.t('Another version…');
  const items: vscode.QuickPickItem[] = latest
    ? [
        { label: patch, description: vscode.l10n.t('a correction'), iconPath: new vscode.ThemeIcon('cloud-upload') },
        { label: minor, description: vscode.l10n.t('something is added') },
        { label: major, description: vscode.l10n.t('what it says has changed') },
      ]
    : [
        {
          label: '1.0.0',
          description: vscode.l10n.t('the first version'),
          iconPath: new vscode.ThemeIcon('cloud-upload'),
        },
      ];
  const picked = await vscode.window.showQuickPick([...items, { label: typed }], {
    title: vscode.l10n.t('Publish {0} to {1}', zettel_id, knowledge.registry.server ?? ''),
    placeHolder: latest
      ? vscode.l10n.t(
          'The registry has {0}, by {1}, {2}',
          latest.version,
          latest.published_by,
          timeOf(latest.published_at),
        )
      : vscode.l10n.t('The registry does not have it yet'),
    // The difference can be read meanwhile.
    ignoreFocusOut: true,
  });
  if (picked?.label !== typed) return picked?.label;
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Publish {0}', zettel_id),
    prompt: vscode.l10n.t('Version: three numbers with dots between them'),
    value: latest ? patch : '1.0.0',
    ignoreFocusOut: true,
    validateInput: (text) => (isVersion(text.trim()) ? undefined : vscode.l10n.t('A version looks like this: 1.2.0')),
  });
}

/** Shows what is there and says why it was refused; gives the version to publish all the same. */
async function settle(
  context: CommandContext,
  parts: KaizenParts,
  note: Note,
  { reason, latest }: PublishConflict,
  wanted: string,
): Promise<string | undefined> {
  const entry = await entryOf(parts, note.zettel_id);
  if (entry) await showDifference(context, parts, note, entry);
  const next = nextVersions(latest.version).patch;
  const higher = reason === 'version_exists' || reason === 'newer_version' ? next : wanted;
  const anyway = vscode.l10n.t('Publish as {0}', higher);
  // Not over the window: the difference is to be seen.
  const choice = await vscode.window.showWarningMessage(
    withoutLinks(
      `${conflictInWords(reason, latest.version, latest.published_by)} ${vscode.l10n.t('Nothing was published.')}`,
    ),
    anyway,
    vscode.l10n.t('Leave It'),
  );
  return choice === anyway ? higher : undefined;
}

function conflictInWords(reason: PublishConflict['reason'], version: string, author: string): string {
  switch (reason) {
    case 'version_exists':
      return vscode.l10n.t(
        'The registry has this version already, with another text; its latest is {0}, by {1}.',
        version,
        author,
      );
    case 'newer_version':
      return vscode.l10n.t('The registry has a newer version already: {0}, by {1}.', version, author);
    case 'changed_since':
      return vscode.l10n.t('{1} has published {0} since, which your text is not based on.', version, author);
    case 'never_seen':
      return vscode.l10n.t(
        'The registry has a note of this id that yours does not come from: {0}, by {1}.',
        version,
        author,
      );
  }
}

function announce(result: PublishResult): void {
  if (result.status === 'conflict') {
    void vscode.window.showWarningMessage(withoutLinks(inWords(result.conflict.message)));
    return;
  }
  const { zettel_id, version, status, message } = result;
  const done =
    status === 'published'
      ? vscode.l10n.t('Published {0} as {1}.', zettel_id, version)
      : vscode.l10n.t('The registry says the same already: {0} {1}.', zettel_id, version);
  // The file could not be told its version.
  if (message) void vscode.window.showWarningMessage(withoutLinks(`${done} ${message}`));
  else void vscode.window.showInformationMessage(withoutLinks(done));
}

function timeOf(iso: string): string {
  return new Date(iso).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}
