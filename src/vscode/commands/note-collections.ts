import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import type { KaizenParts } from '../../kaizen';
import {
  COLLECTION_TYPES,
  type Collection,
  type CollectionType,
  type Note,
  type NoteRevision,
  type Space,
} from '../../notes';
import { withoutIcons } from '../messages';
import { collectionTypeName, locationName, noteCount, noteIcon, placeInCollection } from '../views';
import type { CommandContext } from './command';
import { isRecord } from './given';
import { askInSteps, askText, keep, pick, pickMany, type Step } from './multi-step';
import { chooseNotes, isSpace, noteIn, notesReady, requireSavedFiles, spacesOf } from './note-given';
import { askSpace } from './note-new';
import { announceUndoable, recording } from './note-writes';

interface Answers {
  space: Space;
  name: string;
  description: string;
  type: CollectionType;
  notes: readonly Note[];
}

/** Asks for a name, what it is for, and its notes; a collection is a Markdown file with one link a line. */
export async function newCollection(context: CommandContext, given: unknown): Promise<void> {
  const change = context.knowledge.change();
  const spaces = spacesOf(context);
  const parts = await notesReady(context);
  const space = isRecord(given) && isSpace(given.space) ? given.space : undefined;
  const steps = [
    askName,
    askType,
    askDescription,
    ...(spaces.length > 1 ? [askSpace(spaces) as Step<Answers>] : []),
    askMembers(parts),
  ];
  const initial: Partial<Answers> = space ? { space } : {};
  const answers = await askInSteps<Answers>(vscode.l10n.t('New Collection'), steps, initial);
  if (!answers) return;
  const { name, description, type, notes } = answers;
  const location = answers.space ?? spaces[0]!;
  const zettel_ids = notes.map(({ zettel_id }) => zettel_id);
  const input = { name, description, collection_type: type, zettel_ids };
  const { revisions } = await recording(context, parts, () =>
    parts.notes.write({ action: 'create_collection', location, input }, change),
  );
  announceUndoable(context, parts, vscode.l10n.t('Made the collection {0}.', name), revisions);
}

/** Adds notes to a collection, at its end.
 * @param first a line of the view: a collection, or notes; and what is selected with it */
export async function addToCollection(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  context.knowledge.change();
  const parts = await notesReady(context);
  const title = vscode.l10n.t('Add to Collection');
  const given = collectionIn(first);
  const collection = given ?? (await chooseCollection(parts, title));
  if (!collection) return;
  const notes = given
    ? await notesFor(parts, title, collection, others)
    : await chooseNotes(context, parts, title, first, others);
  const added = notes.filter(({ zettel_id }) => !collection.zettel_ids.includes(zettel_id));
  if (added.length === 0) {
    if (notes.length > 0) void vscode.window.showInformationMessage(vscode.l10n.t('They are in it already.'));
    return;
  }
  const zettel_ids = [...collection.zettel_ids, ...added.map(({ zettel_id }) => zettel_id)];
  const revisions = await setMembers(context, parts, collection, zettel_ids);
  const [one] = added;
  const message =
    added.length === 1
      ? vscode.l10n.t('Added {0} to {1}.', one!.zettel_id, collection.name)
      : vscode.l10n.t('Added {0} notes to {1}.', added.length, collection.name);
  announceUndoable(context, parts, message, revisions);
}

/** Takes notes out of the collection below which they are shown; the notes stay. */
export async function removeFromCollection(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  context.knowledge.change();
  const parts = await notesReady(context);
  const lines = Array.isArray(others) && others.length > 0 ? others : [first];
  const collection = collectionIn(isRecord(first) ? first.parent : undefined);
  if (!collection) return;
  const members = lines.filter((line) => isRecord(line) && collectionIn(line.parent)?.id === collection.id);
  const removed = new Set(members.map(placeInCollection));
  const zettel_ids = collection.zettel_ids.filter((_, index) => !removed.has(index));
  const revisions = await setMembers(context, parts, collection, zettel_ids);
  const message = vscode.l10n.t('Taken out of {0}: {1}.', collection.name, members.length);
  announceUndoable(context, parts, message, revisions);
}

