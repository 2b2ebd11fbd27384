import path from 'node:path';
import * as vscode from 'vscode';
import { type AgentsFile, agentsFile } from '../../transfer';
import { foldersOnDisk } from '../folders-on-disk';
import { showError } from '../log';
import { withoutLinks } from '../messages';
import { agentFolder } from './agent-folder';
import { shownFile } from './agent-pieces';
import { confirmChanges } from './agent-setup-preview';
import type { CommandContext } from './command';
import { announceWritten } from './files-written';
import { withProgress } from './long-work';
import { pathOnDisk } from './on-disk';

interface SectionOptions {
  scope: string;
  authors: boolean;
  /** Agreed to already: writes without showing it. */
  overwrite: boolean;
}

/** Throws `read_only` in Restricted Mode, but for a file that the person names in the system's dialog. */
export function expectSectionAllowed({ knowledge }: CommandContext, target: unknown): void {
  if (target instanceof vscode.Uri || foldersOnDisk().length > 0) knowledge.change();
}

/**
 * What holds in a scope as a marked section of a file that agents read: of the AGENTS.md of a folder, unless told. It is
 * shown as the file would be, written when the person agrees, and taken back by *Undo*. Nothing is written of no entries.
 */
export async function exportSection(context: CommandContext, target: unknown, options: SectionOptions): Promise<void> {
  const title = vscode.l10n.t('Export Knowledge');
  const uri = target instanceof vscode.Uri ? target : await askFile(title);
  if (!uri) return;
  const file = pathOnDisk(uri);
  // A file in no folder of this window counts from its own: no link there leads elsewhere.
  const folder = vscode.workspace.getWorkspaceFolder(uri) ?? { uri: vscode.Uri.file(path.dirname(file)) };
  const around = await context.agents.surroundings(folder);
  const kaizen = await context.knowledge.hall();
  const made = await withProgress(vscode.l10n.t('Exporting knowledge'), async ({ signal }) =>
    agentsFile(await kaizen.holding(options.scope, signal), { authors: options.authors }),
  );
  const name = shownFile(file, around);
  const say = (said: string) => void vscode.window.showInformationMessage(withoutLinks(said));
  if (made.written === 0) return say(vscode.l10n.t('No entry holds in {0} yet. Nothing was written.', options.scope));
  const { apply, planKnowledgeSection } = await import('../../agents');
  const change = await planKnowledgeSection(file, made.text, around);
  if (!change) return say(vscode.l10n.t('{0} has this section already. Nothing was written.', name));
  if (!options.overwrite && !(await confirmChanges(context, title, [change], around))) return;
  await apply([change], around);
  announceWritten(madeInWords(made, name), [change], around).catch((error: unknown) => showError(context.log, error));
}

/** AGENTS.md of a folder, several: the person chooses; without one, the file that they name. */
async function askFile(title: string): Promise<vscode.Uri | undefined> {
  if (foldersOnDisk().length > 0) {
    const folder = await agentFolder(title);
    return folder && vscode.Uri.joinPath(folder.uri, 'AGENTS.md');
  }
  return vscode.window.showSaveDialog({
    title,
    filters: { Markdown: ['md'] },
    saveLabel: vscode.l10n.t('Export'),
  });
}

function madeInWords({ written, left }: AgentsFile, name: string): string {
  if (left > 0) {
    return vscode.l10n.t('The section in {0} holds {1} entries; {2} found no room in 32 kB.', name, written, left);
  }
  return written === 1
    ? vscode.l10n.t('The section in {0} holds one entry.', name)
    : vscode.l10n.t('The section in {0} holds {1} entries.', name, written);
}
