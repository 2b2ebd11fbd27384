import type { SqlJsStatic } from 'sql.js';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { Changes } from './changes';
import type { StoreFiles } from './files';
import { ioError } from './io-errors';
import type { JournalHeader, SqlValue } from './journal';
import { JournalFile } from './journal-file';
import { type Fault, type Loaded, loadHeaderOnly, loadNewest, replay } from './loading';
import { create, cutTornTail, renew, unmade } from './renewal';
import { needsMigration, type Schema, type SchemaVersions } from './schema';
import type { Reader } from './transaction';

/** Bytes that could not be read are looked at again after this long: their writer may have finished meanwhile. */
const UNREADABLE_MS = 20;

/**
 * The database that this process holds in memory, and the place in the files up to which it is theirs. It follows what
 * every process writes: the journal's tail, checkpoints, and whatever stands there after damage was mended.
 */
export class Replica {
  readonly changes: Changes;
  private state: Loaded | undefined;
  private journalFile: JournalFile | undefined;
  /** When and at which size of the journal the bytes behind `offset` were found unreadable, so as not to look at once again. */
  private unreadable: { size: number; at: number } | undefined;

  /** Holds nothing before `open`. */
  constructor(
    private readonly sqlite: SqlJsStatic,
    readonly files: StoreFiles,
    private readonly schemas: readonly Schema[],
    onReport: (message: string) => void,
  ) {
    this.changes = new Changes(files.directory, () => this.refresh(), onReport);
  }

  readonly reader: Reader = {
    all: (sql, parameters) => this.current.database.all(sql, parameters),
    get: <T>(sql: string, parameters?: readonly SqlValue[]) => this.current.database.all<T>(sql, parameters)[0],
    versionOf: (topic) => this.changes.versionOf(topic),
  };

  /** Throws `store_closed` where nothing is held. */
  get current(): Loaded {
    if (!this.state) throw storeClosed(this.files.directory);
    return this.state;
  }

  /**
   * Takes what the files hold, and answers whether it can stay so: something is there, and it needs no repair. Where there
   * is nothing and that is all right, it is empty.
   */
  open(mayBeUnmade: boolean): boolean {
    this.state = this.load();
    if (mayBeUnmade) this.state ??= unmade(this.sqlite, this.schemas);
    return this.state !== undefined && !this.needsRepair();
  }

  /** Takes what the files hold once more, and makes a store where there is none. Needs the lock. */
  openOrCreate(): void {
    const loaded = this.load();
    this.state?.database.close();
    this.state = loaded;
    this.state ??= create(this.sqlite, this.files, this.schemas);
  }

  /** What can be read as it is, though it cannot be mended; undefined where nothing can. */
  get readable(): Loaded | undefined {
    const { state } = this;
    return state && !needsMigration(state.schema, this.schemas, this.files.directory) ? state : undefined;
  }

  /** Nobody has written a store so far. */
  get isUnmade(): boolean {
    return this.state?.generation === 0;
  }

  needsRepair(): boolean {
    const state = this.current;
    return state.torn || state.faults.length > 0 || needsMigration(state.schema, this.schemas, this.files.directory);
  }

  /**
   * Cuts off unfinished writes and, where that is not all, goes on in a new generation with today's tables. Answers the
   * damages that this mended; their files lie where they were. Needs the lock.
   */
  mend(): readonly Fault[] {
    const state = this.current;
    if (state.torn) cutTornTail(this.files, state);
    if (!this.needsRepair()) return [];
    const next = renew(this.sqlite, this.files, this.schemas, state);
    const { faults } = state;
    this.adopt(next);
    return faults;
  }

  close(): void {
    this.leaveJournal();
    this.state?.database.close();
    this.state = undefined;
  }

  // ── Following ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Replays what others appended. Bytes that are no whole record are somebody's write under way: they can wait. */
  refresh(): void {
    const state = this.current;
    if (this.isUnmade) {
      this.takeWhenMade();
      return;
    }
    const size = this.journal.size();
    if (size === state.offset) return;
    const { unreadable } = this;
    const looked = unreadable && unreadable.size === size && performance.now() - unreadable.at < UNREADABLE_MS;
    if (looked && this.newestGeneration() <= state.generation) return;
    // Loaded so already: what is gone is found out once.
    if (size === undefined && state.faults.length > 0 && state.offset === 0 && this.newestGeneration() === 0) return;
    this.unreadable = undefined;
    if (size === undefined || size < state.offset) {
      this.reload();
      return;
    }
    const sealed = this.replayTail(size);
    if (state.offset === size) return;
    // As large as it was when it was looked at: what came since may well be readable.
    if (this.newestGeneration() <= state.generation) this.unreadable = { size, at: performance.now() };
    else if (sealed) this.moveOn();
    else this.reload();
  }

