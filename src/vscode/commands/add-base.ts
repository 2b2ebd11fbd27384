import path from 'node:path';
import * as vscode from 'vscode';
import type { BaseSuggestion } from '../../bases';
import { baseNameFault, freeBaseName } from '../../core/base-names';
import { type BaseSetting, levelForNew, namesOn, pathForSetting, setBase, settingPlace } from '../bases';
import { withoutIcons, withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { withProgress } from './long-work';

/** A folder that is to become a base. */
interface Chosen {
  name: string;
  root: string;
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
}

interface ChoiceItem extends vscode.QuickPickItem {
  chosen?: Chosen;
}

/**
 * Offers what of the workspace could be a knowledge base, or takes a folder; asks for a name and writes the setting,
 * which can be undone. Nothing is written before the name is confirmed.
 */
export async function addKnowledgeBase(context: CommandContext, given: unknown): Promise<void> {
  context.knowledge.change();
  const chosen = given instanceof vscode.Uri ? { name: '', root: given.fsPath } : await choose(context);
  if (!chosen) return;
  // Also those that cannot be used, or are left out here: they are not to be lost, or mixed with.
  const taken = new Set([...namesOn('workspace'), ...namesOn('person')].map((each) => each.toLowerCase()));
  const proposed = freeBaseName((chosen.name || path.basename(chosen.root)).toLowerCase(), taken);
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Knowledge Base'),
    prompt: withoutLinks(vscode.l10n.t('The name that agents and addresses call it by: {0}', chosen.root)),
    value: proposed,
    validateInput: (value) => faultOf(value.trim(), taken),
  });
  if (name === undefined) return;
  const { include, exclude } = chosen;
  const patterns = { ...(include?.length ? { include } : {}), ...(exclude?.length ? { exclude } : {}) };
  const base: BaseSetting = {
    path: pathForSetting(chosen.root, settingPlace()),
    ...patterns,
  };
  // Who chooses a folder has seen where it lies.
  await context.knowledge.outside.allow({ name: name.trim(), root: chosen.root, ...patterns });
  const change = await setBase(levelForNew(), name.trim(), base);
  await vscode.commands.executeCommand('kaizen.bases.focus');
  const undo = vscode.l10n.t('Undo');
  const choice = await vscode.window.showInformationMessage(
    withoutLinks(
      vscode.l10n.t('Added the knowledge base {0}. Its files change only where you accept a proposal.', name.trim()),
    ),
    undo,
  );
  if (choice === undo) await change.undo();
}

async function choose(context: CommandContext): Promise<Chosen | undefined> {
  const suggestions = await suggested(context);
  if (suggestions.length === 0) return pickFolder();
  const another: ChoiceItem = {
    label: vscode.l10n.t('Another Folder…'),
    iconPath: new vscode.ThemeIcon('folder-opened'),
    alwaysShow: true,
  };
  const picked = await vscode.window.showQuickPick([...suggestions, another], {
    title: vscode.l10n.t('Add Knowledge Base'),
    placeHolder: vscode.l10n.t('Nothing is taken but what you choose'),
    matchOnDetail: true,
  });
  return picked && (picked.chosen ?? (await pickFolder()));
}

/** What lies in the open folders and is no base yet. */
async function suggested({ bases }: CommandContext): Promise<ChoiceItem[]> {
  const { folders } = settingPlace();
  if (folders.length === 0) return [];
  const found = await withProgress(vscode.l10n.t('Looking for Markdown in the workspace'), async () => {
    const { suggestBases } = await import('../../kaizen');
    return Promise.all(folders.map(({ path: folder }) => suggestBases(folder)));
  });
  const configured = bases.configured.definitions;
  return found
    .flat()
    .filter(({ root, include }) => !configured.some((base) => base.root === root && sameList(base.include, include)))
    .map(({ kind, name, root, include, exclude, files }) => ({
      label: withoutIcons(name),
      description:
        files === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', files.toLocaleString(vscode.env.language)),
      detail: whatItIs(kind),
      iconPath: new vscode.ThemeIcon('book'),
      chosen: { name, root, include, exclude },
    }));
}

function whatItIs(kind: BaseSuggestion['kind']): string {
  switch (kind) {
    case 'instructions':
      return vscode.l10n.t('What tools tell agents: instructions, prompts, skills and rules.');
    case 'docs':
      return vscode.l10n.t('The documentation of this workspace.');
    case 'notes':
      return vscode.l10n.t('The other Markdown files of this workspace.');
  }
}

async function pickFolder(): Promise<Chosen | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: vscode.l10n.t('Add Knowledge Base'),
      title: vscode.l10n.t('A Folder with Markdown'),
    })) ?? [];
  return folder && { name: '', root: folder.fsPath };
}

function faultOf(name: string, taken: ReadonlySet<string>): string | undefined {
  if (taken.has(name.toLowerCase())) return vscode.l10n.t('There is a knowledge base of that name.');
  switch (baseNameFault(name)) {
    case 'bad_name':
      return vscode.l10n.t('Letters, digits, ".", "_" and "-" only.');
    case 'reserved_name':
      return vscode.l10n.t('This name is taken by Kaizen itself.');
    case undefined:
      return undefined;
  }
}

function sameList(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}
