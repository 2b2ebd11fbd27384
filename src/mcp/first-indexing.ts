import type { BasesPart } from '../bases';
import { type ErrorCode, isKaizenError, KaizenError } from '../core/errors';
import type { NotesPart } from '../notes';

/** So long a question waits for the first indexing before it answers from what there is. */
const WAIT_MS = 2_000;

/** Begins to index, if nothing else has, and waits a little. False when some of it is still to come. */
export function indexed(part: Pick<BasesPart | NotesPart, 'start' | 'ready'>, signal?: AbortSignal): Promise<boolean> {
  part.start();
  return part.ready(WAIT_MS, signal);
}

/** Looks something up among the nodes: what is unknown while they are still being indexed may only be unknown yet. */
export function amongNodes<T>(bases: BasesPart, signal: AbortSignal, look: () => T | Promise<T>): Promise<T> {
  return among(bases, 'unknown_node', 'The knowledge bases are still being indexed', signal, look);
}

/** The same among the notes of the two spaces. */
export function amongNotes<T>(notes: NotesPart, signal: AbortSignal, look: () => T | Promise<T>): Promise<T> {
  return among(notes, 'unknown_note', 'The notes are still being indexed', signal, look);
}

async function among<T>(
  part: BasesPart | NotesPart,
  unknown: ErrorCode,
  still: string,
  signal: AbortSignal,
  look: () => T | Promise<T>,
): Promise<T> {
  const isComplete = await indexed(part, signal);
  try {
    return await look();
  } catch (error) {
    if (isComplete || !isKaizenError(error) || error.code !== unknown) throw error;
    throw new KaizenError(error.code, error.message, `${still}: try again in a few seconds.`, { cause: error });
  }
}
