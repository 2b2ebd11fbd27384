import { type AppliesTo, appliesTo, type FilePath, filePath, matches, parseAppliesTo } from '../../core/globs';
import type { ToolIntent } from '../model';
import type { Disk, WorkspacePaths } from './workspace-files';

/** A file of the workspace that something is about to touch. */
export interface TouchedFile {
  /** Relative to the workspace folder, `/` between the parts. */
  name: string;
  absolute: string;
  /** Whether its stored content counts. */
  replaced: boolean;
  /** As in `GuardFinding`. */
  guessed: boolean;
}

interface TouchedFolder {
  name: string;
  /** Whether all files below it are among the files. */
  complete: boolean;
  /** What is touched of it, where that is not everything. */
  globs?: AppliesTo;
}

/** Of one folder, and of all folders of a call. */
const MAX_BELOW = 2_000;
const MAX_BELOW_IN_ALL = 4_000;
/** What a folder counts for, however little is in it. */
const LEAST_OF_FOLDER = 20;
/** Folders outside of every workspace. */
const TEMPORARY = /^\$(\{(TMPDIR|TEMP|TMP)\}|(TMPDIR|TEMP|TMP)\b)/;
/** A name that no glob is about, so that only those match it that mean everything. */
const ANYTHING = '\uFFFF';

/** What a call touches in the workspace: its files, and the folders whose files it touches all. */
export class Touched {
  private readonly files = new Map<string, TouchedFile & { path: FilePath }>();
  private readonly folders: TouchedFolder[] = [];
  private left = MAX_BELOW_IN_ALL;
  private readonly looked = new Map<string, { files: string[]; complete: boolean }>();
  /** All of them in one text. */
  private names: string | undefined;
  /** Whether there may be more below a folder than was looked at. */
  private isOpen: boolean | undefined;

  constructor(
    { kind, paths, replaced, guessed }: ToolIntent,
    private readonly places: WorkspacePaths,
    private readonly disk: Disk,
  ) {
    for (const written of paths) {
      if (kind === 'command') this.word(written, guessed?.includes(written));
      else this.file(written, replaced.includes(written));
    }
  }

  /** The files that the globs name, in the order of the call, at most `limit`; of a folder without such a file, the folder. */
  matching(written: string, limit: number): TouchedFile[] {
    const globs = parseAppliesTo(written);
    const found: TouchedFile[] = [];
    for (const file of this.files.values()) {
      if (found.length >= limit) break;
      if (appliesTo(globs, file.path)) found.push(file);
    }
    if (found.length > 0) return found;
    for (const { name, complete, globs: some } of this.folders) {
      const isCovered = !some && appliesTo(globs, filePath(`${name}/${ANYTHING}`));
      // Too many files to look at: whatever could be below counts.
      if (isCovered || (!complete && couldBeBelow(globs, filePath(name), some))) {
        return [{ name: name === '' ? '.' : name, absolute: '', replaced: false, guessed: false }];
      }
    }
    return [];
  }

  /** Whether the globs may name more files than `matching` gave for them: beyond the limit, or where not all was looked at. */
  mayMatchMore(written: string, limit: number): boolean {
    const globs = parseAppliesTo(written);
    let count = 0;
    for (const { path } of this.files.values()) if (appliesTo(globs, path) && ++count > limit) return true;
    return this.folders.some(
      ({ name, complete, globs: some }) => !complete && couldBeBelow(globs, filePath(name), some),
    );
  }

  /** Whether a name that is touched may hold one of the texts; else globs that need one of them are not worth reading. */
  couldHold(texts: readonly string[]): boolean {
    this.isOpen ??= this.folders.some(({ complete }) => !complete);
    if (this.isOpen) return true;
    this.names ??= [...this.files.keys(), ...this.folders.map(({ name }) => name)].join('\n');
    if (this.names === '') return this.folders.length > 0;
    return texts.some((text) => this.names!.includes(text));
  }

  /** All files, for rules that name none. */
  all(): TouchedFile[] {
    return [...this.files.values()];
  }

  private file(written: string, replaced: boolean): void {
    const absolute = this.places.absolute(written);
    if (absolute === undefined) return;
    if (replaced && this.disk.kindOf(absolute) === 'folder') this.folder(absolute);
    else this.add(absolute, replaced);
  }

