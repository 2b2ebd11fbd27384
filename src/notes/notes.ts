import type { Clock } from '../core/clock';
import { WriteCheck } from '../safety';
import type { Store } from '../store';
import { Collecting } from './collections';
import { readLastWrites } from './last-writes';
import { Linking, Renaming } from './linking';
import { Migrating } from './migration';
import type {
  Collection,
  GetRequest,
  GotNote,
  LastWrite,
  LinkTarget,
  MigrationStep,
  Note,
  NoteChange,
  NoteLink,
  NotePreview,
  NoteProblem,
  NoteReference,
  NoteRevision,
  NoteSpaces,
  NotesChangeEvent,
  NotesGraph,
  NotesPart,
  NoteText,
  NoteWrite,
  ParsedNote,
  Relationship,
  ResultOf,
  Space,
  SpaceStatus,
} from './model';
import type { Performer, WriteOf } from './performer';
import { SharedRegistry } from './publishing/shared-registry';
import type { Registry, RegistryOptions } from './registry/model';
import { listRevisions } from './revisions';
import { Spaces } from './spaces';
import { HandedOut, LocalWriting, Writer } from './writing';

export interface NotesOptions {
  spaces: NoteSpaces;
  registry?: RegistryOptions | undefined;
  /** The workspace folder, absolute: paths in answers are relative to it. */
  workspace?: string | undefined;
  /** Where revisions are kept: the workspace's store. */
  store: Store;
  /** Where what is known is kept between runs. Without one, it is not. */
  cacheDirectory: string | undefined;
  /** Follow the files by the system's own means; otherwise somebody calls `touched`. */
  watch: boolean;
  rescanInterval?: number | undefined;
  /** What becomes of secrets in what is published and downloaded; they are refused unless told. */
  check?: WriteCheck | undefined;
  clock: Clock;
  log?: (message: string) => void;
}

interface PublishingSurroundings {
  files: Spaces;
  writer: Writer;
  shared: SharedRegistry;
  handedOut: HandedOut;
  clock: Clock;
  check: WriteCheck;
}

type PublishingParts = Awaited<ReturnType<typeof loadPublishing>>;

/** See `NotesPart`: hands each question to the part that knows. */
export class Notes implements NotesPart {
  private readonly files: Spaces;
  private readonly store: Store;
  private readonly writer: Writer;
  /** Which text of a note each author knows. */
  private readonly handedOut = new HandedOut();
  /** By action; each part adds its own. */
  private readonly performers: Record<NoteWrite['action'], Performer<never>>;
  private readonly collecting: Collecting;
  private readonly migrating: Migrating;
  private readonly shared: SharedRegistry;
  /** What knows both files and the registry. */
  private readonly publishing: () => Promise<PublishingParts>;
  /** Notes of the registry, which have no file. */
  private readonly inRegistry: Performer<WriteOf<'create' | 'update' | 'delete'>>;

  constructor(options: NotesOptions) {
    this.files = new Spaces(options);
    this.store = options.store;
    this.writer = new Writer(this.files, this.store, options.clock, this.handedOut);
    const local = new LocalWriting(this.files, this.writer, this.handedOut, options.clock);
    this.shared = new SharedRegistry(options.registry);
    const { files, writer, shared, handedOut } = this;
    const { clock, check = new WriteCheck() } = options;
    let publishing: Promise<PublishingParts> | undefined;
    this.publishing = () => {
      publishing ??= loadPublishing({ files, writer, shared, handedOut, clock, check });
      return publishing;
    };
    this.inRegistry = lazily(async () => (await this.publishing()).inRegistry);
    const linking = new Linking(this.files, this.writer, () => this.registry());
    this.collecting = new Collecting(this.files, this.writer, () => this.registry(), options.clock);
    this.migrating = new Migrating(this.files, this.writer, (space) => this.rootOf(space));
    this.performers = {
      create: local,
      update: local,
      delete: local,
      rename: new Renaming(this.files, this.writer),
      publish: lazily(async () => (await this.publishing()).publishing),
      download: lazily(async () => (await this.publishing()).downloading),
      link: linking,
      unlink: linking,
      create_collection: this.collecting,
      update_collection: this.collecting,
      delete_collection: this.collecting,
    };
  }

  define(spaces: NoteSpaces): void {
    this.files.define(spaces);
  }

  start(): void {
    this.files.start();
  }

  spaces(): SpaceStatus[] {
    return this.files.statuses();
  }

  ready(ms: number, signal?: AbortSignal): Promise<boolean> {
    return this.files.ready(ms, signal);
  }

  rescan(signal?: AbortSignal): Promise<void> {
    return this.files.rescan(signal);
  }

  touched(absolutePath: string): void {
    this.files.touched(absolutePath);
  }

