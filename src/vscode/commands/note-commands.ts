import * as vscode from 'vscode';
import { noteReference } from '../agent-reference';
import { openNoteFile } from '../notes';
import { locationName, placeInCollection } from '../views';
import type { CommandContext, CommandHandlers } from './command';
import { givenValues, isRecord, SELECTION } from './given';
import { withProgress } from './long-work';
import { showNoteChanges, undoNoteChange } from './note-changes';
import { addToCollection, deleteCollection, newCollection, removeFromCollection } from './note-collections';
import { deleteNotes, linkNotes, renameNote } from './note-edits';
import { chooseNotes, fileOf, hitIn, isSpace, notesReady, spacesOf } from './note-given';
import { migrateNotes } from './note-migration';
import { moveNotes } from './note-moves';
import { newNote } from './note-new';
import { pickNote } from './note-pick';
import { withRegistry } from './note-registry-failures';
import { openRegistryNote } from './note-registry-search';
import { RatedLines } from './rated-lines';

const SHOWN_MS = 4_000;

export function noteCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.newNote': (given?: unknown) => newNote(context, given),
    'kaizen.openNote': (given?: unknown) => openNote(context, given),
    'kaizen.findNote': (text?: unknown) => findNote(context, text),
    'kaizen.renameNote': (first?: unknown, others?: unknown, id?: unknown) => renameNote(context, first, others, id),
    'kaizen.moveNote': (first?: unknown, others?: unknown, to?: unknown) => moveNotes(context, first, others, to),
    'kaizen.deleteNote': (first?: unknown, others?: unknown) => deleteGiven(context, first, others),
    'kaizen.linkNotes': (first?: unknown, others?: unknown) => linkNotes(context, first, others),
    'kaizen.copyNoteReference': (first?: unknown, others?: unknown) => copyReference(context, first, others),
    'kaizen.newCollection': (given?: unknown) => newCollection(context, given),
    'kaizen.addToCollection': (first?: unknown, others?: unknown) => addToCollection(context, first, others),
    'kaizen.removeFromCollection': (first?: unknown, others?: unknown) => removeFromCollection(context, first, others),
    'kaizen.deleteCollection': (given?: unknown) => deleteCollection(context, given),
    'kaizen.migrateNotes': (folder?: unknown) => migrateNotes(context, folder),
    'kaizen.showNoteChanges': (first?: unknown, others?: unknown) => showNoteChanges(context, first, others),
    'kaizen.undoNoteChange': () => undoNoteChange(context),
    'kaizen.reindexNotes': () => reindexNotes(context),
    'kaizen.revealNotesFolder': (given?: unknown) => revealFolder(context, given),
    'kaizen.allowNotesFolder': () => allowFolder(context),
  };
}

/** Opens what a line of the view stands for, a note by its address, or the one that the person looks for. */
async function openNote(context: CommandContext, given: unknown): Promise<void> {
  const hit = hitIn(given);
  if (hit) {
    await withRegistry(context, () => openRegistryNote(context, hit));
    return;
  }
  const parts = await notesReady(context);
  const problem = problemIn(given);
  if (problem) {
    const { space, file, line } = problem;
    const place = new vscode.Range(line, 0, line, 0);
    await openNoteFile(vscode.Uri.file(await parts.notes.locate(space, file)), { selection: place });
    return;
  }
  if (given === undefined) return findNote(context, undefined);
  const [note] = await chooseNotes(context, parts, vscode.l10n.t('Open Note'), given);
  if (note) await openNoteFile(await fileOf(parts, note));
}

/** @param text what to look for first */
async function findNote(context: CommandContext, text: unknown): Promise<void> {
  const parts = await context.notes.start();
  const found = await pickNote(parts, {
    rated: new RatedLines(context, parts),
    title: vscode.l10n.t('Find Note'),
    value: typeof text === 'string' ? text : undefined,
    actions: [
      {
        icon: 'copy',
        tooltip: vscode.l10n.t('Copy Reference for Agent'),
        run: (note) => copy([{ ...note, location: note.space }]),
      },
      {
        icon: 'split-horizontal',
        tooltip: vscode.l10n.t('Open to the Side'),
        run: async (note) => openNoteFile(await fileOf(parts, note), { viewColumn: vscode.ViewColumn.Beside }),
      },
    ],
  });
  if (found) await openNoteFile(await fileOf(parts, found));
}

