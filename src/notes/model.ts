import type { Sentence } from '../core/sentence';
import type { Registry, RegistryOptions, RegistryVersion } from './registry/model';
import type {
  Collection,
  CollectionInput,
  EntryType,
  Location,
  Note,
  NoteFields,
  NoteLink,
  NoteProblem,
  NoteText,
  ParsedNote,
  Relationship,
  RelationshipType,
  Source,
  SourceType,
  Space,
} from './vocabulary';

export * from './vocabulary';

/** What can be done with notes, and what is answered. */

export type SpaceState = 'indexing' | 'ready' | 'missing';

export interface SpaceStatus {
  space: Space;
  /** Absolute. */
  root: string;
  state: SpaceState;
  notes: number;
  problems: number;
}

/** Who writes. */
export interface NoteChange {
  author: string;
  by_agent?: boolean | undefined;
  reason?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface NoteInput {
  zettel_id: string;
  title: string;
  /** Markdown below the front matter. */
  content: string;
  entry_type: EntryType;
  tags?: readonly string[] | undefined;
  source_type?: SourceType | undefined;
  source_url?: string | undefined;
  /** A folder of the space; the one of the type unless told. */
  category?: string | undefined;
}

/** What is to become of a note; what is left out stays. `null` takes an optional field away. */
export interface NotePatch {
  title?: string | undefined;
  content?: string | undefined;
  entry_type?: EntryType | undefined;
  tags?: readonly string[] | null | undefined;
  source_type?: SourceType | null | undefined;
  source_url?: string | null | undefined;
  /** Moves the file. */
  category?: string | undefined;
  /** Moves the file there, as it is otherwise. Only people move a note out of its space: no tool offers it. */
  space?: Space | undefined;
}

/** A note of a space by its id; without a space it is looked for in project, then in user. */
export interface NoteReference {
  zettel_id: string;
  space?: Space | undefined;
}

export interface Written {
  zettel_id: string;
  location: Location;
  /** Of the file: relative to the workspace where it lies in it (`.ai/knowledge/patterns/042-x.md`), else absolute. */
  path?: string | undefined;
  /** Registry only. */
  version?: string | undefined;
  content_hash?: string | undefined;
  /** Other files that were changed with it, as `path`: those whose links follow a rename. */
  also?: readonly string[] | undefined;
  /** Something to know: the registry goes on having the note under its old id. */
  message?: string | undefined;
}

/** A change that was made through here, with what was there before: it can be compared and undone. */
export interface NoteRevision {
  id: number;
  space: Space;
  zettel_id: string;
  action:
    | 'create'
    | 'update'
    | 'delete'
    | 'rename'
    | 'link'
    | 'unlink'
    | 'collection'
    | 'publish'
    | 'download'
    | 'undo';
  author: string;
  by_agent: boolean;
  reason?: string | undefined;
  /** ISO 8601. */
  at: string;
  /** One for each file, in the revision's space unless told: links to a note follow in both. `null` where there was, or is, none. */
  files: readonly { space?: Space | undefined; file: string; before: string | null; after: string | null }[];
}

/** Who wrote a note's text last, as far as it went through Kaizen. */
export interface LastWrite {
  space: Space;
  zettel_id: string;
  action: 'create' | 'update' | 'download';
  author: string;
  by_agent: boolean;
}

/** What a write would do to files: path → texts. Undefined where there was, or would be, none. */
export interface NotePreview {
  files: readonly { space: Space; file: string; before?: string | undefined; after?: string | undefined }[];
}

/** Every change of notes that an agent may ask for; what review keeps and accepting performs. */
export type NoteWrite =
  | { action: 'create'; location: Location; input: NoteInput }
  | { action: 'update'; location?: Location; zettel_id: string; patch: NotePatch; content_hash?: string }
  | { action: 'delete'; location?: Location; zettel_id: string; content_hash?: string }
  | { action: 'rename'; location?: Space; zettel_id: string; new_zettel_id: string }
  | { action: 'publish'; location?: Space; zettel_id: string; version?: string; confirmed?: boolean }
  | { action: 'download'; zettel_id: string; version?: string; destination: readonly Space[]; overwrite?: boolean }
  | LinkWrite
  | { action: 'create_collection'; location: Location; input: CollectionInput }
  | { action: 'update_collection'; location?: Space; id: string; patch: Partial<CollectionInput> }
  | { action: 'delete_collection'; location?: Space; id: string };

export interface LinkWrite {
  action: 'link' | 'unlink';
  /** Where the note that the link starts from lies; project, then user, unless told. */
  location?: Location;
  from_zettel_id: string;
  to_zettel_id: string;
  /** Where the other end lies, when it is not to be looked for in the spaces. */
  to_location?: Location;
  relationship_type: RelationshipType;
}

/** What became of a file that a note was downloaded to. */
export interface Downloaded {
  location: Space;
  path: string;
  /** `conflict`: there is another text, which stays (as `store_if_missing` has it). */
  status: 'written' | 'unchanged' | 'conflict';
  /** Unified, from what is there to what would come; with `conflict` only. */
  difference?: string | undefined;
}

export interface GetRequest {
  zettel_id: string;
  sources: readonly Source[];
  include_relationships?: boolean | undefined;
  include_backlinks?: boolean | undefined;
  /** Where to download to what comes from the registry. */
  destination?: readonly Space[] | undefined;
  /** Of the registry; the latest unless told. */
  version?: string | undefined;
}

/** Seed 004, "get". */
export interface GotNote extends NoteFields {
  content: string;
  source_location: Location;
  category: string;
  path?: string | undefined;
  content_hash: string;
  relationships?: readonly Relationship[] | undefined;
  backlinks?: readonly Relationship[] | undefined;
  downloads?: readonly Downloaded[] | undefined;
  /** Something to know: the other space has the id, too; the front matter cannot be read. */
  message?: string | undefined;
}

/** Why publishing was refused, with what differs. */
export interface PublishConflict {
  reason: 'version_exists' | 'newer_version' | 'changed_since' | 'never_seen';
  /** The registry's latest version, by whom and when. */
  latest: RegistryVersion;
  /** Unified, from what the registry has to what would be published; empty where they are the same. */
  difference: string;
  /** What happened and what to do. */
  message: Sentence | string;
}

export type PublishResult =
  /** `unchanged`: the registry's latest version says the same. The message: the file could not be told its version. */
  | { status: 'published' | 'unchanged'; zettel_id: string; version: string; location: Space; message?: string }
  | { status: 'conflict'; zettel_id: string; location: Space; conflict: PublishConflict };

export interface NotesGraph {
  nodes: readonly {
    /** The uri; for an id that nothing has `missing:<id>`. */
    id: string;
    zettel_id: string;
    title: string;
    space?: Space | undefined;
    category: string;
    entry_type?: EntryType | undefined;
    missing: boolean;
  }[];
  /** Indices into `nodes`. */
  edges: readonly { from: number; to: number; type: RelationshipType }[];
}

/** What a link leads to. */
export type LinkTarget =
  | { kind: 'note'; note: Note }
  | { kind: 'collection'; collection: Collection }
  /** Another file of the space, relative to its root: an image, a drawing. */
  | { kind: 'file'; space: Space; file: string }
  /** It names the registry, which is not asked for it. */
  | { kind: 'registry'; zettel_id: string }
  | { kind: 'broken' };

export interface NoteSpaces {
  /** Absolute; need not exist. Undefined where there is no workspace. */
  project?: string | undefined;
  user?: string | undefined;
}

export interface MigrationStep {
  /** Absolute. */
  from: string;
  /** Relative to the space's root. */
  to: string;
  zettel_id: string;
  status: 'convert' | 'unchanged' | 'conflict' | 'unreadable';
  /** What was taken over, guessed or could not be. */
  remarks: readonly string[];
  /** The new file's text. */
  text?: string | undefined;
}

/** Files or collections of a space are others now. */
export interface NotesChangeEvent {
  space: Space;
  files: readonly string[];
}

/**
 * Notes of the two spaces and of the registry. Files are the truth; what is known of them is derived, kept in memory,
 * cached, and follows whoever changes them. Reading and writing never leaves a space's root.
 */
export interface NotesPart {
  /** Other folders from now on. Throws `invalid_argument`. */
  define(spaces: NoteSpaces): void;
  /** Begins to index and to follow; called again it does nothing. Nothing is read before. */
  start(): void;
  spaces(): SpaceStatus[];
  /** Resolves when every space was indexed once, or when the time is over. True when all are ready or missing. */
  ready(ms: number, signal?: AbortSignal): Promise<boolean>;
  rescan(signal?: AbortSignal): Promise<void>;
  /** A hint from whoever watches: the file or folder at this absolute path may have changed. Cheap. */
  touched(absolutePath: string): void;
  onDidChange(listener: (change: NotesChangeEvent) => void): { dispose(): void };
  onDidChangeState(listener: () => void): { dispose(): void };

