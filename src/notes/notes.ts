import type { Clock } from '../core/clock';
import { KaizenError } from '../core/errors';
import type { Store } from '../store';
import type {
  Collection,
  GotNote,
  MigrationStep,
  Note,
  NotePreview,
  NoteProblem,
  NoteRevision,
  NoteSpaces,
  NotesGraph,
  NotesPart,
  NoteText,
  ParsedNote,
  Relationship,
  SpaceStatus,
  WriteResult,
} from './model';
import type { Registry, RegistryOptions } from './registry/model';

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
  clock: Clock;
  log?: (message: string) => void;
}

/** See `NotesPart`. */
export class Notes implements NotesPart {
  readonly size = 0;
  readonly hasRegistry = false;
  constructor(readonly options: NotesOptions) {}
  define(_spaces: NoteSpaces): void {}
  start(): void {}
  spaces(): SpaceStatus[] {
    return [];
  }
  async ready(): Promise<boolean> {
    return true;
  }
  async rescan(): Promise<void> {}
  touched(): void {}
  onDidChange() {
    return { dispose() {} };
  }
  onDidChangeState() {
    return { dispose() {} };
  }
  notes(): readonly Note[] {
    return [];
  }
  note(): Note | undefined {
    return undefined;
  }
  noteByUri(): Note | undefined {
    return undefined;
  }
  noteAt(): Note | undefined {
    return undefined;
  }
  resolve(): Note {
    throw notYet();
  }
  categories(): string[] {
    return [];
  }
  problems(): NoteProblem[] {
    return [];
  }
  async text(): Promise<NoteText> {
    throw notYet();
  }
  async locate(): Promise<string> {
    throw notYet();
  }
  parse(): ParsedNote {
    throw notYet();
  }
  resolveLink() {
    return { kind: 'broken' } as const;
  }
  relationships(): Relationship[] {
    return [];
  }
  graph(): NotesGraph {
    return { nodes: [], edges: [] };
  }
  collections(): readonly Collection[] {
    return [];
  }
  collection(): Collection {
    throw notYet();
  }
  async get(): Promise<GotNote> {
    throw notYet();
  }
  async write(): Promise<WriteResult> {
    throw notYet();
  }
  async preview(): Promise<NotePreview> {
    throw notYet();
  }
  revisions(): NoteRevision[] {
    return [];
  }
  async undo(): Promise<NoteRevision> {
    throw notYet();
  }
  async planMigration(): Promise<MigrationStep[]> {
    return [];
  }
  async migrate(): Promise<number> {
    return 0;
  }
  useRegistry(_options: RegistryOptions | undefined): void {}
  async registry(): Promise<Registry> {
    throw notYet();
  }
  async close(): Promise<void> {}
}

function notYet(): KaizenError {
  return new KaizenError('unknown_note', 'There are no notes yet.');
}
