import * as vscode from 'vscode';
import type { RegistryHit } from '../../notes';
import { withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { downloadHit } from './note-download';
import { withRegistry } from './note-registry-failures';
import { entryOf, pickFromRegistry, registryDocument } from './note-registry-pick';

/** Lets the person search the registry, and opens what is chosen, or downloads it. */
export async function searchRegistry(context: CommandContext, text: unknown): Promise<void> {
  const parts = await context.notes.start();
  const found = await pickFromRegistry(context, parts, {
    title: vscode.l10n.t('Search Registry'),
    value: typeof text === 'string' ? text : undefined,
    actions: [
      {
        icon: 'cloud-download',
        tooltip: vscode.l10n.t('Download'),
        run: ({ zettel_id }) => withRegistry(context, () => downloadHit(context, zettel_id)),
      },
    ],
  });
  if (found) await openRegistryNote(context, found);
}

/** Shows the latest version as a document that cannot be changed, and keeps it in the view. */
export async function openRegistryNote(context: CommandContext, hit: RegistryHit): Promise<void> {
  const entry = await entryOf(await context.notes.start(), hit.zettel_id);
  if (!entry) {
    const message = vscode.l10n.t('{0} is not in the registry any more.', hit.zettel_id);
    void vscode.window.showWarningMessage(withoutLinks(message));
    return;
  }
  context.notes.look({ ...hit, version: entry.version });
  await vscode.window.showTextDocument(registryDocument(context, entry), { preview: true });
}
