import {
  ENTRY_TYPES,
  type EntryType,
  type Location,
  SOURCE_TYPES,
  type Source,
  type SourceType,
  SPACES,
  type Space,
} from '../../../notes';
import { type Arguments, type Options, UsageError } from '../../command';
import { chosen } from '../../discovery-arguments';
import { NOTES_OPTIONS, type Session, WRITING_OPTIONS, withKaizen } from '../../session';
import type { Terminal } from '../../terminal';

/** What each command about notes has. */
export const EVERY_NOTES_COMMAND: Options = { ...NOTES_OPTIONS, ...WRITING_OPTIONS };

export const LOCATIONS: readonly Location[] = [...SPACES, 'registry'];

export const SPACE_OPTION: Options = {
  in: { type: 'string', value: 'SPACE', help: 'project or user; the first that has it unless told' },
};

export const LOCATION_OPTION: Options = {
  in: { type: 'string', value: 'LOCATION', help: 'project, user or registry; never the registry unless told' },
};

export const SOURCE_OPTION: Options = {
  source: {
    type: 'string',
    multiple: true,
    value: 'SOURCE',
    help: 'local (project and user) or registry; may be repeated; local unless told',
  },
};

/** The fields of a note that are options. */
export const FIELD_OPTIONS: Options = {
  title: { type: 'string', value: 'TEXT', help: 'its title' },
  type: { type: 'string', value: 'TYPE', help: `${ENTRY_TYPES.join(', ')}` },
  tag: { type: 'string', multiple: true, value: 'TAG', help: 'may be repeated' },
  category: { type: 'string', value: 'FOLDER', help: 'the folder in its space; the one of its type unless told' },
  'source-type': { type: 'string', value: 'TYPE', help: `where it comes from: ${SOURCE_TYPES.join(', ')}` },
  'source-url': { type: 'string', value: 'URL', help: 'the address that it comes from' },
};

/** Opens the stores, and waits until the notes of the spaces are known. */
export function withNotes<T>(
  args: Arguments,
  terminal: Terminal,
  action: (session: Session) => Promise<T>,
): Promise<T> {
  return withKaizen(args, terminal, async (session) => {
    session.notes.start();
    await session.notes.ready(LONGEST_MS);
    return action(session);
  });
}

/** A space that is not read after this long answers with what there is. */
const LONGEST_MS = 10 * 60_000;

export function sourcesOf(args: Arguments): Source[] {
  const named = args.strings('source');
  const sources = named.map((each) => {
    if (each === 'local' || each === 'registry') return each;
    throw new UsageError(`--source takes local or registry, not "${each}".`);
  });
  return sources.length > 0 ? [...new Set(sources)] : ['local'];
}

export function spaceOf(args: Arguments): Space | undefined {
  return chosen(args, 'in', SPACES);
}

export function locationOf(args: Arguments): Location | undefined {
  return chosen(args, 'in', LOCATIONS);
}

export interface GivenFields {
  title?: string | undefined;
  entry_type?: EntryType | undefined;
  tags?: readonly string[] | undefined;
  category?: string | undefined;
  source_type?: SourceType | undefined;
  source_url?: string | undefined;
}

export function fieldsOf(args: Arguments): GivenFields {
  const tags = args.strings('tag');
  return {
    title: args.string('title'),
    entry_type: chosen(args, 'type', ENTRY_TYPES),
    tags: tags.length > 0 ? tags : undefined,
    category: args.string('category'),
    source_type: chosen(args, 'source-type', SOURCE_TYPES),
    source_url: args.string('source-url'),
  };
}
