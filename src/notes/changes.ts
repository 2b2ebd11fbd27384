import type { NoteChange, NotePreview, NoteRevision, Space } from './model';

/** A file of a space as it was read, and as it is to be. Undefined where there is none. */
export interface FileChange {
  space: Space;
  /** Relative to the space's root. */
  file: string;
  before: Buffer | undefined;
  after: string | undefined;
  /** The file whose place this one takes: it is moved here, so that a name may differ from the old one in case alone. */
  movedFrom?: string | undefined;
}

/** Files that change together, for one reason: one revision. */
export interface ChangeSet {
  space: Space;
  zettel_id: string;
  action: NoteRevision['action'];
  files: readonly FileChange[];
}

/** Who writes what others planned. */
export interface ChangeWriter {
  /**
   * Compares every `before` with the disk, keeps the revision, then writes file after file, and has them indexed.
   * Throws `conflict` when a file is another one, and as the functions of `src/files` do; what had been written until
   * then is put back.
   */
  commit(set: ChangeSet, change: NoteChange): Promise<NoteRevision | undefined>;
}

/** What a person sees of it before it is done: of a file that moves both names. */
export function previewOf(files: readonly FileChange[]): NotePreview {
  return {
    files: files.flatMap(({ space, file, before, after, movedFrom }): NotePreview['files'][number][] => {
      const old = before?.toString('utf8');
      if (movedFrom === undefined || movedFrom === file) return [{ space, file, before: old, after }];
      return [
        { space, file: movedFrom, before: old },
        { space, file, after },
      ];
    }),
  };
}
