import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import { CATEGORY_OF, ENTRY_TYPES, type EntryType, type Note, type NotesPart, type Space } from '../../notes';
import { withoutIcons } from '../messages';
import { openNoteFile } from '../notes';
import { entryTypeName, locationName, type NotesNode, noteIcon, placeOfNode } from '../views';
import type { CommandContext } from './command';
import { isRecord } from './given';
import { askInSteps, askText, keep, pick, type Step } from './multi-step';
import { isSpace, notesReady, spacesOf } from './note-given';
import { filledTemplate, proposedId, skeletonOf, typeOfCategory } from './note-templates';

/** What a new note begins with. */
type Template = { type: EntryType } | { note: Note };

interface Answers {
  template: Template;
  title: string;
  zettel_id: string;
  space: Space;
  category?: string;
  /** Asked only where the template does not say it. */
  type?: EntryType;
}

/** Ids are checked by the domain, too, which knows names that Windows reserves; this much is said while typing. */
const ID = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;
const MOST_ID_CHARACTERS = 120;

/**
 * Asks what the note begins with, its title, its id and its space, makes it and opens it.
 * @param given a line of the view, or what is known already: `title`, `zettel_id`, `space`, `category`, `entry_type`
 */
export async function newNote(context: CommandContext, given: unknown): Promise<void> {
  const change = context.knowledge.change();
  const spaces = spacesOf(context);
  const parts = await notesReady(context);
  const initial = startingAt(given);
  const steps = (state: Partial<Answers>): Step<Answers>[] => [
    askTemplate(parts.notes),
    ...(state.template && 'note' in state.template ? [askType] : []),
    askTitle,
    ...(spaces.length > 1 ? [askSpace(spaces)] : []),
    askId(parts.notes, spaces),
  ];
  const answers = await askInSteps<Answers>(vscode.l10n.t('New Note'), steps, initial);
  if (!answers) return;
  const { template, title, zettel_id, space = spaces[0]! } = answers;
  const type = 'type' in template ? template.type : (answers.type ?? 'reference');
  const content =
    'type' in template
      ? skeletonOf(type, title)
      : filledTemplate((await parts.notes.text(template.note)).body, title, new Date());
  const category = answers.category ?? CATEGORY_OF[type];
  const input = { zettel_id, title, content, entry_type: type, category };
  await parts.notes.write({ action: 'create', location: space, input }, change);
  await openNew(parts, space, zettel_id, category);
}

async function openNew({ notes }: KaizenParts, space: Space, zettelId: string, category: string): Promise<void> {
  const file = notes.note(space, zettelId)?.file ?? [category, `${zettelId}.md`].filter(Boolean).join('/');
  await openNoteFile(vscode.Uri.file(await notes.locate(space, file)), { preview: false });
}

function askTemplate(notes: NotesPart): Step<Answers> {
  return async (state, place) => {
    const types = ENTRY_TYPES.map((type) => ({
      label: entryTypeName(type),
      description: CATEGORY_OF[type],
      iconPath: noteIcon(type),
      value: { type } as Template,
    }));
    const own = notes
      .notes()
      .filter(({ category }) => category.split('/')[0] === CATEGORY_OF.template)
      .map((note) => ({
        label: withoutIcons(note.title),
        description: withoutIcons(vscode.l10n.t('your template {0}', note.zettel_id)),
        iconPath: noteIcon('template'),
        value: { note } as Template,
      }));
    const answer = await pick<Template>({
      ...place,
      placeholder: vscode.l10n.t('What it begins with'),
      items: [...types, ...own],
      active: (template) => isSame(template, state.template),
    });
    return keep(answer, (template) => Object.assign(state, { template }));
  };
}

const askType: Step<Answers> = async (state, place) => {
  const items = ENTRY_TYPES.map((type) => ({ label: entryTypeName(type), iconPath: noteIcon(type), value: type }));
  const answer = await pick<EntryType>({
    ...place,
    placeholder: vscode.l10n.t('Type of the note'),
    items,
    active: (type) => type === state.type,
  });
  return keep(answer, (type) => Object.assign(state, { type }));
};

const askTitle: Step<Answers> = async (state, place) => {
  const answer = await askText({
    ...place,
    prompt: vscode.l10n.t('Title of the note'),
    value: state.title,
    validate: (text) => (text.trim() === '' ? vscode.l10n.t('A title is needed.') : undefined),
  });
  return keep(answer, (title) => Object.assign(state, { title: title.trim() }));
};

export function askSpace(spaces: readonly Space[]): Step<{ space: Space }> {
  return async (state, place) => {
    const answer = await pick<Space>({
      ...place,
      placeholder: vscode.l10n.t('Where it lies'),
      items: spaces.map((space) => ({ label: locationName(space), description: spaceMeaning(space), value: space })),
      active: (space) => space === state.space,
    });
    return keep(answer, (space) => Object.assign(state, { space }));
  };
}

function askId(notes: NotesPart, spaces: readonly Space[]): Step<Answers> {
  return async (state, place) => {
    const { title = '', template, space = spaces[0]! } = state;
    const type = template && 'type' in template ? template.type : (state.type ?? 'reference');
    const ids = notes.notes().map(({ zettel_id }) => zettel_id);
    const proposed = state.zettel_id ?? proposedId(title, type, ids);
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t('Id of the note: its file is called so, and links name it'),
      value: proposed,
      validate: (text) => idProblem(notes, space, text.trim()),
    });
    return keep(answer, (zettel_id) => Object.assign(state, { zettel_id: zettel_id.trim() }));
  };
}

/** What is wrong with an id for a new or renamed note, in words. */
export function idProblem(notes: NotesPart, space: Space, id: string): string | undefined {
  if (!ID.test(id) || id.length > MOST_ID_CHARACTERS || id.endsWith('.')) {
    return vscode.l10n.t('An id has letters, digits, "-", "_" and ".", and begins with a letter or a digit.');
  }
  const isTaken = notes.notes(space).some(({ zettel_id }) => zettel_id.toLowerCase() === id.toLowerCase());
  return isTaken ? vscode.l10n.t('Another note of this space has this id.') : undefined;
}

export function spaceMeaning(space: Space): string {
  return space === 'project'
    ? vscode.l10n.t('in this project and its repository')
    : vscode.l10n.t('goes with you through all projects');
}

function startingAt(given: unknown): Partial<Answers> {
  if (!isRecord(given)) return {};
  if ('kind' in given) {
    const place = placeOfNode(given as unknown as NotesNode);
    const type = typeOfCategory(place?.category);
    return { ...place, ...(type ? { template: { type } } : {}) };
  }
  const { title, zettel_id, space, category, entry_type } = given;
  const type = ENTRY_TYPES.find((each) => each === entry_type);
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof zettel_id === 'string' ? { zettel_id } : {}),
    ...(isSpace(space) ? { space } : {}),
    ...(typeof category === 'string' ? { category } : {}),
    ...(type ? { template: { type } } : {}),
  };
}

function isSame(a: Template, b: Template | undefined): boolean {
  if (!b) return false;
  return 'type' in a ? 'type' in b && a.type === b.type : 'note' in b && a.note.uri === b.note.uri;
}
