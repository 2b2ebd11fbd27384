import { Allowances, LEAST_OF_LINE, lengthOf } from './allowance';
import { checking } from './checking-programs';
import { isFileProgram, takesObjects } from './file-programs';
import { type Filter, filterOf } from './filters';
import { type GitCommand, gitCommand } from './git-commands';
import { GivenNames } from './given-names';
import { inlineScripts, isInterpreter, scriptWrites } from './inline-scripts';
import { foundBy, writtenBy } from './named-words';
import { readPatch } from './patches';
import { PossibleValues } from './possible-values';
import { inputOf, printedBy } from './printed-texts';
import { type Program, programOf } from './programs';
import { isReader } from './reading-programs';
import { ChangedValues, type Dialect, readShell, type SimpleCommand, UNKNOWN } from './shell';
import { shellLines } from './shell-input';
import { TouchedPaths } from './touched-paths';
import { changesFolder, WorkingFolder } from './working-folder';
import { isDevice, joined, MAX_PATH_LENGTH } from './written-paths';

/** What a shell's line does to files, as far as its words tell. */
export interface CommandFiles {
  /** Whether nothing in it does more than read. */
  onlyReads: boolean;
  /** What may be a path, except what is only read; `cd` is taken into account. */
  paths: string[];
  /** What is one only if a variable holds what it may hold, beside the paths. */
  guessed?: string[];
}

