import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sentence, sentence } from '../core/sentence';
import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import { inParallel } from './concurrency';
import { checkRelativePath, isInside } from './confinement';
import type { FolderLimits } from './limits';
import type { Patterns } from './patterns';
import { identityOf, stampOf } from './stamp';
import { isBeside } from './writing';

export type FolderProblemCode = 'unreadable' | 'outside_root' | 'too_many_files' | 'too_deep';

/** Why not all of a folder is known. */
export interface FolderProblem {
  /** Absent when it is about the folder as a whole. */
  file?: string | undefined;
  code: FolderProblemCode;
  message: Sentence | string;
}

/** The same, as it can be said in another language. */
export interface FoundProblem extends Omit<FolderProblem, 'message'> {
  message: Sentence;
}

/** A file, as its folder tells. */
export interface FoundFile {
  file: string;
  /** Bytes. */
  size: number;
  /** Another one after the file was changed. */
  stamp: string;
}

export interface Scan {
  /** Sorted by path. */
  files: FoundFile[];
  problems: FoundProblem[];
  /** Whether some of them are behind links: what happens to them is told of another path. */
  hasLinks: boolean;
}

export interface ScanOptions {
  realRoot: string;
  patterns: Patterns;
  /** Told of each folder, by its real path, before it is read; and which it is (`identityOf`), unless it is gone. */
  onFolder?: (folder: string, identity: string | undefined) => void;
  /** Told of the files that are not taken; of a leftover (see `isBeside`) in particular. Hidden ones are passed over. */
  onOther?: (file: string, isLeftover: boolean) => void;
  /** Of `performance.now`: no folder is read later. */
  deadline?: number;
  limits: FolderLimits;
  signal: AbortSignal;
}

interface Folder {
  /** Relative to the root; empty for the root. */
  path: string;
  real: string;
  depth: number;
}

interface Found extends FoundFile {
  real: string;
}

/**
 * Finds the files of a folder that its patterns take. Folders are walked as they stand; a link is followed once all of them were, where it stays
 * inside and leads to what was not found without it, so that nothing is taken twice and no circle is walked.
 */
export async function scan(options: ScanOptions): Promise<Scan> {
  return new Walk(options).run();
}

class Walk {
  private readonly found: Found[] = [];
  private readonly problems: FoundProblem[] = [];
  private readonly visited = new Set<string>();
  private links: string[] = [];
  private hasLinks = false;
  private readonly limits: FolderLimits;
  private readonly turns: Turns;

  constructor(private readonly options: ScanOptions) {
    this.limits = options.limits;
    this.turns = new Turns(options.signal);
  }

  async run(): Promise<Scan> {
    await this.walk({ path: '', real: this.options.realRoot, depth: 0 });
    await this.turns.pause();
    const files = new Set(this.found.map(({ real }) => real));
    while (this.links.length > 0) {
      const links = this.links.sort(compareText);
      this.links = [];
      for (const link of links) await this.follow(link, files);
    }
    await this.turns.pause();
    return { files: this.withinLimits(), problems: this.problems, hasLinks: this.hasLinks };
  }

  /** Level by level, so that where there are too many folders the nearest are looked into. */
  private async walk(start: Folder): Promise<void> {
    for (let level = [start]; level.length > 0; ) {
      const below = await inParallel(level, this.limits.concurrency, (folder) => this.look(folder));
      level = below.flat();
      const room = this.limits.folders - this.visited.size;
      if (level.length > room) {
        this.report(
          'too_many_files',
          undefined,
          sentence('There are more than {0} folders; not all are read.', this.limits.folders),
        );
        level = level.sort((a, b) => compareText(a.path, b.path)).slice(0, room);
      }
    }
  }

