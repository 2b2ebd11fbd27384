import { DIRECTIONS, type Direction, PROVENANCES, type Provenance, RELATION_TYPES } from '../../../relations';
import { type Arguments, type Option, type Options, UsageError } from '../../command';
import { chosen } from '../../discovery-arguments';
import {
  BASES_OPTIONS,
  LIBRARY_OPTIONS,
  NOTES_OPTIONS,
  type Session,
  WRITING_OPTIONS,
  withKaizen,
} from '../../session';
import type { Terminal } from '../../terminal';

/** Ends may be anywhere. */
export const EVERY_RELATIONS_COMMAND: Options = {
  ...BASES_OPTIONS,
  ...NOTES_OPTIONS,
  ...LIBRARY_OPTIONS,
  ...WRITING_OPTIONS,
};

const TYPES = RELATION_TYPES.join(', ');

export const TYPE_OPTION: Option = {
  type: 'string',
  multiple: true,
  value: 'TYPE',
  help: 'only of this type; may be repeated',
};
export const DIRECTION_OPTION: Option = {
  type: 'string',
  value: 'DIRECTION',
  help: `${DIRECTIONS.join(', ')}, seen from it; both unless told`,
};

/** What is said of ends and types in each help. */
export const ABOUT_ENDS = `An end is an address (knowledge://…) or the id of a passage of the library or of a captured record. Types:\n${TYPES}.`;

/** A file that is not indexed after this long is none of ours. */
const LONGEST_MS = 10 * 60_000;

/** Opens the stores, with all notes and knowledge bases read: a command has one answer, and it is to be whole. */
export function withRelations<T>(
  args: Arguments,
  terminal: Terminal,
  action: (session: Session) => Promise<T>,
): Promise<T> {
  return withKaizen(args, terminal, async (session) => {
    const { bases, notes } = session;
    bases.start();
    notes.start();
    await Promise.all([bases.ready(LONGEST_MS), notes.ready(LONGEST_MS)]);
    return action(session);
  });
}

/** Throws UsageError, naming those that there are. */
export function typeOf(word: string) {
  const type = RELATION_TYPES.find((each) => each === word);
  if (type === undefined) throw new UsageError(`There is no type "${word}". Known are: ${TYPES}.`);
  return type;
}

/** All types unless some are named. */
export function typesOf(args: Arguments) {
  const words = args.strings('type');
  return words.length > 0 ? words.map(typeOf) : undefined;
}

export function directionOf(args: Arguments): Direction | undefined {
  return chosen(args, 'direction', DIRECTIONS);
}

export function provenanceOf(args: Arguments): Provenance | undefined {
  return chosen(args, 'created-by', PROVENANCES);
}