  onDidChange(listener: (change: NotesChangeEvent) => void) {
    return this.files.onDidChange(listener);
  }

  onDidChangeState(listener: () => void) {
    return this.files.onDidChangeState(listener);
  }

  notes(space?: Space): readonly Note[] {
    return this.files.notes(space);
  }

  get size(): number {
    return this.files.size;
  }

  note(space: Space, zettelId: string): Note | undefined {
    return this.files.note(space, zettelId);
  }

  noteByUri(uri: string): Note | undefined {
    return this.files.noteByUri(uri);
  }

  noteAt(absolutePath: string): Note | undefined {
    return this.files.noteAt(absolutePath);
  }

  resolve(reference: NoteReference): Note {
    return this.files.resolve(reference);
  }

  categories(space?: Space): string[] {
    return this.files.categories(space);
  }

  problems(): NoteProblem[] {
    return this.files.problems();
  }

  text(note: Note): Promise<NoteText> {
    return this.files.text(note);
  }

  locate(space: Space, file: string): Promise<string> {
    return this.files.locate(space, file);
  }

  parse(text: string, space: Space, file: string): ParsedNote {
    return this.files.parse(text, space, file);
  }

  resolveLink(from: { space: Space; file: string }, link: Pick<NoteLink, 'target' | 'location'>): LinkTarget {
    return this.files.resolveLink(from, link);
  }

  relationships(note: Note): Relationship[] {
    return this.files.relationships(note);
  }

  collectionsOf(note: Note): readonly Collection[] {
    return this.files.collectionsOf(note);
  }

  graph(): NotesGraph {
    return this.files.graph();
  }

  collections(space?: Space): readonly Collection[] {
    return this.files.collections(space);
  }

  collection(idOrName: string, space?: Space): Collection {
    return this.collecting.find(idOrName, space);
  }

  async get(request: GetRequest, change: NoteChange): Promise<GotNote> {
    return (await this.publishing()).getting.get(request, change);
  }

  async write<Write extends NoteWrite>(write: Write, change: NoteChange): Promise<ResultOf<Write>> {
    this.start();
    // Each performer answers with its own action.
    return (await this.performerOf(write).perform(write, change)) as ResultOf<Write>;
  }

  async preview(write: NoteWrite, signal?: AbortSignal, agent?: string): Promise<NotePreview> {
    this.start();
    return this.performerOf(write).preview(write, signal, agent);
  }

  revisions(filter?: { zettel_id?: string; limit?: number }): NoteRevision[] {
    return listRevisions(this.store.read(), filter);
  }

  lastWrites(notes: readonly Pick<Note, 'space' | 'zettel_id'>[]): LastWrite[] {
    return readLastWrites(this.store.read(), notes);
  }

  undo(revisionId: number, change: NoteChange): Promise<NoteRevision> {
    return this.writer.undo(revisionId, change);
  }

  planMigration(from: string, space: Space, signal?: AbortSignal): Promise<MigrationStep[]> {
    return this.migrating.plan(from, space, signal);
  }

  migrate(steps: readonly MigrationStep[], space: Space, change: NoteChange): Promise<number> {
    return this.migrating.migrate(steps, space, change);
  }

  useRegistry(options: RegistryOptions | undefined): void {
    this.shared.use(options);
  }

  get hasRegistry(): boolean {
    return this.shared.isConfigured;
  }

  registry(): Promise<Registry> {
    return this.shared.open();
  }

  async close(): Promise<void> {
    await this.shared.close();
    await this.writer.close();
    await this.files.close();
  }

  private performerOf(write: NoteWrite): Performer {
    const { action } = write;
    const isEntry = action === 'create' || action === 'update' || action === 'delete';
    if (isEntry && write.location === 'registry') return this.inRegistry as unknown as Performer;
    return this.performers[action] as unknown as Performer;
  }

  private rootOf(space: Space): string | undefined {
    return this.files.statuses().find((status) => status.space === space)?.root;
  }
}

/** Loaded when it is first needed: it brings YAML with it. */
async function loadPublishing({ files, writer, shared, handedOut, clock, check }: PublishingSurroundings) {
  const { Downloading, Getting, InRegistry, Publishing } = await import('./publishing');
  const downloading = new Downloading(files, writer, shared, check);
  return {
    downloading,
    publishing: new Publishing(files, writer, shared, check),
    getting: new Getting(files, shared, downloading, handedOut),
    inRegistry: new InRegistry(shared, handedOut, clock),
  };
}

function lazily<Write extends NoteWrite>(load: () => Promise<Performer<Write>>): Performer<Write> {
  return {
    perform: async (write, change) => (await load()).perform(write, change),
    preview: async (write, signal, agent) => (await load()).preview(write, signal, agent),
  };
}
