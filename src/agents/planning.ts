import { KaizenError } from '../core/errors';
import { type InspectedPiece, inspectPieces } from './inspecting';
import type { AgentSurroundings, FileChange, SetUpChoice } from './model';
import { WRITERS } from './writers';

/**
 * What would become of which files: one change a file, whatever pieces are in it. What cannot be read is left out
 * (`inspect` says so), and so is what is as it should be. Writes nothing.
 * Throws `invalid_argument` for a piece that there is not, or that is to come and to go at once.
 */
export async function plan(around: AgentSurroundings, choice: SetUpChoice): Promise<FileChange[]> {
  const pieces = await inspectPieces(around);
  checkChoice(pieces, choice);
  const changes = new Map<string, FileChange>();
  const change = ({ piece, found }: InspectedPiece, to: (text: string | undefined) => string | undefined) => {
    if (!found) return;
    const planned = changes.get(found.file) ?? { file: found.file, before: found.text, after: found.text, pieces: [] };
    const after = to(planned.after);
    if (after === planned.after) return;
    changes.set(found.file, { ...planned, after, pieces: [...planned.pieces, piece.id] });
  };
  // What goes goes first: two pieces may be one section of one file, by a link.
  for (const each of pieces.filter(({ piece }) => choice.remove.includes(piece.id))) {
    change(each, (text) => {
      const isThere = text !== undefined && /^(?:current|outdated)$/.test(readingOf(each, text, around));
      return isThere ? each.writer.remove(text, around) : text;
    });
  }
  for (const each of pieces.filter(({ piece }) => choice.install.includes(piece.id))) {
    change(each, (text) => (readingOf(each, text, around) === 'unreadable' ? text : each.writer.write(text, around)));
  }
  return [...changes.values()].filter(({ before, after }) => before !== after);
}

function readingOf({ writer }: InspectedPiece, text: string | undefined, around: AgentSurroundings): string {
  const reading = writer.read(text, around);
  return typeof reading === 'string' ? reading : 'unreadable';
}

function checkChoice(pieces: readonly InspectedPiece[], { install, remove }: SetUpChoice): void {
  const known = pieces.map(({ piece }) => piece.id);
  // What is listed only where it is there is gone where it is not: to take it away is no mistake.
  const gone = WRITERS.flatMap(({ id, isOnlyTaken }) => (isOnlyTaken ? [id] : []));
  const unknown =
    install.find((id) => !known.includes(id)) ?? remove.find((id) => !known.includes(id) && !gone.includes(id));
  if (unknown !== undefined) {
    const hint = `There are: ${known.join(', ')}.`;
    throw new KaizenError('invalid_argument', `There is no piece called "${unknown}" to set up.`, hint);
  }
  const both = install.find((id) => remove.includes(id));
  if (both === undefined) return;
  throw new KaizenError(
    'invalid_argument',
    `"${both}" cannot be installed and removed at once.`,
    'Choose one of them.',
  );
}
