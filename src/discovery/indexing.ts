import type { BasesPart } from '../bases';
import type { Disposable } from '../core/disposable';
import { describeError } from '../core/errors';
import { Turns } from '../core/turns';
import { type EntryKey, entriesTopic, entryOfTopic, manyEntriesTopic, SCOPES_TOPIC } from '../knowledge';
import type { NotesPart, Space } from '../notes';
import type { Passages } from '../search';
import type { EntryFeed } from './entry-feed';
import type { NodeFeed } from './node-feed';
import type { NoteFeed } from './note-feed';
import { entriesSource } from './sources';

/** What changed is put on the disk this long after the first change, so at most so often. */
const SAVE_MS = 30_000;
/** While there is much to do, progress is told so often. */
const PROGRESS_MS = 250;
/** Whoever waits for a part of the work looks so often whether that is done. */
const LOOK_MS = 20;

export interface IndexingOptions {
  entries: EntryFeed;
  nodes: NodeFeed;
  notes: NoteFeed;
  passages: Passages;
  bases: BasesPart;
  spaces: NotesPart;
  /** As `DiscoveryOptions.onEntriesChanged`. */
  onEntriesChanged(listener: (topics: ReadonlySet<string>) => void): Disposable;
  /** Called when something was indexed, now and then while there is much. */
  onProgress(): void;
  log(message: string): void;
}

/**
 * Brings the index up to date: one piece of work after the other, in short turns. Changes are only noted when they are
 * told; what several of them mean together is done once.
 */
export class Indexing {
  private readonly scopes = new Set<string>();
  private readonly entries = new Map<string, EntryKey>();
  private readonly bases = new Set<string>();
  private readonly files = new Map<string, Set<string>>();
  private readonly spaces = new Set<Space>();
  private readonly listening: Disposable[] = [];
  private readonly stopped = new AbortController();
  private working: Promise<void> | undefined;
  private begun = false;
  /** Everything was looked at once. */
  private complete = false;
  private saveTimer: NodeJS.Timeout | undefined;
  private saving: Promise<void> | undefined;
  private toldAt = 0;

  constructor(private readonly options: IndexingOptions) {}

  start(): void {
    if (this.begun || this.stopped.signal.aborted) return;
    this.begun = true;
    const { bases, spaces, onEntriesChanged, entries, nodes, notes } = this.options;
    this.listening.push(
      onEntriesChanged((topics) => this.noteTopics(topics)),
      bases.onDidChange(({ base, files }) => this.noteFiles(base, files)),
      bases.onDidChangeState(() => this.noteBases()),
      spaces.onDidChange(({ space }) => this.noteSpace(space)),
      spaces.onDidChangeState(() => this.noteSpaces()),
    );
    bases.start();
    spaces.start();
    for (const scope of entries.scopes()) this.scopes.add(scope);
    for (const base of nodes.names()) this.bases.add(base);
    for (const space of notes.names()) this.spaces.add(space);
    this.work();
  }

  /** Whether everything that there is has been indexed once. */
  get isReady(): boolean {
    const { bases, nodes, spaces, notes } = this.options;
    const areFound = [...bases.statuses(), ...spaces.spaces()].every(({ state }) => state !== 'indexing');
    // What has become ready just now is still to be looked at.
    return this.complete && areFound && nodes.unsettled().length + notes.unsettled().length === 0;
  }

  /** Whether the notes of all spaces have been indexed once. */
  get areNotesReady(): boolean {
    const { spaces, notes } = this.options;
    const areFound = spaces.spaces().every(({ state }) => state !== 'indexing');
    return this.begun && areFound && notes.unsettled().length + this.spaces.size === 0;
  }

  /** Everything is looked at again; what is as it was stays. */
  again(): void {
    if (!this.begun) return;
    for (const scope of this.options.entries.scopes()) this.scopes.add(scope);
    for (const base of this.options.nodes.names()) this.bases.add(base);
    for (const space of this.options.notes.names()) this.spaces.add(space);
    this.work();
  }

  /** Begins, and waits until nothing is left to do or the time is over. True when everything is indexed. */
  settled(ms: number, signal?: AbortSignal): Promise<boolean> {
    return this.until(() => this.isReady && !this.working, ms, signal);
  }

  /** The same for notes alone, whatever else there is to do. */
  notesSettled(ms: number, signal?: AbortSignal): Promise<boolean> {
    return this.until(() => this.areNotesReady, ms, signal, LOOK_MS);
  }

  private async until(isEnough: () => boolean, ms: number, signal?: AbortSignal, step = ms): Promise<boolean> {
    this.start();
    this.options.entries.look();
    // Changes that were made or found just now are told after this turn.
    await new Promise((resolve) => setImmediate(resolve));
    const until = performance.now() + ms;
    while (!isEnough()) {
      signal?.throwIfAborted();
      const left = until - performance.now();
      if (left <= 0 || this.stopped.signal.aborted) break;
      await this.pause(Math.min(left, step));
    }
    return isEnough();
  }

  /** Puts on the disk what is not there yet, and stops. */
  async close(): Promise<void> {
    this.stopped.abort();
    clearTimeout(this.saveTimer);
    for (const each of this.listening.splice(0)) each.dispose();
    await this.working;
    await this.saving;
    await this.options.passages.save();
  }