  /** Sorted by file. */
  notes(space?: Space): readonly Note[];
  readonly size: number;
  note(space: Space, zettelId: string): Note | undefined;
  noteByUri(uri: string): Note | undefined;
  /** The note whose file lies at this absolute path. */
  noteAt(absolutePath: string): Note | undefined;
  /** Project before user. Throws `unknown_note`, naming near ones. */
  resolve(reference: NoteReference): Note;
  /** Category folders that there are or that the seed names, sorted. */
  categories(space?: Space): string[];
  problems(): NoteProblem[];
  /** As the file is now. Throws `unknown_note` when it is gone. */
  text(note: Note): Promise<NoteText>;
  /** Absolute. Throws `outside_root`. */
  locate(space: Space, file: string): Promise<string>;
  /** What a text would say as a file of this space, for editors with unsaved text. */
  parse(text: string, space: Space, file: string): ParsedNote;
  resolveLink(from: { space: Space; file: string }, link: Pick<NoteLink, 'target' | 'location'>): LinkTarget;
  /** Outgoing, then incoming; of the spaces only. */
  relationships(note: Note): Relationship[];
  /** Collections of both spaces that hold the note. */
  collectionsOf(note: Note): readonly Collection[];
  graph(): NotesGraph;
  collections(space?: Space): readonly Collection[];
  /** Throws `unknown_collection`. Without a location project, then user. */
  collection(idOrName: string, space?: Space): Collection;

