import { lstat, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { describeError } from '../core/errors';
import { Turns } from '../core/turns';
import { BaseCache } from './cache';
import { Catalogue, type KnownFile } from './catalogue';
import type { ContentCache } from './content-cache';
import type { CompleteDefinition } from './definitions';
import { FileAccess } from './file-access';
import { Follower } from './follower';
import { indexFiles } from './indexing';
import { LIMITS } from './limits';
import type { BaseProblem, BaseState, BaseStatus } from './model';
import { Passes, type Todo } from './passes';
import { compilePatterns, type Patterns } from './patterns';
import { type FoundFile, scan } from './scan';
import { stampOf } from './stamp';

/** What a base needs of those it belongs to. */
export interface BaseSurroundings {
  cacheDirectory: string | undefined;
  watch: boolean;
  /** Milliseconds between two looks at all files, where they are followed. */
  rescanInterval: number;
  now(): number;
  log(message: string): void;
  contents: ContentCache;
  /** Files were added, changed or removed. */
  changed(base: string, files: readonly string[]): void;
  /** The state or the problems are others now. */
  stateChanged(): void;
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

/** One base at work: looks through its folder, keeps what it finds, and follows it. */
export class Base {
  readonly catalogue: Catalogue;
  readonly access: FileAccess;
  private readonly patterns: Patterns;
  /** Undefined where nothing is kept. */
  private readonly cache: BaseCache | undefined;
  private readonly passes = new Passes((todo) => this.pass(todo));
  private readonly ending = new AbortController();
  private follower: Follower | undefined;
  private timer: NodeJS.Timeout | undefined;
  private saving: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private state: BaseState = 'indexing';
  /** Absent as long as the folder was not found. */
  private realRoot: string | undefined;
  private ownProblems: readonly BaseProblem[] = [];
  private changes: number | undefined;
  private hasLinks = false;
  private told = '';
  private nextScan = 0;

  constructor(
    readonly definition: CompleteDefinition,
    private readonly surroundings: BaseSurroundings,
  ) {
    this.catalogue = new Catalogue(definition.name);
    this.patterns = compilePatterns(definition.include, definition.exclude);
    const { contents } = surroundings;
    this.access = new FileAccess({
      base: definition.name,
      catalogue: this.catalogue,
      contents,
      realRoot: () => this.realRoot,
      reindex: (file) => this.reindex(file),
    });
    const { cacheDirectory } = surroundings;
    if (cacheDirectory !== undefined) this.cache = new BaseCache(cacheDirectory, definition);
  }

  get status(): BaseStatus {
    const { definition, state, catalogue } = this;
    const { fileCount: files, nodeCount: nodes } = catalogue;
    const status = { definition, state, files, nodes, problems: this.ownProblems.length + catalogue.problemCount };
    return this.changes === undefined ? status : { ...status, changes: this.changes };
  }

  get isSettled(): boolean {
    return this.state !== 'indexing';
  }

  start(): void {
    if (this.timer) return;
    void this.passes.now('all');
    const { rescanInterval } = this.surroundings;
    this.timer = setInterval(() => this.tick(), Math.min(rescanInterval, MISSING_INTERVAL));
    this.timer.unref();
  }

  problems(): BaseProblem[] {
    return [...this.ownProblems, ...this.catalogue.files().flatMap(({ problems }) => problems)];
  }

  async rescan(): Promise<void> {
    await this.passes.now('all');
  }

  /** A hint to an absolute path; those that have nothing to do with the base are passed over. */
  touched(path: string): void {
    if (!this.timer) return;
    const inside = this.pathOf(path);
    if (inside === undefined) return;
    if (inside === '') this.passes.hint('all');
    else if (this.patterns.takes(inside) || this.patterns.enters(inside)) this.passes.hint(inside);
  }

  /** Has the file indexed as it is now. */
  async reindex(file: string): Promise<void> {
    await this.passes.now(file);
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

  private tick(): void {
    const isDue = this.surroundings.watch && performance.now() >= this.nextScan;
    if (this.state === 'missing' || isDue) this.passes.hint('all');
  }

  private async pass(todo: Todo): Promise<void> {
    try {
      const { root } = this.definition;
      const realRoot = await realpath(root).catch(() => undefined);
      const isFolder = realRoot !== undefined && (await stat(realRoot).catch(() => undefined))?.isDirectory();
      if (realRoot === undefined || !isFolder) await this.leave();
      else await this.look(realRoot, todo);
    } catch (error) {
      if (!this.ending.signal.aborted) {
        this.surroundings.log(`The knowledge base "${this.definition.name}": ${describeError(error)}`);
      }
    }
    this.tell();
  }

  private async look(realRoot: string, todo: Todo): Promise<void> {
    const { signal } = this.ending;
    const { contents } = this.surroundings;
    const isNew = this.realRoot !== realRoot;
    let cached: ReadonlyMap<string, KnownFile> = new Map();
    if (isNew) {
      await this.leave();
      this.arrive(realRoot);
      if (this.cache) cached = await this.cache.load(signal);
      if (cached.size > 0) await this.cache?.keep(this.surroundings.now());
    }
    const turns = new Turns(signal);
    const some = isNew || todo === 'all' ? undefined : await this.lookAt(realRoot, todo);
    const { found, gone } = some ?? (await this.lookAtAll(realRoot));
    await turns.pause();
    await this.remove(gone);
    const { name: base } = this.definition;
    const show = () => this.show();
    const options = { base, realRoot, catalogue: this.catalogue, contents, cached, show, signal };
    const { read, changes } = await indexFiles(found, options);
    const files = new Set(found.map(({ file }) => file));
    const lost = gone.length + [...cached.keys()].filter((file) => !files.has(file)).length;
    if (!some) this.changes = changes + lost;
    await this.show();
    this.state = 'ready';
    if (read + lost > 0) this.saveLater();
  }

  private async lookAtAll(realRoot: string): Promise<Look> {
    const { name: base } = this.definition;
    const start = performance.now();
    const folders = new Set<string>();
    const onFolder = (folder: string) => {
      folders.add(folder);
      this.follower?.watch(folder);
    };
    const { signal } = this.ending;
    const turns = new Turns(signal);
    const { files, problems, hasLinks } = await scan({ base, realRoot, patterns: this.patterns, onFolder, signal });
    this.hasLinks = hasLinks;
    this.follower?.keepOnly(folders);
    await turns.pause();
    this.ownProblems = [...this.patternProblems(), ...problems];
    const found = new Set(files.map(({ file }) => file));
    const gone = this.catalogue.files().filter(({ file }) => !found.has(file));
    const end = performance.now();
    // A slow disk is not kept busy: looking takes a hundredth of the time at most.
    this.nextScan = end + Math.max(this.surroundings.rescanInterval, 100 * (end - start));
    return { found: files, gone: gone.map(({ file }) => file) };
  }

  /** Looks at these paths alone; undefined where that could miss something. */
  private async lookAt(realRoot: string, paths: ReadonlySet<string>): Promise<Look | undefined> {
    const look: Look = { found: [], gone: [] };
    for (const path of paths) {
      const isKnown = this.catalogue.file(path) !== undefined;
      const whole = join(realRoot, ...path.split('/'));
      const stats = await lstat(whole).catch(() => undefined);
      if (!stats) {
        if (isKnown) look.gone.push(path);
        else if (this.catalogue.files().some(({ file }) => file.startsWith(`${path}/`))) return undefined;
      } else if (!stats.isFile()) {
        return undefined;
      } else if (isKnown || (this.patterns.reaches(path) && path.split('/').length <= LIMITS.depth + 1)) {
        const isItself = (await realpath(whole).catch(() => undefined)) === whole;
        if (!isItself || (!isKnown && this.catalogue.fileCount >= LIMITS.files)) return undefined;
        look.found.push({ file: path, size: stats.size, stamp: stampOf(stats) });
      } else if (this.hasLinks && this.patterns.takes(path)) {
        return undefined;
      }
    }
    return look;
  }

  private arrive(realRoot: string): void {
    this.realRoot = realRoot;
    this.state = 'indexing';
    this.ownProblems = this.patternProblems();
    const { watch, log } = this.surroundings;
    if (watch) this.follower = new Follower(realRoot, (path) => this.touched(path), log);
    this.tell();
  }

  /** The folder is not there, or no longer where it was. */
  private async leave(): Promise<void> {
    this.follower?.close();
    this.follower = undefined;
    this.realRoot = undefined;
    this.changes = undefined;
    this.state = 'missing';
    const { name: base, root } = this.definition;
    const message = `There is no folder ${root}. As soon as there is, it is indexed.`;
    this.ownProblems = [{ base, code: 'missing_root', message }, ...this.patternProblems()];
    // What was kept for the next run stays: the folder may come back as it was.
    clearTimeout(this.saving);
    this.saving = undefined;
    await this.remove(this.catalogue.files().map(({ file }) => file));
  }

  private patternProblems(): BaseProblem[] {
    return this.patterns.faults.map((message) => ({ base: this.definition.name, code: 'bad_pattern', message }));
  }

  /** Shown step by step, the last first: so those that stay for now keep their ids. */
  private async remove(files: readonly string[]): Promise<void> {
    const turns = new Turns(this.ending.signal);
    for (let end = files.length; end > 0; end -= REMOVED_AT_ONCE) {
      for (const file of files.slice(Math.max(0, end - REMOVED_AT_ONCE), end)) this.catalogue.remove(file);
      await this.show();
      await turns.pause();
    }
  }

  private async show(): Promise<void> {
    const files = await this.catalogue.settle(new Turns(this.ending.signal));
    this.ending.signal.throwIfAborted();
    if (files.length > 0) this.surroundings.changed(this.definition.name, files);
  }

  private tell(): void {
    if (this.ending.signal.aborted) return;
    const own = this.ownProblems.map(({ file, code, message }) => `${code} ${file} ${message}`);
    const now = [this.state, this.catalogue.problemRevision, ...own].join('\n');
    if (now === this.told) return;
    this.told = now;
    this.surroundings.stateChanged();
  }

  /** Relative to the root, `/` between its parts; empty for the root and what it lies in, undefined for anything else. */
  private pathOf(path: string): string | undefined {
    for (const root of new Set([resolve(this.definition.root), this.realRoot ?? ''])) {
      if (root === '') continue;
      const inside = relative(root, path);
      const names = inside.split(sep);
      if (names.every((name) => name === '' || name === '..')) return '';
      if (names[0] !== '..' && resolve(root, inside) !== inside) return names.join('/');
    }
    return undefined;
  }

  private saveLater(): void {
    this.saving ??= setTimeout(() => {
      this.saving = undefined;
      this.save();
    }, SAVE_AFTER);
    this.saving.unref();
  }

  private save(): void {
    const { cache } = this;
    if (!cache) return;
    const { name } = this.definition;
    this.writing = this.writing
      .then(() => cache.save(this.catalogue.reads()))
      .catch((error) => this.surroundings.log(`What is known of "${name}" could not be kept: ${describeError(error)}`));
  }
}
