import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { isKaizenError } from '../../core/errors';
import {
  markdownFiles,
  ofScopes,
  serialiseInTurns,
  type TextFile,
  type TransferRecord,
  writeFolder,
  writeWhole,
} from '../../transfer';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import type { CommandContext } from './command';
import { announceExport, EXPORT_FORMATS, type ExportFormat } from './export-announcement';
import { exportHolding } from './export-holding';
import { type LongWork, withProgress } from './long-work';
import { pathOnDisk } from './on-disk';
import { scopeItem } from './scope-item';

/** What a caller may settle beforehand; a person is asked for what is left out. */
export interface ExportCommandOptions {
  format?: ExportFormat;
  /** Ids; all scopes when it is empty. For AGENTS.md and the report, the first is the one that it is about. */
  scopes?: string[];
  /** Replaces files that are there with another text, and writes a section of AGENTS.md without showing it before. */
  overwrite?: boolean;
  /** Whether AGENTS.md and the report say who wrote what; true unless told. */
  authors?: boolean;
}

/**
 * Exports all scopes or some as one file with the whole history, or as a folder of Markdown with what holds now; or what
 * holds in one scope as a section of AGENTS.md, or as an HTML report to share.
 */
export async function exportKnowledge(context: CommandContext, target: unknown, given: unknown): Promise<void> {
  const { knowledge: window } = context;
  const settled = optionsOf(given);
  const format = settled.format ?? (await askFormat());
  if (!format) return;
  if (format === 'agents' || format === 'report') {
    await exportHolding(context, format, target, settled);
    return;
  }
  const scopes = settled.scopes ?? (await askScopes(window));
  if (!scopes) return;
  const uri = target instanceof vscode.Uri ? target : await askTarget(format);
  if (!uri) return;
  const path = pathOnDisk(uri);
  // The system's dialog has asked about the file that it gave.
  const mayReplace = settled.overwrite === true || (format === 'lines' && !(target instanceof vscode.Uri));
  const kaizen = await window.hall();
  const write = (overwrite: boolean) =>
    withProgress(vscode.l10n.t('Exporting knowledge'), async (work) => {
      const all = await kaizen.exportRecords();
      const records = scopes.length === 0 ? all : ofScopes(all, new Set(scopes));
      return format === 'lines'
        ? writeLines(path, records, overwrite, work)
        : writeMarkdown(path, records, overwrite, work);
    });
  let summary = await write(mayReplace);
  if (!summary) {
    const replace = vscode.l10n.t('Replace');
    const question = vscode.l10n.t('There are files already with another text. Replace them?');
    const answer = await vscode.window.showWarningMessage(question, { modal: true, detail: path }, replace);
    if (answer !== replace) return;
    summary = await write(true);
  }
  void announceExport(summary ?? '', uri, format);
}

/** Undefined when a file would have to be replaced. */
async function writeLines(
  file: string,
  records: readonly TransferRecord[],
  overwrite: boolean,
  { signal }: LongWork,
): Promise<string | undefined> {
  if (!overwrite && existsSync(file)) return undefined;
  await writeWhole(file, await serialiseInTurns(records, signal));
  return records.length === 1
    ? vscode.l10n.t('Exported one record.')
    : vscode.l10n.t('Exported {0} records.', records.length);
}

/** Undefined when files would have to be replaced. */
async function writeMarkdown(
  folder: string,
  records: readonly TransferRecord[],
  overwrite: boolean,
  work: LongWork,
): Promise<string | undefined> {
  const files: TextFile[] = [];
  for await (const file of markdownFiles(records, work.signal)) files.push(file);
  try {
    const { written, unchanged, others } = await writeFolder(folder, files, { ...work, overwrite });
    const counts = vscode.l10n.t('Exported: {0} files written, {1} unchanged.', written, unchanged);
    if (others.length === 0) return counts;
    return others.length === 1
      ? vscode.l10n.t('{0} One other file was there before.', counts)
      : vscode.l10n.t('{0} {1} other files were there before.', counts, others.length);
  } catch (error) {
    if (isKaizenError(error) && error.code === 'confirmation_required') return undefined;
    throw error;
  }
}

async function askFormat(): Promise<ExportFormat | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: `$(file-code) ${vscode.l10n.t('One file (JSON Lines)')}`,
        detail: vscode.l10n.t('Everything with its history: to keep, or to bring to another place'),
        format: 'lines' as const,
      },
      {
        label: `$(markdown) ${vscode.l10n.t('A folder of Markdown')}`,
        detail: vscode.l10n.t('What is known now, a file for each entry: to read, to edit, to keep in git'),
        format: 'markdown' as const,
      },
      {
        label: `$(hubot) ${vscode.l10n.t('A section of AGENTS.md')}`,
        detail: vscode.l10n.t('What holds in one scope, dangers first: for agents that read the file'),
        format: 'agents' as const,
      },
      {
        label: `$(browser) ${vscode.l10n.t('A report (HTML)')}`,
        detail: vscode.l10n.t('What holds in one scope, in one file: to share, to read in a browser, to print'),
        format: 'report' as const,
      },
    ],
    { title: vscode.l10n.t('Export Knowledge'), placeHolder: vscode.l10n.t('As what?') },
  );
  return picked?.format;
}

/** Empty stands for all, those included that are not listed because they were deleted since. */
async function askScopes(window: WorkspaceKnowledge): Promise<string[] | undefined> {
  const { knowledge } = await window.parts();
  const scopes = knowledge.listScopes();
  const items = scopes.map((scope) => ({ ...scopeItem(scope), picked: true }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Export Knowledge'),
    placeHolder: vscode.l10n.t('The scopes to export'),
    canPickMany: true,
  });
  if (!picked || picked.length === 0) return undefined;
  return picked.length === scopes.length ? [] : picked.map(({ label }) => label);
}

async function askTarget(format: 'lines' | 'markdown'): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (format === 'lines') {
    return vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export Knowledge'),
      filters: { 'JSON Lines': ['jsonl'] },
      saveLabel: vscode.l10n.t('Export'),
      ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'knowledge.jsonl') } : {}),
    });
  }
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Export Knowledge'),
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: vscode.l10n.t('Export to This Folder'),
      ...(folder ? { defaultUri: folder } : {}),
    })) ?? [];
  return uri;
}

function optionsOf(given: unknown): ExportCommandOptions {
  const { format, scopes, overwrite, authors } = (typeof given === 'object' && given !== null ? given : {}) as Record<
    string,
    unknown
  >;
  const known = EXPORT_FORMATS.find((each) => each === format);
  return {
    ...(known ? { format: known } : {}),
    ...(Array.isArray(scopes) ? { scopes: scopes.filter((scope) => typeof scope === 'string') } : {}),
    ...(overwrite === true ? { overwrite } : {}),
    ...(typeof authors === 'boolean' ? { authors } : {}),
  };
}
