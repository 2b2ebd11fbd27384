import * as vscode from 'vscode';
import { isoTime, systemClock } from '../../core/clock';
import { type FileNote, type ImportResult, openSource, readSource } from '../../transfer';
import { inWords } from '../in-words';
import type { Log } from '../log';
import { withoutIcons, withoutLinks } from '../messages';
import { rulesFound } from '../rules-found';
import type { CommandContext } from './command';
import { decideConflicts } from './import-conflicts';
import { importOptionsOf } from './import-options';
import { importRules } from './import-rules';
import { ImportSecrets, tellNothingImported } from './import-secrets';
import { withProgress } from './long-work';
import { pathOnDisk } from './on-disk';

/** Imports a file or a folder: what differs from what is stored is shown first, and nothing is changed before that. */
export async function importKnowledge(
  context: CommandContext,
  target: unknown,
  given: unknown,
): Promise<ImportResult | undefined> {
  const { knowledge: window, log } = context;
  const { author } = window.change();
  const uri = target instanceof vscode.Uri ? target : await askSource();
  if (!uri) return undefined;
  const path = pathOnDisk(uri);
  const settled = importOptionsOf(given);
  const kaizen = await window.hall();
  const reading = vscode.l10n.t('Reading {0}', withoutLinks(nameOf(uri)));
  const source = await withProgress(reading, (work) => openSource(path, work));
  if (source.kind === 'rules') return importRules(context, source, settled);
  const at = isoTime(systemClock.now());
  const { records, notes, tell } = await withProgress(reading, ({ signal }) =>
    readSource(source, { author, at, signal }),
  );
  const secrets = new ImportSecrets(records.length, ({ line }) =>
    source.kind === 'lines' ? vscode.l10n.t('{0}, line {1}', nameOf(uri), line) : undefined,
  );
  try {
    const { conflicts } = await withProgress(reading, ({ signal }) =>
      kaizen.previewImport(records, { author, signal }),
    );
    const overwrite = settled.conflicts
      ? settled.conflicts === 'replace'
      : conflicts.length === 0
        ? false
        : await decideConflicts(conflicts);
    if (overwrite === undefined) return tellNothingImported();
    const title = vscode.l10n.t('Importing {0}', withoutLinks(nameOf(uri)));
    const result = await withProgress(title, ({ signal }) =>
      kaizen.importRecords(records, { author, overwrite, onSecrets: secrets.ask, signal }),
    );
    void announce(result, secrets, notes, log);
    return result;
  } catch (error) {
    if (secrets.isGivenUp) return tellNothingImported();
    throw tell(error);
  }
}

/** A dialog of the system shows files or folders, not both. */
async function askSource(): Promise<vscode.Uri | undefined> {
  const isOnly = vscode.workspace.workspaceFolders?.length === 1;
  const found = await rulesFound();
  const kind = await vscode.window.showQuickPick(
    [
      ...found.map(({ folder, names }) => ({
        label: `$(hubot) ${withoutIcons(isOnly ? vscode.l10n.t('What other tools keep in this folder') : vscode.l10n.t('What other tools keep in {0}', folder.name))}`,
        detail: withoutIcons(names.join(', ')),
        uri: folder.uri,
        isFolder: true,
      })),
      {
        label: `$(file) ${vscode.l10n.t('A file…')}`,
        detail: vscode.l10n.t('An export, a note, or rules of another tool: AGENTS.md, .mdc, memory.json …'),
        isFolder: false,
      },
      {
        label: `$(folder) ${vscode.l10n.t('A folder…')}`,
        detail: vscode.l10n.t('An export, notes from elsewhere, or rules and decisions of other tools'),
        isFolder: true,
      },
    ],
    { title: vscode.l10n.t('Import Knowledge'), placeHolder: vscode.l10n.t('What is to be imported?') },
  );
  if (!kind) return undefined;
  if ('uri' in kind && kind.uri) return kind.uri;
  const [uri] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: !kind.isFolder,
      canSelectFolders: kind.isFolder,
      openLabel: vscode.l10n.t('Import'),
      ...(kind.isFolder
        ? {}
        : { filters: { [vscode.l10n.t('Knowledge')]: ['jsonl', 'json', 'md', 'mdc', 'markdown', '*'] } }),
    })) ?? [];
  return uri;
}

async function announce(
  result: ImportResult,
  secrets: ImportSecrets,
  notes: readonly FileNote[],
  log: Log,
): Promise<void> {
  const total = (outcome: keyof ImportResult['entry']) =>
    Object.values(result).reduce((sum, counts) => sum + counts[outcome], 0);
  const counts = vscode.l10n.t(
    'Imported: {0} added, {1} replaced, {2} kept, {3} as they were.',
    total('added'),
    total('overwritten'),
    total('kept'),
    total('identical'),
  );
  const summary = secrets.withCounts(counts);
  if (notes.length === 0) {
    void vscode.window.showInformationMessage(summary);
    return;
  }
  for (const { path, message } of notes) log.info(`${path}: ${inWords(message)}`);
  const show = vscode.l10n.t('Show Notes');
  const told =
    notes.length === 1
      ? vscode.l10n.t('{0} There is a note on one file.', summary)
      : vscode.l10n.t('{0} There are {1} notes on files.', summary, notes.length);
  if ((await vscode.window.showInformationMessage(told, show)) !== show) return;
  const content = notes.map(({ path, message }) => `${path}: ${inWords(message)}`).join('\n');
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split('/').filter(Boolean).at(-1) ?? uri.path;
}
