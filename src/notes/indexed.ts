import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type { SpaceFiles } from './spaces';

/** So long a change waits for notes that are still being read the first time. */
const PATIENCE_MS = 30_000;

/** Resolves when it is known which notes there are, and who links to which. Throws `store_io` when that takes too long. */
export async function whenIndexed(files: SpaceFiles, signal: AbortSignal | undefined): Promise<void> {
  if (await files.ready(PATIENCE_MS, signal)) return;
  throw new KaizenError(
    'store_io',
    sentence('The notes are still being looked through.'),
    sentence('Try again in a moment.'),
  );
}
