import type { NoteRevision } from '../../notes';

/**
 * The last change that still stands: one that was undone does not, unless that undoing was undone as well.
 * @param revisions latest first
 */
export function lastStanding(revisions: readonly NoteRevision[]): NoteRevision | undefined {
  const undoings: NoteRevision[] = [];
  for (const revision of revisions) {
    const undoneBy = undoings.findIndex((undoing) => takesBack(undoing, revision));
    if (undoneBy >= 0) undoings.splice(undoneBy, 1);
    else if (revision.action === 'undo') undoings.push(revision);
    else return revision;
  }
  return undefined;
}

/** Changes can be undone in any order: what an undoing took back is told by the texts that it put back. */
function takesBack(undoing: NoteRevision, revision: NoteRevision): boolean {
  if (undoing.space !== revision.space || undoing.zettel_id !== revision.zettel_id) return false;
  return undoing.files.every(({ space, file, before, after }) =>
    revision.files.some(
      (each) => each.space === space && each.file === file && each.before === after && each.after === before,
    ),
  );
}
