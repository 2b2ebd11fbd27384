import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { MigrationStep, Space } from '../../notes';
import { foldersOnDisk } from '../folders-on-disk';
import { withoutLinks } from '../messages';
import { locationName } from '../views';
import type { CommandContext } from './command';
import { withProgress } from './long-work';
import { notesReady, spacesOf } from './note-given';
import { spaceMeaning } from './note-new';
import { announceUndoable, recording } from './note-writes';

/** Where notes lay before (seed 004, "Current Structure"). */
const OLD = path.join('knowledge', 'base');

/**
 * Brings notes of the old layout over: shows what would become of each file as a document first, and writes when the
 * person agrees. The old files stay; what was written can be taken back.
 */
export async function migrateNotes(context: CommandContext, given: unknown): Promise<void> {
  const change = context.knowledge.change();
  const parts = await notesReady(context);
  const from = given instanceof vscode.Uri ? given.fsPath : await chooseFolder();
  const space = from && (await chooseSpace(spacesOf(context)));
  if (!from || !space) return;
  const steps = await withProgress(vscode.l10n.t('Looking at old notes'), ({ signal }) =>
    parts.notes.planMigration(from, space, signal),
  );
  const converts = steps.filter(({ status }) => status === 'convert');
  if (steps.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There are no Markdown files in {0}.', from));
    return;
  }
  const report = context.texts.add(vscode.l10n.t('Migration of Notes.md'), migrationReport(steps, from, space));
  await vscode.window.showTextDocument(report, { preview: true });
  if (converts.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is nothing to bring over.'));
    return;
  }
  const migrate = vscode.l10n.t('Bring Over');
  const question =
    converts.length === 1
      ? vscode.l10n.t('Bring 1 note over to {0}? The old file stays.', locationName(space))
      : vscode.l10n.t('Bring {0} notes over to {1}? The old files stay.', converts.length, locationName(space));
  // Not over the window: the document is to be read first.
  if ((await vscode.window.showInformationMessage(question, migrate)) !== migrate) return;
  const { result, revisions } = await recording(context, parts, () =>
    withProgress(vscode.l10n.t('Bringing notes over'), ({ signal }) =>
      parts.notes.migrate(steps, space, { ...change, signal }),
    ),
  );
  announceUndoable(context, parts, vscode.l10n.t('Brought over: {0}.', result), revisions);
}

/** What would become of each file, as Markdown. */
function migrationReport(steps: readonly MigrationStep[], from: string, space: Space): string {
  const kinds = [
    { status: 'convert', title: vscode.l10n.t('Would be written') },
    { status: 'conflict', title: vscode.l10n.t('Left out: there is another note already') },
    { status: 'unreadable', title: vscode.l10n.t('Left out: cannot be read') },
    { status: 'unchanged', title: vscode.l10n.t('Brought over before') },
  ] as const;
  const sections = kinds.flatMap(({ status, title }) => {
    const some = steps.filter((step) => step.status === status);
    if (some.length === 0) return [];
    const lines = some.flatMap((step) => [
      `- ${codeOf(path.relative(from, step.from))} → ${codeOf(step.to)}`,
      ...step.remarks.map((remark) => `  - ${remark.replace(/\s+/g, ' ')}`),
    ]);
    return [`## ${title} (${some.length})`, '', ...lines, ''];
  });
  const intro = vscode.l10n.t(
    'From {0} to the space {1}. Nothing is written yet, and the old files stay.',
    from,
    locationName(space),
  );
  return [`# ${vscode.l10n.t('Migration of Notes')}`, '', intro, '', ...sections].join('\n');
}

async function chooseFolder(): Promise<string | undefined> {
  const folders = foldersOnDisk();
  const found = folders.map(({ uri }) => path.join(uri.fsPath, OLD)).filter((folder) => existsSync(folder));
  const other = vscode.l10n.t('Another Folder…');
  if (found.length > 0) {
    const items = [
      ...found.map((folder) => ({ label: vscode.workspace.asRelativePath(folder), folder })),
      { label: other, folder: '' },
    ];
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Migrate Old Notes'),
      placeHolder: vscode.l10n.t('Where the old notes lie'),
    });
    if (picked?.folder !== '') return picked?.folder;
  }
  const chosen = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: vscode.l10n.t('Choose'),
    title: vscode.l10n.t('Where the old notes lie'),
    ...(folders[0] ? { defaultUri: folders[0].uri } : {}),
  });
  return chosen?.[0]?.fsPath;
}

async function chooseSpace(spaces: readonly Space[]): Promise<Space | undefined> {
  if (spaces.length === 1) return spaces[0];
  const items = spaces.map((space) => ({ label: locationName(space), description: spaceMeaning(space), space }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Migrate Old Notes'),
    placeHolder: vscode.l10n.t('Where they are to lie'),
  });
  return picked?.space;
}

/** A file's name in Markdown, whatever it holds. */
function codeOf(name: string): string {
  const fence = name.includes('`') ? '``' : '`';
  return `${fence}${withoutLinks(name.replace(/\s+/g, ' '))}${fence}`;
}