/** `[IO.File]::WriteAllText('a.txt', …)`. */
const NET_WRITES = /\]::(?:Write|Append|Delete|Move|Copy|Create|Replace)\w{0,20}\(\s{0,9}["']([^"'\n]{1,300})["']/gi;

const SHELLS = new Set('sh bash zsh dash ksh fish pwsh powershell cmd'.split(' '));

const MAX_DEPTH = 5;
const MAX_LENGTH = 200_000;
/** Programs that a variable only may hold, and such with defaults among their words. */
const MAX_GUESSED_PROGRAMS = 40;
const MAX_BY_DEFAULTS = 200;
/** Of one program. */
const MAX_FILLED_IN = 100;

/** `folder` is where the line starts, as it is written; empty for the folder that the agent works in. */
export function readCommand(line: string, dialect: Dialect = 'posix', folder = ''): CommandFiles {
  const reading = new Reading(dialect, folder, Math.min(line.length, MAX_LENGTH));
  reading.line(line, 0);
  return reading.result();
}

/** Goes through the commands of a line, and of the lines that stand in it, one after the other. */
class Reading {
  private onlyReads = true;
  private readonly allowances: Allowances;
  private readonly working: WorkingFolder;
  private readonly values: PossibleValues;
  private readonly touched: TouchedPaths;
  private readonly changes = new ChangedValues();
  private readonly givenNames = new GivenNames();
  private readonly guessesLeft = {
    byValues: MAX_GUESSED_PROGRAMS,
    byTexts: MAX_GUESSED_PROGRAMS,
    byDefaults: MAX_BY_DEFAULTS,
  };
  /** Whether programs are told something that their own lines do not show. */
  private setsVariables = false;

  constructor(
    private readonly dialect: Dialect,
    folder: string,
    length: number,
  ) {
    this.allowances = new Allowances(length);
    this.working = new WorkingFolder(folder);
    this.values = new PossibleValues(dialect, this.allowances.mayRead, this.changes);
    this.touched = new TouchedPaths(this.working, this.values);
  }

  result(): CommandFiles {
    return { onlyReads: this.onlyReads, ...this.touched.result() };
  }

  /** `input`: whose output its programs are given. */
  line(line: string, depth: number, input: SimpleCommand['input'] = []): void {
    if (depth > 0 && !this.allowances.mayRead(Math.max(line.length, LEAST_OF_LINE))) {
      this.onlyReads = false;
      return;
    }
    this.setsVariables ||= /\bexport\s|\bset\s|\bsetenv\s|\bdeclare\s|\$env:/i.test(line);
    if (this.dialect === 'powershell') {
      for (const [, file] of line.matchAll(NET_WRITES)) this.write(file!);
    }
    this.values.inside(() => {
      const commands = readShell(line, this.dialect, this.changes);
      for (const command of input.length > 0 ? commands : []) {
        if (!command.piped && command.redirections.every(({ writes }) => writes)) command.input = input;
      }
      for (const command of commands) this.command(command, depth);
    });
  }

  private command(command: SimpleCommand, depth: number): void {
    const { words, redirections, inner } = command;
    if (words[0] === '(' || words[0] === ')') {
      this.working.parenthesis(words[0]);
      return;
    }
    if (words[0] === 'esac') this.working.endCase();
    this.working.inSubshell(() => {
      for (const each of inner) this.command(each, depth);
    });
    this.values.at(command);
    for (const { writes, target } of redirections) if (writes && !isDevice(target)) this.write(target);
    const program = programOf(words);
    if (program !== undefined) this.program(program, command, depth);
  }

  private write(file: string): void {
    this.onlyReads = false;
    this.touched.touch(file, true);
  }

  /** What the words of a command begin: a loop, another folder, a shell with a line of its own, or any other program. */
  private program(program: Program, command: SimpleCommand, depth: number): void {
    const { name, takesNames } = program;
    const [given] = takesNames && !this.givenNames.isUsedUp ? this.input(command) : [];
    const args = name === 'find' ? foundBy(program.args) : program.args;
    if (/^(for|foreach|select|case)$/.test(name)) {
      this.loop(name, args);
    } else if (changesFolder(name)) {
      const { values } = this;
      const filled = (word: string) => values.filled(word);
      this.working.change(name, args, { filled, shown: (word) => values.shown(word) });
    } else if (SHELLS.has(name) || name === 'eval' || isSource(command, name)) {
      const read = () => this.shell(program, command, given, depth);
      // `bash ${OPT:--c} '…'`
      if (SHELLS.has(name)) this.guessDefaults(program.args, command, depth);
      if (SHELLS.has(name)) this.working.inSubshell(read);
      else read();
    } else {
      if (depth < MAX_DEPTH) this.guessProgram(name, args, command, depth);
      const isMeant = this.guessDefaults(program.args, command, depth);
      this.touched.leavingDefaults(isMeant, () => this.other({ ...program, args: [...args] }, command, given, depth));
    }
  }

  /** The list of a loop goes on to whatever stands inside. */
  private loop(name: string, args: readonly string[]): void {
    const isList = args.indexOf('in');
    if (name === 'case') this.working.beginCase();
    if (name === 'for' && args[0] !== undefined) this.touched.loop(args[0], args.slice(isList + 1));
    for (const word of args.slice(isList + 1)) this.touched.read(word);
    this.touched.handsOn = true;
  }

  private other(program: Program, command: SimpleCommand, given: string | undefined, depth: number): void {
    const { name, args, takesNames, separator } = program;
    const { words, piped, inner } = command;
    const { mayRead, mayReadScript } = this.allowances;
    const filter = filterOf(name, args, mayReadScript);
    if (filter) this.filter(filter, depth);
    const checks = checking(name, args);
    // What is set for it may have it write: `UPDATE=1 go test`, `export UPDATE=1`.
    const looks = checks?.onlyLooks && !this.setsVariables && !words.some((word) => /^\w+=/.test(word));
    const git = name === 'git' ? gitCommand(args) : undefined;
    // What a script of sed writes, or has done, is told already.
    const reads = filter ? !filter.isOpen : isReader(name, args, mayReadScript);
    const kind = git?.kind ?? (reads ? 'reads' : looks ? 'keeps' : 'does more');
    if (kind === 'reads') {
      for (const word of args) this.touched.read(word);
      return;
    }
    this.onlyReads = false;
    if (kind === 'keeps') return;
    if (git?.isWhole) this.worktree(git, '.');
    for (const word of git?.fromTop ?? []) this.worktree({ ...git!, isAround: true }, word);
    if (/^(apply_?patch|patch)$/.test(name) || (name === 'git' && args.includes('apply'))) {
      for (const text of [...args, ...this.input(command)]) {
        if (mayRead(text.length)) for (const path of readPatch(text).paths) this.touched.touch(path, true);
      }
    }
    // A program that is itself a file of the project runs, and is not changed.
    const areFiles = isFileProgram(name) || takesNames;
    // The names come from a pipe or a substitution.
    const takesUnknown = inner.length > 0 || (areFiles && args.includes(UNKNOWN));
    if (takesNames || takesUnknown || (this.dialect === 'powershell' && takesObjects(name, args, piped)))
      this.touched.handsOn = true;
    this.values.givenNames(() => {
      for (const word of given === undefined ? [] : this.givenNames.words(given, args, separator))
        this.touched.argument(word, true);
    });
    const named =
      git?.named ??
      checks?.args ??
      (isInterpreter(name) ? this.interpreted(name, args, command, depth) : writtenBy(name, args));
    // What is formatted may be a folder; `.` is where to look for it.
    const isFile = (word: string) => areFiles || (checks !== undefined && !/^\.{1,2}[/\\]?$/.test(word));
    for (const word of named) this.touched.argument(word, isFile(word));
  }

  /** What git takes back is not only below the folder it is in, but all of the worktree that this is a folder of. */
  private worktree({ folder, isAround }: GitCommand, word: string): void {
    const { place, start } = this.working;
    const below = joined(place.folder, folder);
    const rest = start === '' ? below : below.startsWith(`${start}/`) ? below.slice(start.length + 1) : undefined;
    // Most often the agent works in the folder where it begins.
    const isInside = rest !== undefined && !/^(?:[/\\~$]|[A-Za-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(rest);
    if (isAround && isInside) this.working.place = { ...place, folder: start };
    this.touched.touch(isAround && isInside ? word : joined(folder, word), true);
    this.working.place = place;
  }

  /** `python -c '…'`, `node <<EOF`: touches what its scripts name. Returns the words beside them. */
  private interpreted(name: string, args: readonly string[], command: SimpleCommand, depth: number): readonly string[] {
    const { scripts, others, hasFile } = inlineScripts(name, args);
    // What a script in a file of its own is given is none.
    for (const script of scripts.length > 0 || hasFile ? scripts : this.input(command)) {
      if (!this.allowances.mayReadScript(script.length)) break;
      const { files, lines } = scriptWrites(script);
      this.apart(lines, depth);
      for (const file of files) this.touched.touch(file, true);
    }
    return others;
  }

  /** What sed and awk write beside what they print. */
  private filter({ files, lines, isOpen }: Filter, depth: number): void {
    const written = files.filter((file) => !isDevice(file));
    if (isOpen || (lines.length > 0 && depth >= MAX_DEPTH)) this.onlyReads = false;
    this.apart(lines, depth);
    for (const file of written) this.write(file);
  }

  /** Lines that are run in a shell each. */
  private apart(lines: readonly string[], depth: number): void {
    if (depth >= MAX_DEPTH) return;
    for (const line of lines) this.working.inSubshell(() => this.line(line, depth + 1));
  }

  /** What a program that is no shell reads, as far as it stands in the line. */
  private input(command: SimpleCommand): string[] {
    const { isUsedUp, mayRead } = this.allowances;
    const text = isUsedUp ? undefined : inputOf(command, mayRead);
    mayRead(text?.length ?? 0);
    return text === undefined ? [] : [text];
  }

  /** `sh -c 'rm …'`, `bash <<EOF`, `echo 'rm …' | sh`: what it is given is a line as well. */
  private shell(program: Program, command: SimpleCommand, given: string | undefined, depth: number): void {
    const { name, args, takesNames, separator } = program;
    const { inner, documents, redirections, input } = command;
    const { allowances, onlyReads } = this;
    this.onlyReads = true;
    const { lines, handsInput } = shellLines(name, args, documents, () =>
      takesNames || allowances.isUsedUp ? undefined : inputOf(command, allowances.mayRead),
    );
    // `eval "$(echo …)"`, `bash <(…)`
    const isInner = [...args, ...redirections.map(({ target }) => target), name].includes(UNKNOWN);
    const printed = isInner && !allowances.isUsedUp ? printedBy(inner, allowances.mayRead) : undefined;
    if (printed !== undefined) lines.push(printed);
    if (lines.length === 0 || depth >= MAX_DEPTH) this.onlyReads = false;
    if (depth < MAX_DEPTH) {
      const names = given === undefined ? [] : this.givenNames.in(given, separator);
      const handed = handsInput && !takesNames ? input : [];
      for (const line of lines) {
        this.line(line, depth + 1, handed);
        // `eval "$CMD"`
        this.guess('byTexts', this.values.lines(line).byTexts, 0, (each) => this.line(each, depth + 1, handed));
        if (!line.includes('{}') || line.length > MAX_PATH_LENGTH) continue;
        for (const each of names) {
          const filled = line.replaceAll('{}', () => each);
          this.line(filled, depth + 1);
        }
      }
      if (lines.length === 0) for (const word of args) this.touched.argument(word, false);
    }
    // `ls | xargs sh -c 'rm "$@"'`
    if (takesNames && !this.onlyReads) this.touched.handsOn = true;
    this.onlyReads &&= onlyReads;
  }

  /** `$CMD`, `"${command[@]}"`, where the line says what that may be: the words of one program, or a program each. */
  private guessProgram(name: string, args: readonly string[], command: SimpleCommand, depth: number): void {
    const lines = this.values.lines(name);
    const before = command.words.slice(0, command.words.length - args.length - 1);
    const start = (line: string) => {
      const words = [...before, ...line.trim().split(/\s+/), ...args];
      this.command({ ...command, words, redirections: [], inner: [] }, depth + 1);
    };
    this.guess('byValues', lines.byValues, lengthOf(args), start);
    this.guess('byTexts', lines.byTexts, lengthOf(args), start);
  }

  /** A program with defaults or options among its words as it is meant by these, which is a guess. Whether all was looked at. */
  private guessDefaults(args: readonly string[], command: SimpleCommand, depth: number): boolean {
    if (depth >= MAX_DEPTH || this.guessesLeft.byDefaults <= 0) return false;
    const filledIn = args.filter((word) => this.values.isMeant(word));
    if (filledIn.length === 0 || filledIn.length > MAX_FILLED_IN) return false;
    if (filledIn.some((word) => this.touched.isLooped(word))) return false;
    const before = command.words.slice(0, command.words.length - args.length);
    const meant = this.values.meant(args);
    if (meant === undefined || meant.lines.length > this.guessesLeft.byDefaults) return false;
    const isRead = this.guess('byDefaults', meant.lines, 0, (each) => {
      this.command({ ...command, words: [...before, ...each], redirections: [], inner: [] }, depth + 1);
    });
    return isRead && meant.isAll;
  }

  /** What a line touches only if it is the right one: as far as so many may still be looked at. Whether that was all. */
  private guess<Line>(
    kind: 'byValues' | 'byTexts' | 'byDefaults',
    lines: readonly Line[],
    length: number,
    read: (line: Line) => void,
  ): boolean {
    const { touched, guessesLeft } = this;
    const { isGuessing } = touched;
    let isAll = true;
    touched.isGuessing = true;
    for (const line of lines) {
      isAll = guessesLeft[kind] > 0 && this.allowances.mayRead(LEAST_OF_LINE + length);
      if (!isAll) break;
      guessesLeft[kind]--;
      this.working.inSubshell(() => read(line));
    }
    touched.isGuessing = isGuessing;
    return isAll;
  }
}

/** `source <(…)`; a `.` is no word of a program. */
function isSource({ words, inner }: SimpleCommand, name: string): boolean {
  return inner.length > 0 && (name === 'source' || (name === UNKNOWN && words.includes('.')));
}
