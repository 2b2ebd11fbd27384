import { sentence } from '../core/sentence';
import { compilePatterns, FolderCache, FollowedFolder, type Patterns } from '../files';
import { Catalogue, type KnownFile } from './catalogue';
import type { ContentCache } from './content-cache';
import type { CompleteDefinition } from './definitions';
import { FileAccess } from './file-access';
import { BaseReader } from './indexing';
import { LIMITS } from './limits';
import type { BaseProblem, BaseStatus } from './model';

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

/** What the names of bases' caches begin with. */
export const CACHE_KIND = 'base';
/** Raised with every change of what is kept, or of what the parser makes of a file. */
const CACHE_FORMAT = 2;

/** One base at work: a folder that is followed, and the nodes of its files. */
export class Base {
  readonly catalogue: Catalogue;
  readonly access: FileAccess;
  private readonly patterns: Patterns;
  private readonly folder: FollowedFolder<KnownFile>;

  constructor(
    readonly definition: CompleteDefinition,
    surroundings: BaseSurroundings,
  ) {
    const { name, root, include, exclude } = definition;
    const { cacheDirectory, contents, ...following } = surroundings;
    this.catalogue = new Catalogue(name);
    this.patterns = compilePatterns(include, exclude);
    const reader = new BaseReader({ base: name, catalogue: this.catalogue, contents });
    const head = { format: CACHE_FORMAT, ...definition };
    this.folder = new FollowedFolder<KnownFile>({
      ...following,
      title: `The knowledge base "${name}"`,
      root,
      patterns: this.patterns,
      limits: LIMITS,
      keeper: reader,
      reader,
      cache: cacheDirectory === undefined ? undefined : new FolderCache(cacheDirectory, CACHE_KIND, head),
      kept: () => reader.kept(),
      changed: (files) => surroundings.changed(name, files),
    });
    this.access = new FileAccess({
      base: name,
      catalogue: this.catalogue,
      contents,
      realRoot: () => this.folder.realRoot,
      reindex: (file) => this.reindex(file),
    });
  }

  get status(): BaseStatus {
    const { definition, catalogue } = this;
    const { state, changes } = this.folder;
    const { fileCount: files, nodeCount: nodes } = catalogue;
    const status = { definition, state, files, nodes, problems: this.ownProblems().length + catalogue.problemCount };
    return changes === undefined ? status : { ...status, changes };
  }

  get isSettled(): boolean {
    return this.folder.state !== 'indexing';
  }

  start(): void {
    this.folder.start();
  }

  problems(): BaseProblem[] {
    return [...this.ownProblems(), ...this.catalogue.files().flatMap(({ problems }) => problems)];
  }

  rescan(): Promise<void> {
    return this.folder.rescan();
  }

  /** A hint to an absolute path; those that have nothing to do with the base are passed over. */
  touched(path: string): void {
    this.folder.touched(path);
  }

  /** Has the file indexed as it is now. */
  reindex(file: string): Promise<void> {
    return this.folder.reindex([file]);
  }

  /** Writes what is known for the next run. */
  close(): Promise<void> {
    return this.folder.close();
  }

  private ownProblems(): BaseProblem[] {
    const { name: base, root } = this.definition;
    const problems: BaseProblem[] = [];
    if (this.folder.state === 'missing') {
      const message = sentence('There is no folder {0}. As soon as there is, it is indexed.', root);
      problems.push({ base, code: 'missing_root', message });
    }
    for (const message of this.patterns.faults) problems.push({ base, code: 'bad_pattern', message });
    for (const problem of this.folder.problems) problems.push({ base, ...problem });
    return problems;
  }
}
