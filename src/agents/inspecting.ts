import { lstat } from 'node:fs/promises';
import type { AgentSurroundings, SetUpPiece } from './model';
import type { PieceNote, PieceWriter } from './piece';
import { readSetUpFile, type SetUpFile } from './set-up-file';
import { WRITERS } from './writers';

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
  const reading = isReadable ? writer.read(found.text, around) : found;
  const note = isReadable ? writer.note?.(found.text, around) : undefined;
  const piece: SetUpPiece = {
    id: writer.id,
    kind: writer.kind,
    client: writer.client,
    title: writer.title,
    file: at.file,
    place: at.place,
    state: typeof reading === 'string' ? reading : 'unreadable',
    ...(typeof reading === 'string' ? {} : { problem: reading.unreadable }),
    detected: await isAnyThere([at.file, ...at.traces]),
    ...(note ? noted(note) : {}),
    ...(isReadable && found.text !== undefined ? { starts: writer.started?.(found.text) } : {}),
  };
  return { piece, writer, found: isReadable ? found : undefined };
}

function noted({ sentence, isCovered }: PieceNote): Pick<SetUpPiece, 'note' | 'isCovered'> {
  return { note: sentence, isCovered };
}

/** What a person should know of other pieces: one file by a link, or the same client told the same in two files. */
function noteNeighbours({ piece, found }: InspectedPiece, all: readonly InspectedPiece[]): void {
  const before = all.slice(
    0,
    all.findIndex((each) => each.piece === piece),
  );
  const same = before.find((each) => found && found.file !== piece.file && each.found?.file === found.file);
  if (same) {
    Object.assign(piece, noted({ sentence: `It is a link to the file of ${same.piece.title}.`, isCovered: true }));
    return;
  }
  if (piece.kind !== 'hooks' || piece.state !== 'absent') return;
  const elsewhere = all.find(
    (each) =>
      each.piece !== piece &&
      each.piece.kind === 'hooks' &&
      each.piece.client === piece.client &&
      (each.piece.state === 'current' || each.piece.state === 'outdated'),
  );
  if (!elsewhere) return;
  const sentence = `${elsewhere.piece.title}: its hooks are there already, and here they would say everything twice.`;
  Object.assign(piece, noted({ sentence, isCovered: true }));
}

async function isAnyThere(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (await lstat(path).catch(() => undefined)) return true;
  return false;
}
