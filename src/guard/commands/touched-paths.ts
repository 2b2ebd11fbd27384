import type { PossibleValues } from './possible-values';
import { holdsDefault, UNKNOWN } from './shell';
import type { WorkingFolder } from './working-folder';
import { joined, MAX_PATH_LENGTH } from './written-paths';

const MAX_PATHS = 500;
/** A path behind its option. */
const MAX_ARGUMENT_LENGTH = 2 * MAX_PATH_LENGTH;

/** The words of a line that may be paths, below the folder where each stands: what is touched, and what is only read. */
export class TouchedPaths {
  private readonly paths = new Set<string>();
  private readonly guessed = new Set<string>();
  /** Words that were looked at for what their variables may hold, where they are touched and where they are only read. */
  private readonly filledIn = new Map<string, boolean>();
  private readonly filledToRead = new Set<string>();
  /** Paths that were only read, but whose names went on to a program that does more. */
  private readonly handedOn: string[] = [];
  private readonly guessedOn: string[] = [];
  /** Variables that hold one after the other of what was handed on. */
  private readonly loops = new Set<string>();
  private loopCount = 0;
  /** Whether what is only read is touched after all, by a program that is given its names. */
  handsOn = false;
  /** Whether what is touched now is so only if a variable holds what it may hold. */
  isGuessing = false;
  /** Whether words that hold a default are left out: what is meant by them is looked at apart. */
  private leavesDefaults = false;

  constructor(
    private readonly working: WorkingFolder,
    private readonly values: PossibleValues,
  ) {}

  result(): { paths: string[]; guessed?: string[] } {
    if (this.handsOn) {
      for (const path of this.handedOn) this.paths.add(path);
      for (const path of this.guessedOn) this.guessed.add(path);
    }
    const paths = [...this.paths].slice(0, MAX_PATHS);
    const guessed = [...this.guessed].filter((path) => !this.paths.has(path));
    return { paths, ...(guessed.length > 0 && { guessed }) };
  }

  leavingDefaults(isLeaving: boolean, touch: () => void): void {
    const { leavesDefaults } = this;
    this.leavesDefaults = isLeaving;
    touch();
    this.leavesDefaults = leavesDefaults;
  }

  loop(variable: string, words: readonly string[]): void {
    this.loops.add(variable);
    if (this.values.loop(variable, words)) this.loopCount++;
  }

  /** Whether the word begins with a variable that a loop sets. */
  isLooped(word: string): boolean {
    const variable = /^\$\{?(\w+)\}?/.exec(this.values.shown(word))?.[1];
    return variable !== undefined && this.loops.has(variable);
  }

  /** A word of a program; of an option what stands behind it. */
  argument(word: string, isFile: boolean): void {
    if (word.length > MAX_ARGUMENT_LENGTH) return;
    // `--output=file`, `of=file`: what stands behind may be a path.
    const value = /^(?:(?:--?[\w-]+|\w+)=|-[oO](?=.*[/.]))(.+)$/s.exec(word)?.[1];
    if (value !== undefined) this.touch(value, isFile);
    else if (!word.startsWith('-') && (isFile || !isSentence(word))) this.touch(word, isFile);
  }

  /**
   * `isFile`: whether a plain word is a file. Elsewhere it is a subcommand or a script's name (`npm test`), and `.` is where
   * to look rather than what to change (`eslint .`). Where a default stands in it, that alone is meant.
   */
  touch(word: string, isFile: boolean): void {
    if (this.paths.size >= MAX_PATHS || (this.leavesDefaults && holdsDefault(word))) return;
    const isLooped = this.isLooped(word);
    if (isLooped && !this.values.isChanged(word)) return;
    const { others, isGuess } = this.working.place;
    const isNamed = isFile || namesFile(word);
    const isFilled = this.fill(word, isNamed);
    // What a loop goes through is told where it begins, and so is what that is changed to.
    if (isLooped || !isNamed || (isFilled && holdsDefault(word))) return;
    const path = this.path(word);
    const found = this.isGuessing || isGuess ? this.guessed : this.paths;
    if (path !== undefined && found.size < MAX_PATHS) found.add(path);
    for (const each of others) this.guess(word, each);
  }

  /** What the word may be by its variables. Whether there is any; what was looked at before is not again. */
  private fill(word: string, isNamed: boolean): boolean {
    if (!word.includes('$')) return false;
    const { folder, others } = this.working.place;
    const loop = this.values.isChanged(word) ? this.loopCount : 0;
    const key = `${isNamed} ${this.values.takesApart(word)} ${loop}\n${word}`;
    const folders = [folder, ...others];
    const open = folders.filter((each) => !this.filledIn.has(`${each}\n${key}`));
    if (open.length === 0 || this.guessed.size >= MAX_PATHS) return this.filledIn.get(`${folder}\n${key}`) ?? false;
    const words = this.values.words(word);
    for (const each of open) this.filledIn.set(`${each}\n${key}`, words.length > 0);
    // What becomes a name only as a variable's value is none with blanks: `./say.sh "$TEXT"`.
    const files = isNamed ? words : words.filter((each) => namesFile(each) && !/\s/.test(each));
    for (const each of files) for (const from of open) this.guess(each, from);
    return words.length > 0;
  }

  /** A word that is only read, unless its name goes on to a program that does more. */
  read(word: string): void {
    if (this.handedOn.length >= MAX_PATHS || word.length > MAX_PATH_LENGTH) return;
    if (this.leavesDefaults && holdsDefault(word)) return;
    const path = word.startsWith('-') ? undefined : this.path(word);
    if (path === undefined) return;
    const { folder, others, isGuess } = this.working.place;
    const key = `${[folder, ...others].join('\n')}\n${this.values.takesApart(word)}\n${word}`;
    const isFull = this.guessedOn.length >= MAX_PATHS || this.filledToRead.has(key);
    const words = isFull ? [] : this.values.words(word);
    this.filledToRead.add(key);
    for (const each of words) {
      for (const from of [folder, ...others]) {
        const guess = this.path(each, from);
        if (guess !== undefined && this.guessedOn.length < MAX_PATHS) this.guessedOn.push(guess);
      }
    }
    if (words.length > 0 && holdsDefault(word)) return;
    const found = this.isGuessing || isGuess ? this.guessedOn : this.handedOn;
    if (found.length < MAX_PATHS) found.push(path);
  }

  private guess(word: string, folder: string): void {
    const path = this.path(word, folder);
    // The names come from a substitution that a list holds.
    this.handsOn ||= word === UNKNOWN;
    if (path !== undefined && this.guessed.size < MAX_PATHS) this.guessed.add(path);
  }

  /** Undefined for what cannot be a path. */
  private path(word: string, folder = this.working.place.folder): string | undefined {
    if (word === '' || word === UNKNOWN || word.length > MAX_PATH_LENGTH) return undefined;
    if (/[\n\r]/.test(word) || /^[a-z][a-z\d+.-]+:\/\/(?!\/)/i.test(word)) return undefined;
    const path = joined(folder, this.values.shown(word));
    return path.length > MAX_PATH_LENGTH ? undefined : path;
  }
}

function namesFile(word: string): boolean {
  return /[/\\.~*?[]/.test(word) && !/^\.{1,2}[/\\]?$/.test(word);
}

/** A path with spaces ends as a file does. */
function isSentence(word: string): boolean {
  return /\s/.test(word) && !/\.\w{1,10}$/.test(word);
}
