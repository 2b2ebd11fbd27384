import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { htmlReport, type ReportWords, writeWhole } from '../../transfer';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import type { CommandContext } from './command';
import { announceExport } from './export-announcement';
import { expectSectionAllowed, exportSection } from './export-section';
import { withProgress } from './long-work';
import { pathOnDisk } from './on-disk';
import { scopeItem } from './scope-item';

interface HoldingOptions {
  scopes?: string[];
  overwrite?: boolean;
  authors?: boolean;
}

/** What holds in one scope: a marked section of a file that agents read, or a report. Asks for what is not settled. */
export async function exportHolding(
  context: CommandContext,
  format: 'agents' | 'report',
  target: unknown,
  settled: HoldingOptions,
): Promise<void> {
  // Said before anything is asked.
  if (format === 'agents') expectSectionAllowed(context, target);
  const scope = settled.scopes?.[0] ?? (await askScope(context.knowledge));
  if (scope === undefined) return;
  const authors = settled.authors ?? (await askAuthors());
  if (authors === undefined) return;
  const { overwrite = false } = settled;
  if (format === 'agents') await exportSection(context, target, { scope, authors, overwrite });
  else await exportReport(context.knowledge, target, { scope, authors, overwrite });
}

async function exportReport(
  window: WorkspaceKnowledge,
  target: unknown,
  { scope, authors, overwrite }: { scope: string; authors: boolean; overwrite: boolean },
): Promise<void> {
  const uri = target instanceof vscode.Uri ? target : await askTarget();
  if (!uri) return;
  const path = pathOnDisk(uri);
  if (target instanceof vscode.Uri && existsSync(path) && !overwrite) {
    const replace = vscode.l10n.t('Replace');
    const question = vscode.l10n.t('There are files already with another text. Replace them?');
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail: path }, replace)) !== replace) return;
  }
  const kaizen = await window.hall();
  const summary = await withProgress(vscode.l10n.t('Exporting knowledge'), async ({ signal }) => {
    const holding = await kaizen.holding(scope, signal);
    await writeWhole(path, await htmlReport(holding, { authors, words: reportWords(), signal }));
    return vscode.l10n.t('The report holds {0} entries.', holding.entries.length);
  });
  void announceExport(summary, uri, 'report');
}

/** The current project comes first. */
async function askScope(window: WorkspaceKnowledge): Promise<string | undefined> {
  const { knowledge } = await window.parts();
  const scopes = knowledge.listScopes().sort((a, b) => Number(b.is_current_project) - Number(a.is_current_project));
  const picked = await vscode.window.showQuickPick(scopes.map(scopeItem), {
    title: vscode.l10n.t('Export Knowledge'),
    placeHolder: vscode.l10n.t('What holds in which scope, with all that it inherits?'),
  });
  return picked?.label;
}

async function askAuthors(): Promise<boolean | undefined> {
  const items = [
    { label: vscode.l10n.t('With the names of authors'), authors: true },
    { label: vscode.l10n.t('Without names'), authors: false },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Export Knowledge'),
    placeHolder: vscode.l10n.t('Say who wrote each entry?'),
  });
  return picked?.authors;
}

async function askTarget(): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Knowledge'),
    filters: { HTML: ['html'] },
    saveLabel: vscode.l10n.t('Export'),
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'knowledge.html') } : {}),
  });
}

function reportWords(): ReportWords {
  return {
    language: vscode.env.language,
    title: (name) => vscode.l10n.t('What is known: {0}', name),
    about: (entries, risks, newest) =>
      vscode.l10n.t('{0} entries hold, {1} of them with a risk. Last change: {2}.', entries, risks, newest),
    contents: vscode.l10n.t('Contents'),
    scopes: vscode.l10n.t('Where it comes from'),
    inherits: vscode.l10n.t('Nearest first: of entries with the same keyword, the one of the first scope holds.'),
    overview: vscode.l10n.t('Overview'),
    purpose: vscode.l10n.t('Purpose'),
    techStack: vscode.l10n.t('Technology'),
    constraints: vscode.l10n.t('Constraints'),
    risks: vscode.l10n.t('Dangers and warnings'),
    reason: vscode.l10n.t('Reason'),
    changed: vscode.l10n.t('Changed'),
    by: (author, isAgent) => (isAgent ? vscode.l10n.t('by {0} (agent)', author) : vscode.l10n.t('by {0}', author)),
    overrides: vscode.l10n.t('Holds in place of the entries of'),
    nothing: vscode.l10n.t('Nothing is stored for this scope yet.'),
  };
}
