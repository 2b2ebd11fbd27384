import type * as vscode from 'vscode';
import type { Collection, Note, NoteProblem, RegistryHit, Space, SpaceStatus } from '../../notes';

interface Placed {
  /** Stays the same for the same thing, so that the editor keeps what is unfolded and selected. */
  id: string;
  parent?: NotesNode | undefined;
  /** A filter made it: what is above it is unfolded. */
  filtered?: boolean | undefined;
}

export interface NoteSpaceNode extends Placed {
  kind: 'noteSpace';
  status: SpaceStatus;
  /** What a filter leaves of it. */
  shown?: number | undefined;
}

export interface NoteCategoryNode extends Placed {
  kind: 'noteCategory';
  space: Space;
  /** From the space's root, `/` between its parts. */
  category: string;
  /** Those below it as well. */
  notes: number;
}

export interface NoteNode extends Placed {
  kind: 'note';
  note: Note;
}

export interface NoteProblemNode extends Placed {
  kind: 'noteProblem';
  problem: NoteProblem;
}

export interface NoteCollectionsNode extends Placed {
  kind: 'noteCollections';
  space: Space;
  collections: number;
}

export interface NoteCollectionNode extends Placed {
  kind: 'noteCollection';
  collection: Collection;
}

/** What a collection names and nothing has. */
export interface MissingNoteNode extends Placed {
  kind: 'missingNote';
  zettel_id: string;
}

export interface NoteRegistryNode extends Placed {
  kind: 'noteRegistry';
  /** Without the secret. */
  server: string;
}

export interface RegistryNoteNode extends Placed {
  kind: 'registryNote';
  hit: RegistryHit;
}

export interface MoreNotesNode extends Placed {
  kind: 'moreNotes';
  /** Below which there is more. */
  parent: NotesNode;
  hidden: number;
}

/** A line that says something or offers what to do next. */
export interface NoteHintNode extends Placed {
  kind: 'hint';
  text: string;
  tooltip: string;
  icon: string;
  command?: vscode.Command;
}

export type NotesNode =
  | NoteSpaceNode
  | NoteCategoryNode
  | NoteNode
  | NoteProblemNode
  | NoteCollectionsNode
  | NoteCollectionNode
  | MissingNoteNode
  | NoteRegistryNode
  | RegistryNoteNode
  | MoreNotesNode
  | NoteHintNode;
