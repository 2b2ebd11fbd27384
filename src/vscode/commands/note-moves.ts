import path from 'node:path';
import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import type { KaizenParts } from '../../kaizen';
import type { Note, Space } from '../../notes';
import { liesInside } from '../bases/outside';
import { showWhereMoved } from '../notes';
import { locationName, type NotesNode, placeOfNode } from '../views';
import type { CommandContext } from './command';
import { oneByOne } from './entry-changes';
import { isRecord } from './given';
import { askInSteps, keep, pick, type Step } from './multi-step';
import { chooseNotes, fileOf, isSpace, notesReady, requireSavedFiles, spacesOf } from './note-given';
import { askSpace } from './note-new';
import { announceWithUndo, recording } from './note-writes';

interface Place {
  space: Space;
  /** Without it each note keeps its own. */
  category?: string | undefined;
}

/** How a move is taken back. */
type TakeBack = () => Promise<void>;

/**
 * Moves notes to another category or space. Links find them by their ids; to another space, a file goes as it is.
 * @param target a line of the view that they were dropped on, or `{ space, category }`
 */
export async function moveNotes(
  context: CommandContext,
  first: unknown,
  others: unknown,
  target: unknown,
): Promise<void> {
  context.knowledge.change();
  const parts = await notesReady(context);
  const title = vscode.l10n.t('Move Note');
  const notes = await chooseNotes(context, parts, title, first, others);
  const [note] = notes;
  if (!note) return;
  const place = placeIn(target) ?? (await askPlace(context, parts, title, note));
  if (!place) return;
  const moves = notes.filter(
    ({ space, category }) => space !== place.space || category !== (place.category ?? category),
  );
  if (moves.length === 0 || (target !== undefined && !(await confirmMove(moves, place)))) return;
  const done: TakeBack[] = [];
  await oneByOne(context, moves, vscode.l10n.t('Moving notes'), async (each) => {
    done.push(await moveOne(context, parts, each, place));
  });
  if (done.length === 0) return;
  const where = [locationName(place.space), place.category].filter(Boolean).join(', ');
  const message =
    done.length === 1
      ? vscode.l10n.t('Moved {0} to {1}.', note.zettel_id, where)
      : vscode.l10n.t('Moved {0} notes to {1}.', done.length, where);
  announceWithUndo(context, message, async () => {
    for (const takeBack of done.reverse()) await takeBack();
  });
}

async function askPlace(
  context: CommandContext,
  { notes }: KaizenParts,
  title: string,
  note: Note,
): Promise<Place | undefined> {
  const spaces = spacesOf(context);
  const askCategory: Step<Place> = async (state, place) => {
    const items = notes
      .categories(state.space)
      .map((category) => ({ label: category === '' ? vscode.l10n.t('(no category)') : category, value: category }));
    const answer = await pick<string>({
      ...place,
      placeholder: vscode.l10n.t('Category: pick one or type a new one'),
      items,
      active: (category) => category === state.category,
      fromText: { label: (text) => vscode.l10n.t('New category "{0}"', text), value: (text) => text },
    });
    return keep(answer, (category) => Object.assign(state, { category: category.trim() }));
  };
  const steps = [...(spaces.length > 1 ? [askSpace(spaces) as Step<Place>] : []), askCategory];
  return askInSteps<Place>(title, steps, { space: note.space, category: note.category });
}

/** What is dragged is easily dropped elsewhere than was meant. */
async function confirmMove(notes: readonly Note[], { space, category }: Place): Promise<boolean> {
  const where = [locationName(space), category].filter(Boolean).join(', ');
  const question =
    notes.length === 1
      ? vscode.l10n.t('Move {0} to {1}?', notes[0]!.zettel_id, where)
      : vscode.l10n.t('Move {0} notes to {1}?', notes.length, where);
  const leaves = space === 'user' && notes.some((note) => note.space === 'project');
  const detail = leaves
    ? vscode.l10n.t('What leaves the project is not in its repository any more.')
    : vscode.l10n.t('Links find a note by its id, wherever it lies.');
  const move = vscode.l10n.t('Move');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, move)) === move;
}

async function moveOne(context: CommandContext, parts: KaizenParts, note: Note, place: Place): Promise<TakeBack> {
  const from = await fileOf(parts, note);
  requireSavedFiles([from]);
  if (place.space === note.space) return moveWithin(context, parts, note, place.category ?? note.category, from);
  const { notes } = parts;
  const taken = notes.note(place.space, note.zettel_id);
  if (taken) {
    throw new KaizenError(
      'conflict',
      vscode.l10n.t('{0} is there already: {1}.', note.zettel_id, taken.file),
      vscode.l10n.t('Rename one of them first.'),
    );
  }
  const file = [place.category ?? note.category, path.posix.basename(note.file)].filter(Boolean).join('/');
  const to = placeForFile(context, place.space, file);
  await moveFile(parts, from, to);
  return () => moveFile(parts, to, from);
}

/** Where a file is to lie that is not there yet. Throws `outside_root` where a link leads out of the space. */
function placeForFile({ notes }: CommandContext, space: Space, file: string): vscode.Uri {
  const root = notes.configured.spaces[space];
  const to = root === undefined ? undefined : path.join(root, ...file.split('/'));
  if (root !== undefined && to !== undefined && liesInside(to, [root])) return vscode.Uri.file(to);
  throw new KaizenError('outside_root', vscode.l10n.t('{0} does not lie in the folder of the notes.', file));
}

async function moveWithin(
  context: CommandContext,
  parts: KaizenParts,
  { space, zettel_id }: Note,
  category: string,
  from: vscode.Uri,
): Promise<TakeBack> {
  const { notes } = parts;
  const change = context.knowledge.change();
  const { revisions } = await recording(context, parts, () =>
    notes.write({ action: 'update', location: space, zettel_id, patch: { category } }, change),
  );
  const moved = notes.note(space, zettel_id);
  const to = moved && (await fileOf(parts, moved));
  if (to) await showWhereMoved(from, to);
  return async () => {
    for (const { id } of revisions) await notes.undo(id, context.knowledge.change());
    if (to) await showWhereMoved(to, from);
  };
}

async function moveFile({ notes }: KaizenParts, from: vscode.Uri, to: vscode.Uri): Promise<void> {
  await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(to, '..'));
  await vscode.workspace.fs.rename(from, to, { overwrite: false });
  notes.touched(from.fsPath);
  notes.touched(to.fsPath);
  await showWhereMoved(from, to);
}

function placeIn(target: unknown): Place | undefined {
  if (!isRecord(target)) return undefined;
  if ('kind' in target) return placeOfNode(target as unknown as NotesNode);
  const { space, category } = target;
  if (!isSpace(space)) return undefined;
  return typeof category === 'string' ? { space, category } : { space };
}
