import {
  ENTRY_TYPES,
  type EntryType,
  type Note,
  type NoteHeading,
  type NotesPart,
  RELATIONSHIP_TYPES,
  SOURCE_TYPES,
  type Space,
} from '../../notes';
import type { Caret } from './caret';
import { rankNotes } from './note-ranking';

/** What can be chosen where the caret stands. */
export interface Choice {
  kind: 'note' | 'section' | 'space' | 'key' | 'value' | 'tag';
  /** What the list shows. */
  label: string;
  /** Beside it, in grey. */
  description?: string;
  entry_type?: EntryType | undefined;
  space?: Space;
  /** What takes the place of `from` to `to`. */
  text: string;
  /** A `|` in the text is where the caret goes. */
  hasCaret?: true;
  /** The note that it leads to. */
  note?: Note;
}

export interface Completion {
  from: number;
  to: number;
  choices: Choice[];
  /** There are more; more letters may bring them. */
  isCut: boolean;
}

/** More than a person looks through. */
const MOST_CHOICES = 100;
/** The seed's order. */
const FIELDS = [
  'zettel_id',
  'title',
  'entry_type',
  'tags',
  'source_type',
  'source_url',
  'created_at',
  'updated_at',
  'relationships',
] as const;

type Notes = Pick<NotesPart, 'notes' | 'resolveLink'>;

/** What a caret can be completed with, best first. `present` are the keys that the front matter has already. */
export function completionsFor(
  notes: Notes,
  at: { space: Space; file: string },
  caret: Caret,
  own: { headings: readonly NoteHeading[]; present: ReadonlySet<string> },
): Completion {
  const place = { from: caret.from, to: caret.to };
  switch (caret.kind) {
    case 'target': {
      const close = caret.close;
      const found = noteChoices(notes, at, caret.typed, caret.prefix);
      const spaces = caret.prefix === undefined ? spaceChoices(caret.typed) : [];
      const choices = found.map((choice) => ({ ...choice, text: choice.text + close }));
      return { ...place, choices: [...choices, ...spaces], isCut: true };
    }
    case 'section': {
      const sections = sectionChoices(notes, at, caret.target, own.headings);
      const choices = sections.map((choice) => ({ ...choice, text: choice.text + caret.close }));
      return { ...place, choices, isCut: false };
    }
    case 'key': {
      const keys = FIELDS.filter((key) => !own.present.has(key));
      return { ...place, choices: keys.map(keyChoice), isCut: false };
    }
    case 'relationship':
      return {
        ...place,
        choices: RELATIONSHIP_TYPES.map((type) => ({ kind: 'key', label: type, text: `${type}: [|]`, hasCaret: true })),
        isCut: false,
      };
    case 'value':
      return { ...place, choices: values(valuesOf(caret.key), caret.gap), isCut: false };
    case 'item': {
      const gap = caret.gap === '' ? ' ' : '';
      if (caret.key === 'tags') return { ...place, choices: tagChoices(notes, gap), isCut: false };
      if (!caret.key.startsWith('relationships.')) return { ...place, choices: [], isCut: false };
      const typed = /^(project|user|registry):\s*(.*)$/.exec(caret.typed);
      const found = noteChoices(notes, at, typed?.[2] ?? caret.typed, typed?.[1]);
      const prefix = typed ? `${typed[1]}:` : '';
      return { ...place, choices: found.map((each) => ({ ...each, text: gap + prefix + each.text })), isCut: true };
    }
  }
}

/** Notes for a link from a place; `prefix` is the space that was named. Nothing of the registry is known here. */
export function noteChoices(
  notes: Pick<NotesPart, 'notes'>,
  at: { space: Space; file: string },
  typed: string,
  prefix: string | undefined,
): Choice[] {
  if (prefix === 'registry') return [];
  const space = prefix === 'project' || prefix === 'user' ? prefix : undefined;
  const near = { space: at.space, category: at.file.split('/').slice(0, -1).join('/') };
  const others = notes.notes(space).filter(({ space, file }) => space !== at.space || file !== at.file);
  const inOwnSpace = new Set(others.filter((note) => note.space === at.space).map(({ zettel_id }) => zettel_id));
  return rankNotes(others, typed, near, MOST_CHOICES).map((note) => ({
    kind: 'note',
    label: note.zettel_id,
    description: note.title,
    entry_type: note.entry_type,
    space: note.space,
    // Without its space the id would lead to the note of this one.
    text:
      !space && note.space !== at.space && inOwnSpace.has(note.zettel_id)
        ? `${note.space}:${note.zettel_id}`
        : note.zettel_id,
    note,
  }));
}

/** Tags that notes have, the most frequent first. */
export function knownTags(notes: Pick<NotesPart, 'notes'>): string[] {
  const counts = new Map<string, number>();
  for (const { tags } of notes.notes()) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([tag]) => tag);
}

function spaceChoices(typed: string): Choice[] {
  return (['project', 'user', 'registry'] as const)
    .filter((space) => space.startsWith(typed.toLowerCase()))
    .map((space) => ({ kind: 'space', label: `${space}:`, text: `${space}:` }));
}

/** The sections of what a link leads to; of the note itself where it names none. */
export function sectionChoices(
  notes: Pick<NotesPart, 'resolveLink'>,
  at: { space: Space; file: string },
  target: string,
  own: readonly NoteHeading[],
): Choice[] {
  const [, location, id] = /^(?:(project|user|registry):\s*)?(.*)$/s.exec(target.trim())!;
  const named = location as Space | 'registry' | undefined;
  const found = id === '' ? undefined : notes.resolveLink(at, { target: id!, location: named });
  const headings = found?.kind === 'note' ? found.note.headings : id === '' ? own : [];
  return headings
    .filter(({ title }) => title !== '' && !/[[\]|#]/.test(title))
    .slice(0, MOST_CHOICES)
    .map(({ title, level }) => ({ kind: 'section', label: title, description: '#'.repeat(level), text: title }));
}

function keyChoice(key: (typeof FIELDS)[number]): Choice {
  if (key === 'relationships') return { kind: 'key', label: key, text: `${key}:\n  |`, hasCaret: true };
  if (key === 'tags') return { kind: 'key', label: key, text: `${key}: [|]`, hasCaret: true };
  return { kind: 'key', label: key, text: `${key}: |`, hasCaret: true };
}

function valuesOf(key: string): readonly string[] {
  if (key === 'entry_type') return ENTRY_TYPES;
  return key === 'source_type' ? SOURCE_TYPES : [];
}

function values(all: readonly string[], gap: string): Choice[] {
  return all.map((value) => ({ kind: 'value', label: value, text: gap === '' ? ` ${value}` : value }));
}

function tagChoices(notes: Pick<NotesPart, 'notes'>, gap: string): Choice[] {
  return knownTags(notes)
    .slice(0, MOST_CHOICES)
    .map((tag) => ({
      kind: 'tag',
      label: tag,
      text: gap + (/^[\p{L}\p{N}][\p{L}\p{N} _./-]*$/u.test(tag) ? tag : JSON.stringify(tag)),
    }));
}
