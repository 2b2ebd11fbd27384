import { lstat, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { describeError } from '../core/errors';
import type { Sentence } from '../core/sentence';
import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import type { FolderCache } from './cache';
import { Follower } from './follower';
import { indexFiles } from './indexing';
import type { FileKeeper, FileReader, KnownFile } from './keeper';
import type { FolderLimits } from './limits';
import { Passes, type Todo } from './passes';
import type { Patterns } from './patterns';
import { type FolderProblem, type FoundFile, scan } from './scan';
import { identityOf, stampOf } from './stamp';

export type FolderState = 'indexing' | 'ready' | 'missing';

export interface FollowedFolderOptions<Known extends KnownFile> {
  /** The folder in a log: `The knowledge base "docs"`. */
  title: string;
  /** Absolute; need not exist. */
  root: string;
  patterns: Patterns;
  limits: FolderLimits;
  keeper: FileKeeper<Known>;
  reader: FileReader<Known>;
  /** Undefined where nothing is kept. */
  cache?: FolderCache<Known> | undefined;
  /** Which of what is known is kept for another run; all unless told. */
  kept?: (() => Iterable<Known>) | undefined;
  /** Follow the files by the system's own means; otherwise somebody calls `touched`. */
  watch: boolean;
  /** Milliseconds between two looks at all files, where they are followed. */
  rescanInterval: number;
  now(): number;
  log(message: string): void;
  /** Files were added, changed or removed. */
  changed(files: readonly string[]): void;
  /** The state or the problems are others now. */
  stateChanged(): void;
  /** Why a folder that is there is not to be taken: a sentence; its real path is told. Any is taken unless told. */
  refusal?: ((realRoot: string) => Promise<Sentence | undefined>) | undefined;
  /** Keeps the other files that there are, which are not read; nobody does unless told. */
  others?: OtherFiles | undefined;
}

/** Files of the folder that the patterns do not take. */
export interface OtherFiles {
  /** All that there are: the folder was looked through. */
  replace(files: readonly string[], leftovers: readonly string[]): void;
  /** This one came or went. */
  set(file: string, isThere: boolean): void;
}

const SAVE_AFTER = 3_000;
/** How often a folder is looked for that is not there. */
const MISSING_INTERVAL = 5_000;
const REMOVED_AT_ONCE = 1_000;

/** Files to index, and known ones that are gone. */
interface Look {
  found: FoundFile[];
  gone: string[];
}

/** One folder at work: looks through it, has its files read, keeps what is known, and follows it. */
export class FollowedFolder<Known extends KnownFile> {
  private readonly passes = new Passes((todo) => this.pass(todo));
  private readonly ending = new AbortController();
  private follower: Follower | undefined;
  private timer: NodeJS.Timeout | undefined;
  private saving: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private currentState: FolderState = 'indexing';
  /** Absent as long as the folder was not found. */
  private foundRoot: string | undefined;
  private rootIdentity: string | undefined;
  private ownProblems: readonly FolderProblem[] = [];
  private changeCount: number | undefined;
  private hasLinks = false;
  private told = '';
  private nextScan = 0;

  constructor(private readonly options: FollowedFolderOptions<Known>) {}

  get state(): FolderState {
    return this.currentState;
  }

  /** The real path; undefined as long as the folder was not found. */
  get realRoot(): string | undefined {
    return this.foundRoot;
  }

  /** Of the folder itself, not those of its files. */
  get problems(): readonly FolderProblem[] {
    return this.ownProblems;
  }

  /** How many files were others at the last look through all than were known before. Undefined before the first. */
  get changes(): number | undefined {
    return this.changeCount;
  }

  /** Begins to index and to follow; called again it does nothing. */
  start(): void {
    if (this.timer) return;
    void this.passes.now('all');
    const { rescanInterval } = this.options;
    this.timer = setInterval(() => void this.tick(), Math.min(rescanInterval, MISSING_INTERVAL));
    this.timer.unref();
  }

  async rescan(): Promise<void> {
    await this.passes.now('all');
  }

  /** A hint to an absolute path; those that have nothing to do with the folder are passed over. */
  touched(path: string): void {
    if (!this.timer) return;
    const inside = this.pathOf(path);
    if (inside === undefined) return;
    const { patterns } = this.options;
    if (inside === '') this.passes.hint('all');
    else if (patterns.takes(inside) || patterns.enters(inside)) this.passes.hint(inside);
  }

  /** Has these files indexed as they are now. */
  async reindex(files: readonly string[]): Promise<void> {
    await Promise.all(files.map((file) => this.passes.now(file)));
  }

  /** Writes what is known for the next run. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.follower?.close();
    this.ending.abort();
    await this.passes.close();
    const isUnsaved = this.saving !== undefined;
    clearTimeout(this.saving);
    if (isUnsaved) this.save();
    await this.writing;
  }

  /** Relative to the root, `/` between its parts; empty for the root and what it lies in, undefined for anything else. */
  pathOf(path: string): string | undefined {
    for (const root of new Set([resolve(this.options.root), this.foundRoot ?? ''])) {
      if (root === '') continue;
      const inside = relative(root, path);
      const names = inside.split(sep);
      if (names.every((name) => name === '' || name === '..')) return '';
      if (names[0] !== '..' && resolve(root, inside) !== inside) return names.join('/');
    }
    return undefined;
  }

  private async tick(): Promise<void> {
    const { watch } = this.options;
    const isDue = watch && performance.now() >= this.nextScan;
    if (this.currentState === 'missing' || isDue || (watch && (await this.isElsewhere()))) this.passes.hint('all');
  }

  /** Where a folder above the root is moved, nothing tells. */
  private async isElsewhere(): Promise<boolean> {
    const now = await stat(this.options.root).then(identityOf, () => undefined);
    return now !== this.rootIdentity;
  }

  private async pass(todo: Todo): Promise<void> {
    try {
      const realRoot = await realpath(this.options.root).catch(() => undefined);
      const stats = realRoot === undefined ? undefined : await stat(realRoot).catch(() => undefined);
      const isFolder = realRoot !== undefined && stats?.isDirectory() === true;
      const refusal = isFolder ? await this.options.refusal?.(realRoot) : undefined;
      const identity = stats && identityOf(stats);
      const isOther = identity !== this.rootIdentity;
      this.rootIdentity = identity;
      if (!isFolder || refusal) await this.leave(refusal);
      else await this.look(realRoot, isOther ? 'all' : todo);
    } catch (error) {
      if (!this.ending.signal.aborted) this.options.log(`${this.options.title}: ${describeError(error)}`);
    }
    this.tell();
  }

  private async look(realRoot: string, todo: Todo): Promise<void> {
    const { signal } = this.ending;
    const { cache, keeper, reader, limits } = this.options;
    const isNew = this.foundRoot !== realRoot;
    let cached: ReadonlyMap<string, Known> = new Map();
    if (isNew) {
      await this.leave();
      this.arrive(realRoot);
      if (cache) cached = await cache.load(signal);
      if (cached.size > 0) await cache?.keep(this.options.now());
    }
    const turns = new Turns(signal);
    const some = isNew || todo === 'all' ? undefined : await this.lookAt(realRoot, todo);
    const { found, gone } = some ?? (await this.lookAtAll(realRoot));
    await turns.pause();
    await this.remove(gone);
    const show = () => this.show();
    const { read, changes } = await indexFiles(found, { realRoot, keeper, reader, cached, show, limits, signal });
    const files = new Set(found.map(({ file }) => file));
    const lost = gone.length + [...cached.keys()].filter((file) => !files.has(file)).length;
    if (!some) this.changeCount = changes + lost;
    await this.show();
    this.currentState = 'ready';
    if (read + lost > 0) this.saveLater();
  }

  private async lookAtAll(realRoot: string): Promise<Look> {
    const { patterns, limits, keeper, others } = this.options;
    const start = performance.now();
    const folders = new Set<string>();
    const onFolder = (folder: string, identity: string | undefined) => {
      folders.add(folder);
      this.follower?.watch(folder, identity);
    };
    const { signal } = this.ending;
    const turns = new Turns(signal);
    const beside: string[] = [];
    const leftovers: string[] = [];
    const onOther = (file: string, isLeftover: boolean) => void (isLeftover ? leftovers : beside).push(file);
    const scanning = { realRoot, patterns, limits, onFolder, signal };
    const { files, problems, hasLinks } = await scan(others ? { ...scanning, onOther } : scanning);
    this.hasLinks = hasLinks;
    this.follower?.keepOnly(folders);
    others?.replace(beside, leftovers);
    await turns.pause();
    this.ownProblems = problems;
    const found = new Set(files.map(({ file }) => file));
    const gone: string[] = [];
    for (const { file } of keeper.reads()) if (!found.has(file)) gone.push(file);
    const end = performance.now();
    // A slow disk is not kept busy: looking takes a hundredth of the time at most.
    this.nextScan = end + Math.max(this.options.rescanInterval, 100 * (end - start));
    return { found: files, gone: gone.sort(compareText) };
  }

  /** Looks at these paths alone; undefined where that could miss something. */
  private async lookAt(realRoot: string, paths: ReadonlySet<string>): Promise<Look | undefined> {
    const { keeper, patterns, limits, others } = this.options;
    const look: Look = { found: [], gone: [] };
    for (const path of paths) {
      const isKnown = keeper.read(path) !== undefined;
      const whole = join(realRoot, ...path.split('/'));
      const stats = await lstat(whole).catch(() => undefined);
      if (!stats) {
        if (isKnown) look.gone.push(path);
        else if (this.hasKnownBelow(path)) return undefined;
        else others?.set(path, false);
      } else if (!stats.isFile()) {
        return undefined;
      } else if (isKnown || (patterns.reaches(path) && path.split('/').length <= limits.depth + 1)) {
        const isItself = (await realpath(whole).catch(() => undefined)) === whole;
        if (!isItself || (!isKnown && keeper.fileCount >= limits.files)) return undefined;
        look.found.push({ file: path, size: stats.size, stamp: stampOf(stats) });
      } else if (patterns.takes(path)) {
        if (this.hasLinks) return undefined;
      } else {
        others?.set(path, true);
      }
    }
    return look;
  }

  private hasKnownBelow(folder: string): boolean {
    for (const { file } of this.options.keeper.reads()) if (file.startsWith(`${folder}/`)) return true;
    return false;
  }

  private arrive(realRoot: string): void {
    this.foundRoot = realRoot;
    this.currentState = 'indexing';
    this.ownProblems = [];
    const { watch, log } = this.options;
    if (watch) this.follower = new Follower(realRoot, (path) => this.touched(path), log);
    this.tell();
  }

  /** The folder is not there, or no longer where it was; or it is refused. */
  private async leave(refusal?: Sentence): Promise<void> {
    this.follower?.close();
    this.follower = undefined;
    this.foundRoot = undefined;
    this.changeCount = undefined;
    this.currentState = 'missing';
    this.ownProblems = refusal ? [{ code: 'unreadable', message: refusal }] : [];
    this.options.others?.replace([], []);
    // What was kept for the next run stays: the folder may come back as it was.
    clearTimeout(this.saving);
    this.saving = undefined;
    const files = [...this.options.keeper.reads()].map(({ file }) => file);
    await this.remove(files.sort(compareText));
  }

  /** Shown step by step, the last first: so those that stay for now keep their ids. */
  private async remove(files: readonly string[]): Promise<void> {
    const turns = new Turns(this.ending.signal);
    for (let end = files.length; end > 0; end -= REMOVED_AT_ONCE) {
      for (const file of files.slice(Math.max(0, end - REMOVED_AT_ONCE), end)) this.options.keeper.remove(file);
      await this.show();
      await turns.pause();
    }
  }

  private async show(): Promise<void> {
    const files = await this.options.keeper.settle(new Turns(this.ending.signal));
    this.ending.signal.throwIfAborted();
    if (files.length > 0) this.options.changed(files);
  }

  private tell(): void {
    if (this.ending.signal.aborted) return;
    const own = this.ownProblems.map(({ file, code, message }) => `${code} ${file} ${message}`);
    const now = [this.currentState, this.options.keeper.problemRevision, ...own].join('\n');
    if (now === this.told) return;
    this.told = now;
    this.options.stateChanged();
  }

  private saveLater(): void {
    this.saving ??= setTimeout(() => {
      this.saving = undefined;
      this.save();
    }, SAVE_AFTER);
    this.saving.unref();
  }

  private save(): void {
    const { cache, keeper, kept, title, log } = this.options;
    if (!cache) return;
    this.writing = this.writing
      .then(() => cache.save(kept?.() ?? keeper.reads()))
      .catch((error) => log(`${title}: what is known could not be kept: ${describeError(error)}`));
  }
}