/** Deletes a collection; its notes stay. */
export async function deleteCollection(context: CommandContext, given: unknown): Promise<void> {
  const change = context.knowledge.change();
  const parts = await notesReady(context);
  const title = vscode.l10n.t('Delete Collection');
  const collection = collectionIn(given) ?? (await chooseCollection(parts, title));
  if (!collection) return;
  const confirm = vscode.l10n.t('Delete');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Delete the collection "{0}"?', collection.name),
    { modal: true, detail: vscode.l10n.t('Its notes stay. This can be undone.') },
    confirm,
  );
  if (choice !== confirm) return;
  const location = spaceOf(collection);
  const { revisions } = await recording(context, parts, () =>
    parts.notes.write({ action: 'delete_collection', location, id: collection.id }, change),
  );
  announceUndoable(context, parts, vscode.l10n.t('Deleted the collection {0}.', collection.name), revisions);
}

async function setMembers(
  context: CommandContext,
  parts: KaizenParts,
  collection: Collection,
  zettel_ids: readonly string[],
): Promise<readonly NoteRevision[]> {
  const change = context.knowledge.change();
  const location = spaceOf(collection);
  if (collection.file !== undefined) {
    requireSavedFiles([vscode.Uri.file(await parts.notes.locate(location, collection.file))]);
  }
  const write = { action: 'update_collection', location, id: collection.id, patch: { zettel_ids } } as const;
  return (await recording(context, parts, () => parts.notes.write(write, change))).revisions;
}

function spaceOf({ location, name }: Collection): Space {
  if (location !== 'registry') return location;
  throw new KaizenError('unknown_collection', vscode.l10n.t('The collection {0} is no file of a space.', name));
}

async function notesFor(
  parts: KaizenParts,
  title: string,
  collection: Collection,
  others: unknown,
): Promise<readonly Note[]> {
  const given = Array.isArray(others) ? others.flatMap((value) => noteIn(value, parts.notes) ?? []) : [];
  if (given.length > 0) return given;
  const ask = askMembers(parts, new Set(collection.zettel_ids));
  return (await askInSteps<Answers>(title, [ask]))?.notes ?? [];
}

async function chooseCollection({ notes }: KaizenParts, title: string): Promise<Collection | undefined> {
  const collections = notes.collections();
  if (collections.length === 0) {
    throw new KaizenError(
      'unknown_collection',
      vscode.l10n.t('There is no collection yet.'),
      vscode.l10n.t('Begin with Kaizen: New Collection of Notes.'),
    );
  }
  const items = collections.map((collection) => ({
    label: withoutIcons(collection.name),
    description: [locationName(collection.location), noteCount(collection.zettel_ids.length)].join(' · '),
    collection,
  }));
  return (await vscode.window.showQuickPick(items, { title }))?.collection;
}

const askName: Step<Answers> = async (state, place) => {
  const answer = await askText({
    ...place,
    prompt: vscode.l10n.t('Name of the collection'),
    value: state.name,
    validate: (text) => (/[\p{L}\p{N}]/u.test(text) ? undefined : vscode.l10n.t('A name is needed.')),
  });
  return keep(answer, (name) => Object.assign(state, { name: name.trim() }));
};

const askType: Step<Answers> = async (state, place) => {
  const items = COLLECTION_TYPES.map((type) => ({ label: collectionTypeName(type), description: type, value: type }));
  const answer = await pick<CollectionType>({
    ...place,
    placeholder: vscode.l10n.t('What kind of collection it is'),
    items,
    active: (type) => type === state.type,
  });
  return keep(answer, (type) => Object.assign(state, { type }));
};

const askDescription: Step<Answers> = async (state, place) => {
  const answer = await askText({
    ...place,
    prompt: vscode.l10n.t('What it is for, in a sentence; may be empty'),
    value: state.description,
  });
  return keep(answer, (description) => Object.assign(state, { description: description.trim() }));
};

function askMembers({ notes }: KaizenParts, without: ReadonlySet<string> = new Set()): Step<Answers> {
  return async (state, place) => {
    const items = notes
      .notes()
      .filter(({ zettel_id }) => !without.has(zettel_id))
      .map((note) => ({
        label: withoutIcons(note.title),
        description: withoutIcons(
          [note.zettel_id, locationName(note.space), note.category].filter(Boolean).join(' · '),
        ),
        iconPath: noteIcon(note.entry_type),
        value: note,
      }));
    const answer = await pickMany<Note>({
      ...place,
      placeholder: vscode.l10n.t('Notes of the collection'),
      items,
      active: (note) => state.notes?.includes(note) ?? false,
    });
    return keep(answer, (chosen) => Object.assign(state, { notes: chosen }));
  };
}

function collectionIn(value: unknown): Collection | undefined {
  if (!isRecord(value) || value.kind !== 'noteCollection' || !isRecord(value.collection)) return undefined;
  return value.collection as unknown as Collection;
}
