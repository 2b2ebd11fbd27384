import { isDeepStrictEqual } from 'node:util';
import type { LearningRevision } from '../../learning';

type Change = Pick<LearningRevision, 'kind' | 'id' | 'operation' | 'before' | 'after'>;

/**
 * The last change that still stands: one that was undone does not, unless that undoing was undone as well.
 * @param revisions latest first
 */
export function lastStanding<T extends Change>(revisions: readonly T[]): T | undefined {
  const undoings: T[] = [];
  for (const revision of revisions) {
    const undoneBy = undoings.findIndex((undoing) => takesBack(undoing, revision));
    if (undoneBy >= 0) undoings.splice(undoneBy, 1);
    else if (revision.operation === 'undo') undoings.push(revision);
    else return revision;
  }
  return undefined;
}

/** Changes of several records can be undone in any order: what an undoing took back is told by what it put back. */
function takesBack(undoing: Change, { kind, id, before, after }: Change): boolean {
  if (undoing.kind !== kind || undoing.id !== id) return false;
  return isDeepStrictEqual(undoing.before, after) && isDeepStrictEqual(undoing.after, before);
}