  private add(absolute: string, replaced: boolean, guessed = false): void {
    for (const name of this.places.names(absolute)) {
      if (name === '') continue;
      const known = this.files.get(name);
      const isReplaced = replaced || known?.replaced === true;
      const isGuessed = guessed && known?.guessed !== false;
      this.files.set(name, { name, absolute, replaced: isReplaced, guessed: isGuessed, path: filePath(name) });
    }
  }

  /** A word of a command: a file, a folder with all that is below, or a pattern. */
  private word(written: string, guessed = false): void {
    if (TEMPORARY.test(written)) return;
    // What another variable holds is not known here: it may be anything.
    const known = written.replace(/^\$(\{HOME\}|HOME)(?=[/\\]|$)/, '~').replace(/^\$(\{PWD\}|PWD)(?=[/\\]|$)/, '.');
    const word = known.replace(/\$(\{\w+\}|\w+)/g, '*');
    // Most often it is the folder of the project: `$ROOT/src/a.ts`.
    const [variable = ''] = /^\$(\{\w+\}|\w+)[/\\]/.exec(written) ?? [];
    if (variable !== '' && word.startsWith('*')) {
      for (const folder of new Set([this.places.cwd, this.places.workspace])) {
        this.word(`${folder}/${written.slice(variable.length)}`, true);
      }
    }
    const absolute = this.places.absolute(word);
    const isFound = /[*?[{]/.test(word) && this.pattern(word);
    // Where no file is of a pattern, it may be a name: `app/[id]/page.tsx`; what is not known may be that of a new file.
    if (absolute === undefined || (word === known && (isFound || /[*?]/.test(word)))) return;
    const isGuessed = guessed || word !== known;
    if (this.disk.kindOf(absolute) === 'folder') this.folder(absolute, isGuessed);
    else this.add(absolute, true, isGuessed);
  }

  private folder(absolute: string, guessed = false): void {
    const names = this.places.names(absolute);
    if (names.length === 0) return;
    const { files, complete } = this.below(absolute);
    for (const name of names) this.folders.push({ name, complete });
    for (const file of files) this.add(`${absolute}/${file}`, true, guessed);
  }

  private below(absolute: string): { files: string[]; complete: boolean } {
    const known = this.looked.get(absolute);
    if (known) return known;
    const result = this.disk.below(absolute, Math.max(0, Math.min(MAX_BELOW, this.left)));
    // A folder of nothing but folders takes its time as well.
    this.left -= Math.max(result.files.length, LEAST_OF_FOLDER);
    this.looked.set(absolute, result);
    return result;
  }

  /** `rm migrations/00*`: what the shell would make of it. Whether there is such a file. */
  private pattern(word: string): boolean {
    const fixed = /^([^*?[{]*[/\\])?/.exec(word)![0];
    const parent = this.places.absolute(fixed === '' ? '.' : fixed);
    const folders = parent === undefined ? [] : this.places.names(parent);
    if (parent === undefined || folders.length === 0) return false;
    const globs = parseAppliesTo(`/${word.slice(fixed.length)}`);
    const { files, complete } = this.below(parent);
    if (!complete) for (const name of folders) this.folders.push({ name, complete, globs });
    let isFound = false;
    for (const file of files) {
      const names = filePath(file);
      // A folder that the pattern names is touched with all that is below it.
      if (!names.some((_, at) => appliesTo(globs, names.slice(0, at + 1)))) continue;
      this.add(`${parent}/${file}`, true, true);
      isFound = true;
    }
    return isFound;
  }
}

/** Whether a file below the folder (`some`: those that these globs name) could match: names fit the beginning of a glob. */
function couldBeBelow({ included }: AppliesTo, folder: FilePath, some?: AppliesTo): boolean {
  return included.some(({ segments }) => {
    // A glob for every folder says nothing about this one.
    if (typeof segments[0] === 'symbol') return folder.length === 0;
    const isSymbol = (segment: unknown) => typeof segment === 'symbol';
    const isAbove = folder.every((name, at) => {
      const segment = segments[at];
      if (segments.slice(0, at + 1).some(isSymbol)) return true;
      return typeof segment === 'string' ? segment === name : typeof segment === 'object';
    });
    const next = segments[folder.length];
    if (!some || !isAbove || typeof next !== 'string' || segments.slice(0, folder.length).some(isSymbol))
      return isAbove;
    return some.included.some(({ segments: [first] }) => matches({ segments: [first!], orBelow: true }, [next]));
  });
}
