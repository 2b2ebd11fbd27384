import type { BasesPart } from '../bases';
import { isKaizenError, KaizenError } from '../core/errors';

/** So long a question waits for the first indexing before it answers from what there is. */
const WAIT_MS = 2_000;

/** Begins to index, if nothing else has, and waits a little. False when some of it is still to come. */
export function indexed(bases: BasesPart, signal?: AbortSignal): Promise<boolean> {
  bases.start();
  return bases.ready(WAIT_MS, signal);
}

/** Looks something up among the nodes: what is unknown while they are still being indexed may only be unknown yet. */
export async function amongNodes<T>(bases: BasesPart, signal: AbortSignal, look: () => T | Promise<T>): Promise<T> {
  const isComplete = await indexed(bases, signal);
  try {
    return await look();
  } catch (error) {
    if (isComplete || !isKaizenError(error) || error.code !== 'unknown_node') throw error;
    const hint = 'The knowledge bases are still being indexed: try again in a few seconds.';
    throw new KaizenError(error.code, error.message, hint, { cause: error });
  }
}
