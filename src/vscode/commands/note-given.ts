import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import type { KaizenParts } from '../../kaizen';
import type { Note, NotesPart, NoteWrite, RegistryHit, Space } from '../../notes';
import type { NotesNode } from '../views';
import type { CommandContext } from './command';
import { givenValues, isRecord } from './given';
import { withProgress } from './long-work';
import { pickNote } from './note-pick';

/** So long it is waited for files that are still being indexed. */
const PATIENCE_MS = 10_000;

/** The parts, once every note is known or the time is over. Throws `cancelled`. */
export async function notesReady({ notes }: CommandContext): Promise<KaizenParts> {
  const parts = await notes.start();
  await withProgress(vscode.l10n.t('Looking through the notes'), ({ signal }) =>
    parts.notes.ready(PATIENCE_MS, signal),
  );
  return parts;
}

/** The notes that a command was given or that is in front, or the one that the person looks for; none on cancel. */
export async function chooseNotes(
  context: CommandContext,
  parts: KaizenParts,
  title: string,
  first?: unknown,
  others?: unknown,
): Promise<Note[]> {
  const values = await givenValues(first, others, () => context.explorer.notes.underKeyboard());
  const given = values.flatMap((value) => noteIn(value, parts.notes) ?? []);
  const distinct = given.filter((note, index) => given.findIndex(({ uri }) => uri === note.uri) === index);
  if (distinct.length > 0) return distinct;
  if (values.some((value) => value !== undefined)) throw noNote();
  const { inFront } = context.notes;
  const open = inFront && parts.notes.noteAt(inFront.fsPath);
  if (open) return [open];
  const found = await pickNote(parts, { title });
  return found ? [found] : [];
}

/** The note that a line of the view, a file, an address or `{ space, zettel_id }` means. */
export function noteIn(value: unknown, notes: NotesPart): Note | undefined {
  if (value instanceof vscode.Uri) return notes.noteAt(value.fsPath);
  if (typeof value === 'string') return notes.noteByUri(value);
  if (!isRecord(value)) return undefined;
  const { kind, note } = value as Partial<Extract<NotesNode, { kind: 'note' }>>;
  if (kind === 'note' && note) return notes.noteByUri(note.uri) ?? note;
  const { space, zettel_id } = value;
  return isSpace(space) && typeof zettel_id === 'string' ? notes.note(space, zettel_id) : undefined;
}

/** The note of the registry that a line of the view means. */
export function hitIn(value: unknown): RegistryHit | undefined {
  if (!isRecord(value) || value.kind !== 'registryNote' || !isRecord(value.hit)) return undefined;
  return value.hit as unknown as RegistryHit;
}

export function isSpace(value: unknown): value is Space {
  return value === 'project' || value === 'user';
}

export async function fileOf({ notes }: Pick<KaizenParts, 'notes'>, note: Note): Promise<vscode.Uri> {
  return vscode.Uri.file(await notes.locate(note.space, note.file));
}

/** Throws `conflict` when an editor has unsaved changes of one of the files: what is written would not reach it. */
export function requireSavedFiles(files: readonly vscode.Uri[]): void {
  const wanted = new Set(files.map(String));
  const dirty = vscode.workspace.textDocuments.find(({ isDirty, uri }) => isDirty && wanted.has(uri.toString()));
  if (!dirty) return;
  throw new KaizenError(
    'conflict',
    vscode.l10n.t('{0} has changes that are not saved.', vscode.workspace.asRelativePath(dirty.uri)),
    vscode.l10n.t('Save it, and try again.'),
  );
}

/** Those that are there already and that a write would change. */
export async function filesToChange({ notes }: Pick<KaizenParts, 'notes'>, write: NoteWrite): Promise<vscode.Uri[]> {
  const { files } = await notes.preview(write);
  const there = files.filter(({ before }) => before !== undefined);
  return Promise.all(there.map(async ({ space, file }) => vscode.Uri.file(await notes.locate(space, file))));
}

/** The spaces that the settings name. Throws when there is none. */
export function spacesOf({ notes }: CommandContext): Space[] {
  const { project, user } = notes.configured.spaces;
  const spaces: Space[] = [];
  if (project !== undefined) spaces.push('project');
  if (user !== undefined) spaces.push('user');
  if (spaces.length > 0) return spaces;
  throw new KaizenError(
    'invalid_argument',
    vscode.l10n.t('There is no folder for notes.'),
    vscode.l10n.t('Open a folder, or set kaizen.notes.userFolder.'),
  );
}

function noNote(): KaizenError {
  return new KaizenError('unknown_note', vscode.l10n.t('That is no note, or it is gone.'));
}
