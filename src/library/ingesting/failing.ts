import { describeError, isKaizenError } from '../../core/errors';
import type { DocumentMetadata } from '../model';
import { LIMITS } from './limits';
import { checkedOverrides, later, unreadDocument, whereFrom } from './metadata';
import { MissingFile } from './reading-origins';
import type { Task, Work } from './work';

/** Keeps what went wrong with its source: alone where nothing was read of it, else beside what it says. Never throws. */
export async function keepFailure(
  { keeper, surroundings, change }: Work,
  { origin, overrides, format }: Task,
  before: DocumentMetadata | undefined,
  error: unknown,
): Promise<void> {
  if (origin.kind === 'content' || !isKaizenError(error) || change.signal?.aborted) return;
  if (error.code !== 'unreadable_source' && error.code !== 'fetch_failed') return;
  // A slip in a path is no source.
  if (!before && error instanceof MissingFile) return;
  const now = later(surroundings.clock.now(), before);
  const processing_error = describeError(error).slice(0, LIMITS.error);
  const said = { overrides: checkedOverrides(overrides, before?.overrides), format };
  const document: DocumentMetadata = before
    ? { ...before, processing_error, updated_at: now }
    : {
        ...unreadDocument(origin, { ...whereFrom(origin, surroundings, change.by_agent), chunks: [] }, said),
        processing_error,
        added_by: change.author,
        created_at: now,
        updated_at: now,
      };
  try {
    await keeper.put(document, undefined, before?.updated_at ?? null);
  } catch (failure) {
    // The error itself is told in any case.
    surroundings.log(`The library: ${origin.name} is not listed as failed: ${describeError(failure)}`);
  }
}
