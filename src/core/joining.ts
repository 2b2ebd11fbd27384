import type { Turns } from './turns';

/** Bytes that are copied in one go: some milliseconds. */
const PIECE = 1024 * 1024;

/** The parts one after the other, up to `size` bytes, in a buffer of their own that can be handed to another thread; in short turns. */
export async function joinInTurns(
  parts: readonly Uint8Array[],
  size: number,
  turns: Turns,
): Promise<Uint8Array<ArrayBuffer>> {
  // Filling 100 MB with zeros takes longer than a turn, and all of it is written over.
  const all = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer as ArrayBuffer);
  let at = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length && at < size; ) {
      const piece = part.subarray(from, from + Math.min(PIECE, size - at));
      all.set(piece, at);
      from += piece.length;
      at += piece.length;
      await turns.pause();
    }
  }
  return all;
}