  /** Like `refresh`, under the lock: the files hold still, so that what is unreadable is settled. */
  catchUp(): void {
    this.unreadable = undefined;
    if (this.isUnmade) {
      // As if it were opened now: what is there to be recovered is no empty store.
      const loaded = this.load();
      if (loaded) this.adopt(loaded);
      return;
    }
    this.refresh();
    // What looks wrong from where this process stands is judged from the files alone.
    if (this.unreadable || this.needsRepair() || this.newestGeneration() !== this.current.generation) this.reload();
  }

  newestGeneration(): number {
    return this.files.generations()[0] ?? 0;
  }

  /**
   * Takes what somebody has made meanwhile, if its tables are those of this build. An older build's are brought forward
   * under the lock, by the next write here or by whoever opens the store: it is empty to who reads here until then.
   */
  private takeWhenMade(): void {
    if (this.newestGeneration() === 0) return;
    const isOlder = (schema: SchemaVersions) => needsMigration(schema, this.schemas, this.files.directory);
    const header = this.header();
    if (header && isOlder(header.schema)) return;
    const loaded = this.load();
    if (loaded && !isOlder(loaded.schema)) this.adopt(loaded);
    else loaded?.database.close();
  }

  /** Whether the seal stands at the end of the tail. */
  private replayTail(size: number): boolean {
    const state = this.current;
    const bytes = this.journal.read(state.offset, size - state.offset);
    const topics = new Set<string>();
    const { end, sealed } = replay(state, bytes, 0, (record) => {
      for (const topic of record.topics) topics.add(topic);
    });
    state.offset += end;
    this.changes.note(topics);
    return sealed;
  }

  /** Follows a checkpoint: the database in memory stays, unless the new generation is not its continuation. */
  private moveOn(): void {
    const state = this.current;
    const next = loadHeaderOnly(this.files, this.schemas);
    const continues =
      next &&
      next.generation > state.generation &&
      next.header.lineage === state.lineage &&
      next.header.baseSequence <= state.sequence;
    if (!continues) {
      this.reload();
      return;
    }
    state.schema = next.header.schema;
    this.goOnIn(next.generation, next.end);
    this.refresh();
  }

  private reload(): void {
    const loaded = this.load();
    if (!loaded) {
      throw new KaizenError(
        'store_damaged',
        sentence('The files of the store in {0} are gone.', this.files.directory),
        sentence('Restore the folder from a backup, or restart Kaizen to start anew.'),
      );
    }
    this.adopt(loaded);
  }

  private load(): Loaded | undefined {
    for (let attempt = 0; ; attempt++) {
      try {
        return loadNewest(this.sqlite, this.files, this.schemas);
      } catch (error) {
        // A checkpoint may have removed the generation between the listing and the reading.
        if (error instanceof KaizenError && error.code !== 'store_damaged') throw error;
        if (attempt >= 2) throw error instanceof KaizenError ? error : ioError(error, this.files.directory);
      }
    }
  }

  private adopt(loaded: Loaded): void {
    if (this.isUnmade) this.changes.directoryMade();
    this.leaveJournal();
    this.state?.database.close();
    this.state = loaded;
    this.changes.noteEverything();
  }

  // ── The journal ──────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Writes generation 1 where nobody has written a store so far. Needs the lock, and what `catchUp` found under it. Made of
   * tables of its own: those in memory may have a transaction open, which an export would end.
   */
  makeUnlessMade(): void {
    if (!this.isUnmade) return;
    const { database, generation, lineage, offset } = create(this.sqlite, this.files, this.schemas);
    database.close();
    Object.assign(this.current, { generation, lineage, offset });
    this.changes.directoryMade();
  }

  /** On the disk when it returns; when it throws, the journal is as it was. Needs the lock. */
  append(frame: Buffer): void {
    try {
      this.journal.append(frame, this.current.offset);
    } catch (error) {
      throw ioError(error, this.files.directory);
    }
    this.current.offset += frame.length;
  }

  /** What the journal holds from there on, up to where this process stands. */
  journalFrom(offset: number): Buffer {
    return this.journal.read(offset, this.current.offset - offset);
  }

  /** A newer generation holds the same up to this place in its journal: goes on there. */
  goOnIn(generation: number, offset: number): void {
    this.leaveJournal();
    const state = this.current;
    state.generation = generation;
    state.offset = offset;
  }

  /** What the newest generation's journal says of itself; undefined where that cannot be read. */
  header(): JournalHeader | undefined {
    return loadHeaderOnly(this.files, this.schemas)?.header;
  }

  /** The current generation's journal. */
  private get journal(): JournalFile {
    const path = this.files.journal(this.current.generation);
    if (this.journalFile?.path !== path) {
      this.leaveJournal();
      this.journalFile = new JournalFile(path);
    }
    return this.journalFile as JournalFile;
  }

  private leaveJournal(): void {
    this.journalFile?.close();
    this.journalFile = undefined;
  }
}

export function storeClosed(directory: string): KaizenError {
  return new KaizenError('store_closed', sentence('The store in {0} is closed.', directory));
}
