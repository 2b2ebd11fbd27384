import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { Note, Space } from '../../notes';
import { withoutLinks } from '../messages';
import { showWhereMoved } from '../notes';
import { locationName, type NotesNode, placeOfNode } from '../views';
import type { CommandContext } from './command';
import { oneByOne } from './entry-changes';
import { isRecord } from './given';
import { withProgress } from './long-work';
import { askInSteps, keep, pick, type Step } from './multi-step';
import { chooseNotes, fileOf, filesToChange, isSpace, notesReady, requireSavedFiles, spacesOf } from './note-given';
import { askSpace } from './note-new';
import { announceUndoable, recording } from './note-writes';

interface Place {
  space: Space;
  /** Without it each note keeps its own. */
  category?: string | undefined;
}

/**
 * Moves notes to another category, where links by path follow, or to another space as they are.
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
  const { result: moved, revisions } = await recording(context, parts, () =>
    oneByOne(context, moves, vscode.l10n.t('Moving notes'), (each) => moveOne(context, parts, each, place)),
  );
  const [one] = moved;
  if (!one) return;
  const where = [locationName(place.space), place.category].filter(Boolean).join(', ');
  const message =
    moved.length === 1
      ? vscode.l10n.t('Moved {0} to {1}.', one.zettel_id, where)
      : vscode.l10n.t('Moved {0} notes to {1}.', moved.length, where);
  announceUndoable(context, parts, message, revisions);
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

async function moveOne(context: CommandContext, parts: KaizenParts, note: Note, place: Place): Promise<void> {
  const { notes } = parts;
  const { space: location, zettel_id } = note;
  const { space, category = note.category } = place;
  const write = { action: 'update', location, zettel_id, patch: { space, category } } as const;
  const from = await fileOf(parts, note);
  requireSavedFiles([from, ...(await filesToChange(parts, write))]);
  await withProgress(withoutLinks(vscode.l10n.t('Moving {0}', zettel_id)), ({ signal }) =>
    notes.write(write, { ...context.knowledge.change(), signal }),
  );
  const moved = notes.note(space, zettel_id);
  if (moved) await showWhereMoved(from, await fileOf(parts, moved));
}

function placeIn(target: unknown): Place | undefined {
  if (!isRecord(target)) return undefined;
  if ('kind' in target) return placeOfNode(target as unknown as NotesNode);
  const { space, category } = target;
  if (!isSpace(space)) return undefined;
  return typeof category === 'string' ? { space, category } : { space };
}