  /** Throws `unknown_note` when it is nowhere that was to be looked, `registry_*` where the registry cannot say. */
  get(request: GetRequest, change: NoteChange): Promise<GotNote>;
  /** Performs one write. Throws as its action says; nothing has changed then. */
  write<Write extends NoteWrite>(write: Write, change: NoteChange): Promise<ResultOf<Write>>;
  /**
   * Checks as `write` would, and tells what it would do to files. The registry is asked for nothing but publish and
   * download. `agent` is the author for whom it has to be the note that it was handed out.
   */
  preview(write: NoteWrite, signal?: AbortSignal, agent?: string): Promise<NotePreview>;
  /** Latest first. */
  revisions(filter?: { zettel_id?: string; limit?: number }): NoteRevision[];
  /** Of each of these that Kaizen wrote; one that was renamed since has the write of its old name. In no order. */
  lastWrites(notes: readonly Pick<Note, 'space' | 'zettel_id'>[]): LastWrite[];
  /** Puts back what was there before. Throws `conflict` when a file is another one by now, `unknown_note`. */
  undo(revisionId: number, change: NoteChange): Promise<NoteRevision>;
  /** What bringing an old `knowledge/base/` over would do. Reads only. */
  planMigration(from: string, space: Space, signal?: AbortSignal): Promise<MigrationStep[]>;
  /** Writes the steps that convert, each as one revision; originals stay. Answers how many were written. */
  migrate(steps: readonly MigrationStep[], space: Space, change: NoteChange): Promise<number>;

  /** Another registry from now on, or none. Connects to nothing. */
  useRegistry(options: RegistryOptions | undefined): void;
  /** Whether one is configured. */
  readonly hasRegistry: boolean;
  /** Throws `registry_not_configured`. Connects when it is first asked something. */
  registry(): Promise<Registry>;
  close(): Promise<void>;
}

export type WriteResult =
  | ({ action: 'create' | 'update' | 'delete' | 'rename' } & Written)
  | ({ action: 'publish' } & PublishResult)
  | { action: 'download'; zettel_id: string; downloads: readonly Downloaded[] }
  | { action: 'link' | 'unlink'; relationship: Omit<LinkWrite, 'action'>; changed: boolean; path?: string | undefined }
  | {
      action: 'create_collection' | 'update_collection' | 'delete_collection';
      collection: Collection;
      path?: string | undefined;
    };

/** What a write of this action answers. */
export type ResultOf<Write extends NoteWrite> = WriteResult & { action: Write['action'] };

/** Touched in the workspace's store by every change that was made through here. */
export const NOTES_TOPIC = 'notes';