  /** Until the work is done, something of a base or a space changes, or the time is over. */
  private async pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let listening: Disposable[] = [];
    await Promise.race([
      new Promise((resolve) => {
        timer = setTimeout(resolve, ms);
      }),
      this.working ??
        new Promise<void>((resolve) => {
          const { bases, spaces } = this.options;
          listening = [bases.onDidChangeState(resolve), spaces.onDidChangeState(resolve)];
        }),
    ]);
    clearTimeout(timer);
    for (const each of listening) each.dispose();
  }

  private noteTopics(topics: ReadonlySet<string>): void {
    if (topics.has('*') || topics.has(SCOPES_TOPIC)) this.noteScopes(topics.has('*'));
    const named = new Set<string>();
    for (const topic of topics) {
      const key = entryOfTopic(topic);
      if (!key) continue;
      this.entries.set(topic, key);
      named.add(key.scope_id);
    }
    const prefix = entriesTopic('');
    for (const topic of topics) {
      if (!topic.startsWith(prefix)) continue;
      const scope = topic.slice(prefix.length);
      // Only where all changes name their entry is it enough to look at those.
      if (!named.has(scope) || topics.has(manyEntriesTopic(scope))) this.scopes.add(scope);
    }
    this.work();
  }

  /** Scopes that are new or gone, or all of them. */
  private noteScopes(all: boolean): void {
    const { entries, passages } = this.options;
    const now = new Set(entries.scopes());
    const known = new Set(passages.sources);
    for (const scope of now) if (all || !known.has(entriesSource(scope))) this.scopes.add(scope);
    const prefix = entriesSource('');
    for (const source of known) {
      if (source.startsWith(prefix) && !now.has(source.slice(prefix.length))) {
        this.scopes.add(source.slice(prefix.length));
      }
    }
  }

  private noteFiles(base: string, files: readonly string[]): void {
    const noted = this.files.get(base) ?? new Set();
    for (const file of files) noted.add(file);
    this.files.set(base, noted);
    this.work();
  }

  private noteBases(): void {
    for (const base of this.options.nodes.unsettled()) this.bases.add(base);
    if (this.bases.size > 0) this.work();
  }

  private noteSpace(space: Space): void {
    this.spaces.add(space);
    this.work();
  }

  private noteSpaces(): void {
    for (const space of this.options.notes.unsettled()) this.spaces.add(space);
    if (this.spaces.size > 0) this.work();
  }

  private work(): void {
    if (this.working || this.stopped.signal.aborted) return;
    this.working = this.workAll().finally(() => {
      this.working = undefined;
      this.tell(true);
      if (this.options.passages.isDirty) this.saveLater();
      if (this.hasWork) this.work();
    });
  }

  private async workAll(): Promise<void> {
    const turns = new Turns(this.stopped.signal);
    // The call that told of a change goes on first, and others that come with it are noted.
    await new Promise((resolve) => setImmediate(resolve));
    while (!this.stopped.signal.aborted) {
      const step = this.next();
      if (!step) break;
      try {
        await step(turns);
      } catch (error) {
        if (this.stopped.signal.aborted) return;
        this.options.log(`Something could not be indexed: ${describeError(error)}`);
      }
      this.tell(false);
    }
    if (!this.stopped.signal.aborted) this.complete = true;
  }

  private get hasWork(): boolean {
    return this.entries.size + this.files.size + this.spaces.size + this.scopes.size + this.bases.size > 0;
  }

  /** What is left to do, the smallest first. */
  private next(): ((turns: Turns) => Promise<void>) | undefined {
    const { entries, nodes, notes } = this.options;
    for (const [topic, key] of this.entries) {
      this.entries.delete(topic);
      return (turns) => entries.syncEntry(key, turns);
    }
    for (const [base, files] of this.files) {
      this.files.delete(base);
      return (turns) => nodes.syncFiles(base, files, turns);
    }
    for (const space of this.spaces) {
      this.spaces.delete(space);
      return (turns) => notes.sync(space, turns);
    }
    for (const scope of this.scopes) {
      this.scopes.delete(scope);
      return (turns) => entries.syncScope(scope, turns);
    }
    for (const base of this.bases) {
      this.bases.delete(base);
      return (turns) => nodes.syncBase(base, turns);
    }
    return undefined;
  }

  private tell(always: boolean): void {
    const now = performance.now();
    if (!always && now - this.toldAt < PROGRESS_MS) return;
    this.toldAt = now;
    this.options.onProgress();
  }

  private saveLater(): void {
    if (this.saveTimer || this.stopped.signal.aborted) return;
    this.saveTimer = setTimeout(() => {
      this.saveTimer = undefined;
      this.saving ??= this.save();
    }, SAVE_MS);
    // What is only kept for the next start keeps no process alive.
    this.saveTimer.unref();
  }

  /** Begins when nothing is being indexed, and holds nobody up: neither questions nor what is to be indexed then. */
  private async save(): Promise<void> {
    await this.working;
    await this.options.passages.save();
    this.saving = undefined;
    if (this.options.passages.isDirty) this.saveLater();
  }
}
