import type { Collection, LinkTarget, Note, NoteLink, ParsedNote, Space } from '../model';

/** What the parts that write notes need of the spaces beside the reading side of `NotesPart`. */
export interface SpaceFiles {
  /**
   * The space's root as a real path, made when it is missing; what the functions of `src/files` take. Throws
   * `invalid_argument` where there is no such space, `read_only` where it cannot be made.
   */
  writableRoot(space: Space): Promise<string>;
  /** A file's bytes as they are now, whether it is a note or not; undefined when there is none. Throws `outside_root`. */
  bytes(space: Space, file: string): Promise<Buffer | undefined>;
  /** Has these files indexed as they are now; to be called after each write. Resolves when everybody sees it. */
  reindex(space: Space, files: readonly string[]): Promise<void>;
  /** The path of a file as answers show it: relative to the workspace where it lies in it, else absolute. */
  shownPath(space: Space, file: string): string;
  /** Who has this id, or a file of this name, in the space, without regard to case: nobody else may take it. */
  holderOf(space: Space, zettelId: string): Note | Collection | undefined;
  /** All notes and collections of both spaces with a link that leads to this note, as resolved now. */
  linkingTo(note: Note): readonly LinkingFile[];
  /** Whether the space is configured. */
  has(space: Space): boolean;
  /** Throws `invalid_argument` where nobody would look for a note: in the other space, or in a folder that is left out. */
  requirePlace(space: Space, file: string): void;
  ready(ms: number, signal?: AbortSignal): Promise<boolean>;
  notes(space?: Space): readonly Note[];
  note(space: Space, zettelId: string): Note | undefined;
  resolve(reference: { zettel_id: string; space?: Space | undefined }): Note;
  collections(space?: Space): readonly Collection[];
  parse(text: string, space: Space, file: string): ParsedNote;
  resolveLink(from: { space: Space; file: string }, link: Pick<NoteLink, 'target' | 'location'>): LinkTarget;
}

/** A file with links to a note. Offsets are those of the text that was indexed: compare its hash before using them. */
export interface LinkingFile {
  space: Space;
  file: string;
  content_hash: string;
  links: ParsedNote['links'];
}
