import { stat } from 'node:fs/promises';
import { isSamePlace } from '../core/locations';
import { sentence } from '../core/sentence';
import { LOCATION_FLAGS } from './clients/command-line';
import { otherFlagsNote } from './hook-stores';
import type { AgentSurroundings, SetUpPiece } from './model';
import type { PieceNote, PieceReading, PieceWriter } from './piece';
import { readSetUpFile, type SetUpFile } from './set-up-file';
import { isAnySign } from './traces';
import { WRITERS } from './writers';

const AGENTS_FILE = 'instructions:AGENTS.md';
/**
 * Of agents that read AGENTS.md too (https://cursor.com/docs/context/rules, "AGENTS.md";
 * https://docs.github.com/copilot/how-tos/configure-custom-instructions/add-repository-instructions).
 */
const READS_AGENTS_FILE = ['instructions:.github/copilot-instructions.md', 'instructions:.cursor/rules/kaizen.mdc'];

const MOST_NAMES = 10;
const LONGEST_NAME = 60;

/** A piece with what planning needs. */
export interface InspectedPiece {
  piece: SetUpPiece;
  writer: PieceWriter;
  /** Undefined where it cannot be read. */
  found: SetUpFile | undefined;
}

/** All pieces of this platform with their state, in the order in which they are shown. Reads files only; never throws for what is in them. */
export async function inspect(around: AgentSurroundings): Promise<SetUpPiece[]> {
  return (await inspectPieces(around)).map(({ piece }) => piece);
}

export async function inspectPieces(around: AgentSurroundings): Promise<InspectedPiece[]> {
  const inspected: InspectedPiece[] = [];
  for (const writer of WRITERS) {
    const each = await inspectOne(writer, around);
    if (each) inspected.push(each);
  }
  for (const each of inspected) noteNeighbours(each, inspected);
  return inspected;
}

async function inspectOne(writer: PieceWriter, around: AgentSurroundings): Promise<InspectedPiece | undefined> {
  const at = writer.place(around);
  if (at === undefined) return undefined;
  const found = await readSetUpFile(at.file, around);
  const isReadable = !('unreadable' in found);
  const text = isReadable ? found.text : undefined;
  const servesFolder = text === undefined ? undefined : await otherFolder(writer.served?.(text), around);
  const there = servesFolder === undefined ? around : inFolder(servesFolder, around);
  const reading: PieceReading = isReadable ? writer.read(found.text, there) : found;
  // What is wrong with the file says the piece that could be set up in it.
  if (writer.isOnlyTaken && (!isReadable || reading === 'absent')) return undefined;
  const notes = writer.notes?.(text, around) ?? [];
  const state = typeof reading === 'string' ? reading : 'unreadable';
  const piece: SetUpPiece = {
    id: writer.id,
    kind: writer.kind,
    client: writer.client,
    title: writer.title,
    file: at.file,
    place: at.place,
    state,
    ...(typeof reading === 'string' ? {} : { problem: reading.unreadable, holdsNothing: reading.holdsNothing }),
    hasFile: text !== undefined,
    isThere: state === 'current' || state === 'outdated',
    detected: await isAnySign([at.file, ...at.traces], around),
    notes: [],
    ...(text !== undefined ? { starts: writer.started?.(text) } : {}),
  };
  const ownSettings = (piece.isThere && text !== undefined ? (writer.ownSettings?.(text, there) ?? []) : [])
    // Which stores it was given belongs to the folder.
    .filter((name) => servesFolder === undefined || !LOCATION_FLAGS.includes(name));
  if (ownSettings.length > 0) {
    piece.ownSettings = ownSettings;
    note(piece, {
      sentence: sentence('Settings of its own: {0}. They can lead its agents elsewhere.', listed(ownSettings)),
      isCovered: false,
    });
  }
  const otherFlags = piece.isThere && text !== undefined ? writer.otherFlags?.(text, around) : undefined;
  if (otherFlags) {
    piece.otherFlags = otherFlags;
    note(piece, otherFlagsNote(otherFlags, state, around));
  }
  if (servesFolder === undefined) for (const each of notes) note(piece, each);
  else {
    piece.servesFolder = servesFolder;
    const served = sentence('It serves another folder ({0}) until it is set up for this one by name.', servesFolder);
    note(piece, { sentence: served, isCovered: true });
  }
  return { piece, writer, found: isReadable ? found : undefined };
}

/** The folder, where it is another one than this and still there. */
async function otherFolder(
  folder: string | undefined,
  { workspace, platform }: AgentSurroundings,
): Promise<string | undefined> {
  if (folder === undefined || isSamePlace(folder, workspace, platform)) return undefined;
  const stats = await stat(folder).catch(() => undefined);
  return stats?.isDirectory() ? folder : undefined;
}

/** What is right in another folder: which stores and which project are meant there is not known here. */
function inFolder(workspace: string, around: AgentSurroundings): AgentSurroundings {
  return { ...around, workspace, kaizen: { ...around.kaizen, flags: [] } };
}

function note(piece: SetUpPiece, { sentence, isCovered, isWarning }: PieceNote): void {
  piece.notes = [...piece.notes, sentence];
  if (isWarning) piece.warnings = [...(piece.warnings ?? []), sentence];
  piece.isCovered ||= isCovered;
}

/** Names that anybody may have put into a file of a repository. */
function listed(names: readonly string[]): string {
  const shown = [...new Set(names)].slice(0, MOST_NAMES).map((name) => name.slice(0, LONGEST_NAME));
  return [...shown, ...(names.length > MOST_NAMES ? ['…'] : [])].join(', ');
}

/** What a person should know of other pieces: one file by a link, or the same client told the same in two files. */
function noteNeighbours({ piece, found }: InspectedPiece, all: readonly InspectedPiece[]): void {
  const before = all.slice(
    0,
    all.findIndex((each) => each.piece === piece),
  );
  const same = before.find(
    (each) => each.piece.kind === piece.kind && found && found.file !== piece.file && each.found?.file === found.file,
  );
  if (same) {
    const sameFile = sentence('It is a link to the file of {0}.', same.piece.title);
    note(piece, { sentence: sameFile, isCovered: true });
    return;
  }
  const agentsFile = all.find(({ writer }) => writer.id === AGENTS_FILE)?.piece;
  if (READS_AGENTS_FILE.includes(piece.id) && agentsFile && (agentsFile.isThere || isProposed(agentsFile))) {
    const both = sentence('Told twice with AGENTS.md: agents that read this file read that one as well.');
    note(piece, { sentence: both, isCovered: !piece.isThere });
  }
  if (piece.kind !== 'hooks') return;
  const elsewhere = all.find(
    (each) =>
      each.piece !== piece && each.piece.kind === 'hooks' && each.piece.client === piece.client && each.piece.isThere,
  );
  if (!elsewhere) return;
  const twice = sentence('Said twice with the hooks of "{0}".', elsewhere.piece.title);
  note(piece, { sentence: twice, isCovered: !piece.isThere });
}

function isProposed({ state, detected, isCovered }: SetUpPiece): boolean {
  return state === 'absent' && detected && !isCovered;
}
