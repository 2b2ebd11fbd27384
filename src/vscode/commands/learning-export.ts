import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { COLLECTIONS, type Collection, type Exported, LEARNED_KINDS } from '../../learning';
import { writeWhole } from '../../transfer';
import { withoutLinks } from '../messages';
import { learnedKindsName } from '../views';
import type { CommandContext } from './command';
import { isRecord } from './given';
import { withProgress } from './long-work';
import { pathOnDisk } from './on-disk';

const PARQUET = '.parquet';

/** What a caller may settle beforehand; a person is asked for what is left out. */
export interface LearningExportCommandOptions {
  collections?: Collection[];
  /** What is personal as well, and what was asked. */
  personal?: boolean;
  /** Replaces a file that is there. */
  overwrite?: boolean;
}

interface Chosen {
  collections: Collection[];
  personal: boolean;
}

/**
 * Writes what was learned to a file: JSON, or a table of Parquet where its name ends so. What is personal is left out
 * unless the person ticks it. Answers how much of what it holds; undefined where nothing was written.
 */
export async function exportLearning(
  context: CommandContext,
  target: unknown,
  given: unknown,
): Promise<Exported['counts'] | undefined> {
  const settled = optionsOf(given);
  const chosen = settled.collections
    ? { collections: settled.collections, personal: settled.personal === true }
    : await askWhat(context, settled.personal === true);
  if (!chosen) return undefined;
  const uri = target instanceof vscode.Uri ? target : await askTarget();
  if (!uri) return undefined;
  const path = pathOnDisk(uri);
  // The system's dialog has asked about the file that it gave.
  const mayReplace = settled.overwrite === true || !(target instanceof vscode.Uri);
  if (!mayReplace && existsSync(path) && !(await agreesToReplace(path))) return undefined;
  const { administration } = await context.learning.start();
  const counts = await withProgress(vscode.l10n.t('Exporting what was learned'), async ({ signal }) => {
    const format = path.toLowerCase().endsWith(PARQUET) ? 'parquet' : 'json';
    const exported = await administration.export({ ...chosen, format, signal });
    signal.throwIfAborted();
    await writeWhole(path, exported.content);
    return exported.counts;
  });
  void announce(uri, counts, chosen);
  return counts;
}

function collectionName(collection: Collection): string {
  const kind = LEARNED_KINDS.find((each) => `${each}s` === collection);
  if (kind) return learnedKindsName(kind);
  switch (collection) {
    case 'feedback':
      return vscode.l10n.t('Feedback');
    case 'scores':
      return vscode.l10n.t('What was given, used and asked, as counted');
    default:
      return vscode.l10n.t('Relations');
  }
}

interface Item extends vscode.QuickPickItem {
  collection?: Collection;
}

/** Undefined on cancel. */
async function askWhat(context: CommandContext, personal: boolean): Promise<Chosen | undefined> {
  const { learning } = await context.learning.start();
  const { feedback } = await learning.scoreCounts();
  const count = (collection: Collection) => {
    const kind = LEARNED_KINDS.find((each) => `${each}s` === collection);
    if (!kind) return collection === 'feedback' ? feedback : undefined;
    // Patterns of the product are everywhere, and are no part of a file.
    return learning.list(kind).filter((record) => !('is_built_in' in record && record.is_built_in)).length;
  };
  const items: Item[] = [
    ...COLLECTIONS.map((collection) => {
      const number = count(collection)?.toLocaleString(vscode.env.language);
      return {
        label: collectionName(collection),
        ...(number ? { description: number } : {}),
        collection,
        picked: true,
      };
    }),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: vscode.l10n.t('What is personal as well'),
      detail: vscode.l10n.t('Personal records with all that names them, and the questions that were asked'),
      picked: personal,
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Export What Was Learned'),
    placeHolder: vscode.l10n.t('What the file is to hold'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  const collections = picked?.flatMap(({ collection }) => collection ?? []) ?? [];
  if (!picked || collections.length === 0) return undefined;
  return { collections, personal: picked.some(({ collection }) => collection === undefined) };
}

async function askTarget(): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    filters: { JSON: ['json'], Parquet: ['parquet'] },
    saveLabel: vscode.l10n.t('Export'),
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'kaizen-learning.json') } : {}),
  });
}

async function agreesToReplace(path: string): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const question = vscode.l10n.t('There is a file of this name already. Replace it?');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail: path }, replace)) === replace;
}

async function announce(uri: vscode.Uri, counts: Exported['counts'], { personal }: Chosen): Promise<void> {
  const said = COLLECTIONS.flatMap((collection) => {
    const count = counts[collection] ?? 0;
    return count > 0 ? `${collectionName(collection)}: ${count.toLocaleString(vscode.env.language)}` : [];
  }).join(', ');
  const message = [
    said
      ? vscode.l10n.t('Exported. {0}.', said)
      : vscode.l10n.t('Exported. There was nothing to be put into the file.'),
    personal
      ? vscode.l10n.t('The file holds what is personal: do not pass it on.')
      : vscode.l10n.t('What is personal is left out.'),
  ].join(' ');
  const open = vscode.l10n.t('Open');
  const isText = !uri.path.toLowerCase().endsWith(PARQUET);
  const chosen = await vscode.window.showInformationMessage(withoutLinks(message), ...(isText ? [open] : []));
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', uri);
}

function optionsOf(given: unknown): LearningExportCommandOptions {
  const { collections, personal, overwrite } = isRecord(given) ? given : {};
  return {
    ...(Array.isArray(collections)
      ? { collections: COLLECTIONS.filter((each) => collections.length === 0 || collections.includes(each)) }
      : {}),
    ...(personal === true ? { personal } : {}),
    ...(overwrite === true ? { overwrite } : {}),
  };
}