/** By the key, what is below a collection leaves the collection; everywhere else a note is what is deleted. */
async function deleteGiven(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  if (first !== SELECTION) return deleteNotes(context, first, others);
  const lines = await context.explorer.notes.underKeyboard();
  const [line] = lines;
  if (!line) return;
  if (line.kind === 'noteCollection') return deleteCollection(context, line);
  if (placeInCollection(line) !== undefined) return removeFromCollection(context, line, lines);
  return deleteNotes(context, line, lines);
}

async function copyReference(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const parts = await notesReady(context);
  const values = await givenValues(first, others, () => context.explorer.notes.underKeyboard());
  const hits = values.flatMap((value) => hitIn(value) ?? []);
  if (hits.length > 0) return copy(hits.map((hit) => ({ ...hit, location: 'registry' })));
  const notes = await chooseNotes(context, parts, vscode.l10n.t('Copy Reference for Agent'), first, others);
  if (notes.length > 0) await copy(notes.map((note) => ({ ...note, location: note.space })));
}

async function copy(notes: Parameters<typeof noteReference>[0]): Promise<void> {
  await vscode.env.clipboard.writeText(`${noteReference(notes)}\n`);
  const message =
    notes.length === 1
      ? vscode.l10n.t('Copied the reference. Paste it into your agent’s chat.')
      : vscode.l10n.t('Copied {0} references. Paste them into your agent’s chat.', notes.length);
  vscode.window.setStatusBarMessage(`$(copy) ${message}`, SHOWN_MS);
}

/** Looks at every file again, and says what is known then. */
async function reindexNotes(context: CommandContext): Promise<void> {
  spacesOf(context);
  const { notes } = await context.notes.start();
  await withProgress(vscode.l10n.t('Indexing notes'), ({ signal }) => notes.rescan(signal));
  const sum = (counts: readonly number[]) =>
    counts.reduce((total, count) => total + count, 0).toLocaleString(vscode.env.language);
  const statuses = notes.spaces();
  const [found, problems] = [sum(statuses.map((each) => each.notes)), sum(statuses.map((each) => each.problems))];
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Notes are up to date. Notes: {0}, problems: {1}.', found, problems),
  );
}

async function revealFolder(context: CommandContext, given: unknown): Promise<void> {
  const status = isRecord(given) && isRecord(given.status) ? given.status : undefined;
  const spaces = spacesOf(context);
  const known = status && isSpace(status.space) ? status.space : undefined;
  const items = spaces.map((space) => ({ label: locationName(space), space }));
  const space =
    known ?? (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Reveal Folder of Notes') }))?.space;
  const root = space && context.notes.configured.spaces[space];
  if (!root) return;
  const uri = vscode.Uri.file(root);
  const isInside = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  await vscode.commands.executeCommand(isInside ? 'revealInExplorer' : 'revealFileInOS', uri);
}

/** Lets the workspace have its notes outside of it, once the person has seen where. */
async function allowFolder({ knowledge, notes }: CommandContext): Promise<void> {
  knowledge.change();
  const { outside } = notes.configured;
  if (outside === undefined) return;
  const allow = vscode.l10n.t('Allow');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Let this workspace have its notes in {0}?', outside),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The settings of this workspace, or a link in it, lead to this folder, which lies outside of the workspace. What its Markdown files say is indexed and given to agents and their models, and agents may write there.',
      ),
    },
    allow,
  );
  if (choice === allow) await knowledge.notesConsent.allow(outside);
}

function problemIn(value: unknown): { space: 'project' | 'user'; file: string; line: number } | undefined {
  if (!isRecord(value) || value.kind !== 'noteProblem' || !isRecord(value.problem)) return undefined;
  const { space, file, line } = value.problem;
  if (!isSpace(space) || typeof file !== 'string') return undefined;
  return { space, file, line: typeof line === 'number' ? line : 0 };
}