  /** Takes the folder's files, and answers with the folders in it. */
  private async look({ path, real, depth }: Folder): Promise<Folder[]> {
    const { onFolder, patterns, deadline = Number.POSITIVE_INFINITY, signal } = this.options;
    signal.throwIfAborted();
    if (this.visited.has(real) || performance.now() > deadline) return [];
    this.visited.add(real);
    onFolder?.(real, await stat(real).then(identityOf, () => undefined));
    const entries = await readdir(real, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      this.reportUnreadable('folder', path, error);
      return [] as Dirent[];
    });
    const below: Folder[] = [];
    const files: Found[] = [];
    for (const entry of entries) {
      await this.turns.pause();
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      const folder = { path: inside, real: join(real, entry.name), depth: depth + 1 };
      if (entry.isSymbolicLink()) {
        if (patterns.takes(inside) || patterns.enters(inside)) this.links.push(inside);
      } else if (entry.isDirectory()) {
        if (!patterns.enters(inside)) continue;
        if (depth < this.limits.depth) below.push(folder);
        else
          this.report(
            'too_deep',
            inside,
            sentence('The folder lies more than {0} folders deep and is left out.', this.limits.depth),
          );
      } else if (entry.isFile() && patterns.takes(inside)) {
        if (this.hasUsableName(inside)) files.push({ file: inside, real: folder.real, size: 0, stamp: '' });
      } else if (entry.isFile() && (isBeside(entry.name) || !entry.name.startsWith('.'))) {
        this.options.onOther?.(inside, isBeside(entry.name));
      }
    }
    await inParallel(files, this.limits.concurrency, (file) => this.take(file));
    return below;
  }

  private async take(file: Found): Promise<void> {
    this.options.signal.throwIfAborted();
    try {
      const stats = await lstat(file.real);
      if (stats.isFile()) this.found.push({ ...file, size: stats.size, stamp: stampOf(stats) });
    } catch (error) {
      this.reportUnreadable('file', file.file, error as NodeJS.ErrnoException);
    }
  }

  private async follow(link: string, files: Set<string>): Promise<void> {
    const { realRoot, patterns, signal } = this.options;
    signal.throwIfAborted();
    const isTaken = patterns.takes(link);
    try {
      const real = await realpath(join(realRoot, ...link.split('/')));
      const target = await stat(real);
      const isWanted = target.isDirectory() ? patterns.enters(link) : target.isFile() && isTaken;
      if (!isWanted || files.has(real) || this.visited.has(real)) return;
      if (!isInside(realRoot, real)) {
        this.report('outside_root', link, sentence('The link leads out of the folder and is not followed.'));
      } else if (target.isDirectory()) {
        this.hasLinks = true;
        await this.walk({ path: link, real, depth: link.split('/').length });
      } else if (this.hasUsableName(link)) {
        this.hasLinks = true;
        files.add(real);
        this.found.push({ file: link, real, size: target.size, stamp: stampOf(target) });
      }
    } catch (error) {
      signal.throwIfAborted();
      // A link to nowhere concerns nobody unless it would have been a file of the base.
      const { code } = error as NodeJS.ErrnoException;
      if (isTaken)
        this.report('unreadable', link, sentence('The link leads to nothing that can be read ({0}).', String(code)));
    }
  }

  /** Whether the file can be addressed, on this system and in URIs. */
  private hasUsableName(file: string): boolean {
    try {
      checkRelativePath(file);
      return true;
    } catch {
      this.report('unreadable', file, sentence('The file has a name that cannot be used in addresses. Rename it.'));
      return false;
    }
  }

  private withinLimits(): FoundFile[] {
    const sorted = this.found.sort((a, b) => compareText(a.file, b.file));
    let total = 0;
    const first = sorted.findIndex(({ size }, at) => {
      if (size <= this.limits.fileSize) total += size;
      return at >= this.limits.files || total > this.limits.totalSize;
    });
    const kept = first < 0 ? sorted : sorted.slice(0, first);
    if (kept.length < sorted.length) {
      const rest = sorted.length - kept.length;
      const { files, totalSize } = this.limits;
      const message = sentence(
        'Of a folder at most {0} files and {1} MB are read; the last {2} of {3} are left out.',
        files,
        totalSize / 1_048_576,
        rest,
        sorted.length,
      );
      this.report('too_many_files', kept.length > 0 ? sorted[first]!.file : undefined, message);
    }
    return kept.map(({ file, size, stamp }) => ({ file, size, stamp }));
  }

  private reportUnreadable(what: 'file' | 'folder', path: string, { code }: NodeJS.ErrnoException): void {
    // What was deleted meanwhile is gone; a name that is no UTF-8 is read with other letters than it has.
    if (code !== 'ENOENT') {
      const message =
        what === 'file'
          ? sentence('The file cannot be read ({0}).', String(code))
          : sentence('The folder cannot be read ({0}).', String(code));
      this.report('unreadable', path, message);
    } else if (path.includes('\uFFFD')) {
      const message =
        what === 'file'
          ? sentence('The file has a name that is not UTF-8.')
          : sentence('The folder has a name that is not UTF-8.');
      this.report('unreadable', path, message);
    }
  }

  private report(code: FolderProblemCode, file: string | undefined, message: Sentence): void {
    this.problems.push(file ? { file, code, message } : { code, message });
  }
}
