import { realpath } from 'node:fs/promises';
import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import type { Turns } from '../../core/turns';
import {
  compilePatterns,
  FOLDER_LIMITS,
  FolderCache,
  type FolderState,
  FollowedFolder,
  isInside,
  type OtherFiles,
  type Patterns,
  removeLeftover,
} from '../../files';
import type { NoteProblem, Space } from '../model';
import { spaceName } from '../space-names';
import { SpaceCatalogue } from './catalogue';
import { CACHE_FORMAT, CACHE_KIND, type Format, type KnownNote, MAX_NOTE, parseKnown, unreadable } from './known';
import type { LinkIndex } from './links';
import type { Member } from './member';
import { insidePath } from './roots';

/** What a space needs of those it belongs to. */
export interface SpaceSurroundings {
  cacheDirectory: string | undefined;
  watch: boolean;
  /** Milliseconds between two looks at all files, where they are followed. */
  rescanInterval: number;
  now(): number;
  log(message: string): void;
  /** Loads the format when the first file is read. */
  format(): Promise<Format>;
  links: LinkIndex;
  /** The root of the space that has a folder which both are led to. */
  rootBefore(space: Space): string | undefined;
  follow(space: Space, publish: () => readonly Member[], turns: Turns): Promise<readonly string[]>;
  changed(space: Space, files: readonly string[]): void;
  stateChanged(): void;
}

/** As of any folder, but a note may be larger than a file of a base. */
const LIMITS = { ...FOLDER_LIMITS, fileSize: MAX_NOTE };
/** What was written for longer than this is not being written any more. */
const LEFT_BEHIND_AFTER = 3_600_000;
/** Names of other files that are known at most. */
const MAX_OTHERS = 50_000;

/** One space at work: a folder that is followed, and the notes and collections of its files. */
export class SpaceAtWork {
  readonly catalogue: SpaceCatalogue;
  private readonly patterns: Patterns;
  private readonly folder: FollowedFolder<KnownNote>;
  private readonly others = new Set<string>();
  private leftovers: readonly string[] = [];
  private isCleared = false;

  constructor(
    readonly name: Space,
    readonly root: string,
    /** Folders in it that are no part of it, as globs: the other space. */
    readonly exclude: readonly string[],
    private readonly surroundings: SpaceSurroundings,
  ) {
    const { cacheDirectory, links, follow, format, changed, rootBefore, ...following } = surroundings;
    this.patterns = compilePatterns(['**/*.md'], ['**/node_modules/**', '**/.*', ...exclude]);
    this.catalogue = new SpaceCatalogue(name, links, (publish, turns) => follow(name, publish, turns));
    const head = { format: CACHE_FORMAT, space: name, root, exclude };
    this.folder = new FollowedFolder<KnownNote>({
      ...following,
      title: `The ${name} space`,
      root,
      patterns: this.patterns,
      limits: LIMITS,
      keeper: this.catalogue,
      reader: {
        parse: async (file, read) => parseKnown(file, read, await format()),
        unreadable,
        // Showing a note takes longer than showing a node.
        weightOf: () => 4,
      },
      cache: cacheDirectory === undefined ? undefined : new FolderCache(cacheDirectory, CACHE_KIND, head),
      changed: (files) => changed(name, files),
      others: this.otherFiles(),
      refusal: (realRoot) => this.refusal(realRoot),
    });
  }

  get state(): FolderState {
    return this.folder.state;
  }

  get realRoot(): string | undefined {
    return this.folder.realRoot;
  }

  /** Whether a file of this name is one of the space, once it is there. */
  reaches(file: string): boolean {
    return this.patterns.reaches(file);
  }

  start(): void {
    this.folder.start();
  }

  rescan(): Promise<void> {
    return this.folder.rescan();
  }

  touched(path: string): void {
    this.folder.touched(path);
  }

  reindex(files: readonly string[]): Promise<void> {
    return this.folder.reindex(files);
  }

  /** Relative to the root; undefined for what lies elsewhere. */
  pathOf(path: string): string | undefined {
    return this.folder.pathOf(path) || undefined;
  }

  /** Of the space as a whole. */
  problems(): NoteProblem[] {
    return this.folder.problems.map((problem) => ({ space: this.name, ...problem }));
  }

  /** Throws `invalid_argument` where the folder is another space's. */
  async requireOwn(realRoot: string): Promise<void> {
    const refusal = await this.refusal(realRoot);
    if (refusal) throw new KaizenError('invalid_argument', refusal, sentence('Give each space a folder of its own.'));
  }

  /** Removes what was left behind by a process that ended while it wrote a note. */
  async tidy(realRoot: string): Promise<void> {
    const until = this.surroundings.now() - LEFT_BEHIND_AFTER;
    const { leftovers } = this;
    this.leftovers = [];
    for (const file of leftovers) await removeLeftover(realRoot, file, until);
  }

  async close(): Promise<void> {
    await this.folder.close();
  }

  /** Takes everything out at once, for good: a pass may still be under way. Answers the files that were there. */
  clear(): string[] {
    this.isCleared = true;
    this.forgetOthers();
    return this.catalogue.clear();
  }

  /** Spaces whose roots lie in one another share their files out; links may lead to one folder behind their backs. */
  private async refusal(realRoot: string): Promise<Sentence | undefined> {
    const other = this.surroundings.rootBefore(this.name);
    if (other === undefined || insidePath(other, this.root) || insidePath(this.root, other)) return undefined;
    const real = await realpath(other).catch(() => undefined);
    if (real === undefined || !(isInside(real, realRoot) || isInside(realRoot, real))) return undefined;
    return sentence('The {0} space, {1}, leads to files of the space at {2}.', spaceName(this.name), this.root, other);
  }

  private otherFiles(): OtherFiles {
    const { links } = this.surroundings;
    const set = (file: string, isThere: boolean) => {
      if (this.isCleared || this.others.has(file) === isThere || (isThere && this.others.size >= MAX_OTHERS)) return;
      if (isThere) this.others.add(file);
      else this.others.delete(file);
      links.setOther(this.name, file, isThere);
    };
    return {
      set,
      replace: (files, leftovers) => {
        const there = new Set(files);
        for (const file of this.others) if (!there.has(file)) set(file, false);
        for (const file of there) set(file, true);
        this.leftovers = leftovers;
      },
    };
  }

  private forgetOthers(): void {
    for (const file of this.others) this.surroundings.links.setOther(this.name, file, false);
    this.others.clear();
  }
}
