import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { Downloaded, Space } from '../../notes';
import { withoutLinks } from '../messages';
import { openNoteFile } from '../notes';
import { locationName } from '../views';
import type { CommandContext } from './command';
import { withProgress } from './long-work';
import { fileOf, hitIn, notesReady, requireSavedFiles, spacesOf } from './note-given';
import { spaceMeaning } from './note-new';
import { entryOf, pickFromRegistry, registryDocument } from './note-registry-pick';
import { announceUndoable, recording } from './note-writes';

/** Lets the person choose a note of the registry, and where it goes to. */
export async function downloadNote(context: CommandContext, given: unknown): Promise<void> {
  context.knowledge.change();
  const parts = await notesReady(context);
  const title = vscode.l10n.t('Download from Registry');
  const id = typeof given === 'string' ? given : hitIn(given)?.zettel_id;
  const chosen = id ?? (await pickFromRegistry(context, parts, { title }))?.zettel_id;
  if (chosen !== undefined) await downloadHit(context, chosen);
}

/**
 * Downloads the latest version of a note into the spaces that the person chooses. A file that says something else stays,
 * unless the person has seen the difference and says so.
 */
export async function downloadHit(context: CommandContext, zettelId: string): Promise<void> {
  const parts = await notesReady(context);
  const destination = await askDestination(spacesOf(context), zettelId);
  if (!destination?.length) return;
  const { result: downloads, revisions } = await recording(context, parts, async () => {
    const first = await download(context, parts, zettelId, destination);
    const replaced = await settle(context, parts, zettelId, first);
    return [...first.filter(({ status }) => status !== 'conflict'), ...replaced];
  });
  const [one] = downloads;
  if (!one) return;
  const note = parts.notes.note(one.location, zettelId);
  if (note) await openNoteFile(await fileOf(parts, note));
  if (revisions.length === 0) {
    void vscode.window.showInformationMessage(withoutLinks(vscode.l10n.t('{0} is the same already.', zettelId)));
    return;
  }
  const where = downloads.map(({ location }) => locationName(location)).join(', ');
  announceUndoable(context, parts, vscode.l10n.t('Downloaded {0} to {1}.', zettelId, where), revisions);
}

async function download(
  context: CommandContext,
  { notes }: KaizenParts,
  zettelId: string,
  destination: readonly Space[],
  overwrite = false,
): Promise<readonly Downloaded[]> {
  const change = context.knowledge.change();
  const result = await withProgress(withoutLinks(vscode.l10n.t('Downloading {0}', zettelId)), ({ signal }) =>
    notes.write({ action: 'download', zettel_id: zettelId, destination, overwrite }, { ...change, signal }),
  );
  return result.action === 'download' ? result.downloads : [];
}

/** Asks about each file that says something else; gives those that were replaced. */
async function settle(
  context: CommandContext,
  parts: KaizenParts,
  zettelId: string,
  downloads: readonly Downloaded[],
): Promise<readonly Downloaded[]> {
  const replaced: Downloaded[] = [];
  for (const { status, location } of downloads) {
    if (status !== 'conflict') continue;
    await compareWithDownload(context, parts, location, zettelId);
    const replace = vscode.l10n.t('Replace');
    const keep = vscode.l10n.t('Keep');
    // Not over the window: the difference is to be seen.
    const choice = await vscode.window.showWarningMessage(
      withoutLinks(
        vscode.l10n.t(
          '{0} has another {1} already. Your file stays unless you replace it.',
          locationName(location),
          zettelId,
        ),
      ),
      replace,
      keep,
    );
    if (choice !== replace) continue;
    const note = parts.notes.note(location, zettelId);
    if (note) requireSavedFiles([await fileOf(parts, note)]);
    replaced.push(...(await download(context, parts, zettelId, [location], true)));
  }
  return replaced;
}

async function compareWithDownload(
  context: CommandContext,
  parts: KaizenParts,
  space: Space,
  zettelId: string,
): Promise<void> {
  const note = parts.notes.note(space, zettelId);
  const entry = await entryOf(parts, zettelId);
  if (!note || !entry) return;
  const title = vscode.l10n.t('{0} (yours ↔ registry {1})', zettelId, entry.version);
  await vscode.commands.executeCommand(
    'vscode.diff',
    await fileOf(parts, note),
    registryDocument(context, entry),
    title,
  );
}

async function askDestination(spaces: readonly Space[], zettelId: string): Promise<readonly Space[] | undefined> {
  if (spaces.length === 1) return spaces;
  const one = spaces.map((space) => ({
    label: locationName(space),
    description: spaceMeaning(space),
    spaces: [space],
  }));
  const items = [...one, { label: vscode.l10n.t('Both'), description: '', spaces: [...spaces] }];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Download {0}', zettelId),
    placeHolder: vscode.l10n.t('Where it goes to'),
  });
  return picked?.spaces;
}
