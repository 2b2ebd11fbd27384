import { lengthOf } from './allowance';
import { checking } from './checking-programs';
import { type Filter, filterOf } from './filters';
import { type GitCommand, gitCommand } from './git-commands';
import { inlineScripts, isInterpreter, scriptWrites } from './inline-scripts';
import { foundBy, writtenBy } from './named-words';
import { readPatch } from './patches';
import { inputOf, printedBy } from './printed-texts';
import { type Program, programOf } from './programs';
import { isReader } from './reading-programs';
import { type Dialect, readShell, type SimpleCommand, UNKNOWN } from './shell';
import { shellLines } from './shell-input';
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

/** Programs whose plain words are files, so that `touch Dockerfile` means the file though it has no dot and no slash. */
const FILE_PROGRAMS = new Set(
  (
    'rm rmdir unlink shred touch mkdir cp mv ln install tee truncate dd sed perl awk gawk sort patch chmod chown chgrp ' +
    'rsync scp tar unzip gunzip gzip ed ex vi vim nano emacs code split del erase rd copy xcopy robocopy move ren rename ' +
    'mklink trash mkfifo csplit remove-item set-content add-content clear-content new-item move-item copy-item rename-item ' +
    'out-file tee-object ri ni mi ci rni sc ac clc'
  ).split(' '),
);

const SHELLS = new Set('sh bash zsh dash ksh fish pwsh powershell cmd'.split(' '));

/** Of PowerShell: takes away or changes the files that a pipe hands on. */
const TAKES_OBJECTS = /^((remove|clear|move|rename)-.*|r[idm]|rmdir|del|erase|clc|mi|mv|move|rni|ren)$/i;

/** Most often it is the one that the agent is in already. */
const UNKNOWN_FOLDER = /^\$(?!\{?(?:TMPDIR|TEMP|TMP|HOME|PWD)\b)[^/\\]*$/;

const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;

const MAX_DEPTH = 5;
const MAX_PATHS = 500;
const MAX_PUSHED = 100;
/** A path behind its option. */
const MAX_ARGUMENT_LENGTH = 2 * MAX_PATH_LENGTH;
/**
 * Of all lines, scripts and texts that stand in a line, and of the scripts alone, in characters: a variable may hold one
 * that is used again and again. What is written in the line itself stays below it.
 */
const WITHIN = { least: 100_000, times: 5 };
const SCRIPTS_WITHIN = { least: 50_000, times: 1 };
const MAX_LENGTH = 200_000;
const LEAST_OF_LINE = 100;
/** Names that programs are given through pipes, and the words in which one of them stands. */
const MAX_GIVEN = 1_000;
const MAX_PLACES = 10;
/** Programs that a variable only may hold. */
const MAX_GUESSED_PROGRAMS = 40;

/** `folder` is where the line starts, as it is written; empty for the folder that the agent works in. */
export function readCommand(line: string, dialect: Dialect = 'posix', folder = ''): CommandFiles {
  const reading = new Reading(dialect, folder, Math.min(line.length, MAX_LENGTH));
  reading.line(line, 0);
  return reading.result();
}

/** Where a line is: not changed by what is in parentheses. */
interface Place {
  folder: string;
  /** Where `cd -` goes back to, and `popd`. */
  before: string;
  pushed: readonly string[];
  /** Where a variable may have led instead. */
  perhaps: string | undefined;
}

class Reading {
  private onlyReads = true;
  private readonly paths = new Set<string>();
  private readonly guessed = new Set<string>();
  /** What variables may hold that the line does not fill in. */
  private possible: SimpleCommand['possible'] = new Map();
  /** The same of the lines that this one stands in. */
  private around: readonly SimpleCommand['possible'][] = [];
  /** Words that were looked at for it, where they are touched and where they are only read. */
  private readonly filledIn = new Set<string>();
  private readonly filledToRead = new Set<string>();
  private isGuessing = false;
  private left: number;
  private scriptsLeft: number;
  private givenLeft = MAX_GIVEN;
  private guessesLeft = MAX_GUESSED_PROGRAMS;
  /** Paths that were only read, but whose names went on to a program that does more. */
  private readonly handedOn: string[] = [];
  private readonly guessedOn: string[] = [];
  private handsOn = false;
  /** Whether programs are told something that their own lines do not show. */
  private setsVariables = false;
  /** Variables that hold one after the other of what was handed on. */
  private readonly loops = new Set<string>();
  private place: Place;
  /** What is open: parentheses, with the place before each (`cd` inside of it ends with it), and `case`. */
  private open: (Place | 'case')[] = [];

  constructor(
    private readonly dialect: Dialect,
    private readonly start: string,
    length: number,
  ) {
    this.left = WITHIN.least + WITHIN.times * length;
    this.scriptsLeft = SCRIPTS_WITHIN.least + SCRIPTS_WITHIN.times * length;
    this.place = { folder: start, before: start, pushed: [], perhaps: undefined };
  }

  result(): CommandFiles {
    if (this.handsOn) {
      for (const path of this.handedOn) this.paths.add(path);
      for (const path of this.guessedOn) this.guessed.add(path);
    }
    const paths = [...this.paths].slice(0, MAX_PATHS);
    const guessed = [...this.guessed].filter((path) => !this.paths.has(path));
    return { onlyReads: this.onlyReads, paths, ...(guessed.length > 0 && { guessed }) };
  }

  /** `input`: whose output its programs are given. */
  line(line: string, depth: number, input: SimpleCommand['input'] = []): void {
    if (depth > 0) {
      this.left -= Math.max(line.length, LEAST_OF_LINE);
      if (this.left < 0) {
        this.onlyReads = false;
        return;
      }
    }
    this.setsVariables ||= /\bexport\s|\bset\s|\bsetenv\s|\bdeclare\s|\$env:/i.test(line);
    if (this.dialect === 'powershell') {
      for (const [, file] of line.matchAll(NET_WRITES)) {
        this.onlyReads = false;
        this.touch(file!, true);
      }
    }
    const { possible, around } = this;
    this.around = [...around, possible];
    const commands = readShell(line, this.dialect);
    for (const command of input.length > 0 ? commands : []) {
      if (!command.piped && command.redirections.every(({ writes }) => writes)) command.input = input;
    }
    for (const command of commands) this.command(command, depth);
    this.possible = possible;
    this.around = around;
  }

  private command(command: SimpleCommand, depth: number): void {
    const { words, piped, redirections, inner } = command;
    if (words[0] === '(' || words[0] === ')') {
      this.parenthesis(words[0]);
      return;
    }
    if (words[0] === 'esac' && this.open.at(-1) === 'case') this.open.pop();
    this.inSubshell(() => {
      for (const each of inner) this.command(each, depth);
    });
    this.possible = command.possible;
    for (const { writes, target } of redirections) {
      if (!writes || isDevice(target)) continue;
      this.onlyReads = false;
      this.touch(target, true);
    }
    const program = programOf(words);
    if (program === undefined) return;
    const { name, takesNames } = program;
    const [given] = takesNames && this.givenLeft > 0 ? this.input(command) : [];
    const args = name === 'find' ? foundBy(program.args) : program.args;
    if (name === 'for' || name === 'foreach' || name === 'select' || name === 'case') {
      // The list goes on to whatever stands inside.
      const isList = args.indexOf('in');
      if (name === 'case') this.open.push('case');
      if (name === 'for' && args[0] !== undefined) this.loops.add(args[0]);
      for (const word of args.slice(isList + 1)) this.read(word);
      this.handsOn = true;
      return;
    }
    if (/^(cd|chdir|pushd|popd|[SP](et|ush|op)-Location)$/i.test(name)) {
      this.changeFolder(name.toLowerCase(), args);
      return;
    }
    if (SHELLS.has(name) || name === 'eval' || this.isSource(command, name)) {
      const read = () => this.shell(program, command, given, depth);
      if (SHELLS.has(name)) this.inSubshell(read);
      else read();
      return;
    }
    if (depth < MAX_DEPTH) this.guessProgram(name, args, command, depth);
    const filter = filterOf(name, args, this.mayReadScript);
    if (filter) this.filter(filter, depth);
    const checks = checking(name, args);
    // What is set for it may have it write: `UPDATE=1 go test`, `export UPDATE=1`.
    const looks = checks?.onlyLooks && !this.setsVariables && !words.some((word) => /^\w+=/.test(word));
    const git = name === 'git' ? gitCommand(args) : undefined;
    // What a script of sed writes, or has done, is told already.
    const reads = filter ? !filter.isOpen : isReader(name, args, this.mayReadScript);
    const kind = git?.kind ?? (reads ? 'reads' : looks ? 'keeps' : 'does more');
    if (kind === 'reads') {
      for (const word of args) this.read(word);
      return;
    }
    this.onlyReads = false;
    if (kind === 'keeps') return;
    if (git?.isWhole) this.worktree(git);
    if (/^(apply_?patch|patch)$/.test(name) || (name === 'git' && args.includes('apply'))) {
      for (const text of [...args, ...this.input(command)]) {
        if (this.mayRead(text.length)) for (const path of readPatch(text).paths) this.touch(path, true);
      }
    }
    // A program that is itself a file of the project runs, and is not changed.
    const isFileProgram = FILE_PROGRAMS.has(name.toLowerCase()) || name === 'git' || name === 'find' || takesNames;
    // The names come from a pipe or a substitution.
    const takesUnknown = inner.length > 0 || (isFileProgram && args.includes(UNKNOWN));
    if (takesNames || takesUnknown || (this.dialect === 'powershell' && takesObjects(name, args, piped)))
      this.handsOn = true;
    if (given !== undefined) this.given(given, program);
    const named =
      git?.named ??
      checks?.args ??
      (isInterpreter(name) ? this.interpreted(name, args, command, depth) : writtenBy(name, args));
    // What is formatted may be a folder; `.` is where to look for it.
    const isFile = (word: string) => isFileProgram || (checks !== undefined && !/^\.{1,2}[/\\]?$/.test(word));
    for (const word of named) this.argument(word, isFile(word));
  }

  /** What git takes back is not only below the folder it is in, but all of the worktree that this is a folder of. */
  private worktree({ folder, isAround }: GitCommand): void {
    const below = joined(this.place.folder, folder);
    const { start } = this;
    const rest = start === '' ? below : below.startsWith(`${start}/`) ? below.slice(start.length + 1) : undefined;
    // Most often the agent works in the folder where it begins.
    const isInside = rest !== undefined && !/^(?:[/\\~$]|[A-Za-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(rest);
    const { place } = this;
    if (isAround && isInside) this.place = { ...place, folder: start };
    this.touch(isAround && isInside ? '.' : joined(folder, '.'), true);
    this.place = place;
  }

  private parenthesis(sign: '(' | ')'): void {
    if (sign === '(') {
      this.open.push(this.place);
      return;
    }
    const opened = this.open.at(-1);
    // Behind a pattern of `case`: it closes nothing.
    if (opened === undefined || opened === 'case') return;
    this.open.pop();
    this.place = opened;
  }

  /** `python -c '…'`, `node <<EOF`: touches what its scripts name. Returns the words beside them. */
  private interpreted(name: string, args: readonly string[], command: SimpleCommand, depth: number): readonly string[] {
    const { scripts, others, hasFile } = inlineScripts(name, args);
    // What a script in a file of its own is given is none.
    for (const script of scripts.length > 0 || hasFile ? scripts : this.input(command)) {
      if (!this.mayReadScript(script.length)) break;
      const { files, lines } = scriptWrites(script);
      if (depth < MAX_DEPTH) for (const line of lines) this.inSubshell(() => this.line(line, depth + 1));
      for (const file of files) this.touch(file, true);
    }
    return others;
  }

  /** What a program that is no shell reads, as far as it stands in the line. */
  private input(command: SimpleCommand): string[] {
    const text = this.left < 0 ? undefined : inputOf(command, this.mayRead);
    this.left -= text?.length ?? 0;
    return text === undefined ? [] : [text];
  }

  /** Whether a text of so many characters, whatever it holds, may still be read. */
  private readonly mayRead = (length: number): boolean => {
    this.left -= length;
    return this.left >= 0;
  };

  private readonly mayReadScript = (length: number): boolean => {
    this.scriptsLeft -= length;
    return this.scriptsLeft >= 0;
  };

  private inSubshell(read: () => void): void {
    const { place, open } = this;
    this.open = [];
    read();
    this.open = open;
    this.place = place;
  }

  private changeFolder(name: string, args: readonly string[]): void {
    const target = args.find((word) => !/^-./.test(word) && word !== '/d');
    const { folder, before } = this.place;
    let { folder: to, pushed, perhaps } = this.place;
    if (name.startsWith('push')) pushed = [...pushed.slice(1 - MAX_PUSHED), folder];
    if (name.startsWith('pop')) {
      to = pushed.at(-1) ?? folder;
      pushed = pushed.slice(0, -1);
      perhaps = undefined;
    } else if (target === '-' || /^\$(OLDPWD|\{OLDPWD\})$/.test(target ?? '')) {
      to = before;
      perhaps = undefined;
    } else if (target !== undefined) {
      const isUnknown = UNKNOWN_FOLDER.test(target);
      const [possible = isUnknown ? undefined : target] = this.filled(target, 1);
      perhaps = possible === undefined ? undefined : joined(perhaps ?? folder, possible);
      to = isUnknown ? this.start : joined(folder, target);
    }
    this.place = { folder: to, before: folder, pushed, perhaps: perhaps === to ? undefined : perhaps };
  }

  /** `source <(…)`; a `.` is no word of a program. */
  private isSource({ words, inner }: SimpleCommand, name: string): boolean {
    return inner.length > 0 && (name === 'source' || (name === UNKNOWN && words.includes('.')));
  }

  /** `sh -c 'rm …'`, `bash <<EOF`, `echo 'rm …' | sh`: what it is given is a line as well. */
  private shell(program: Program, command: SimpleCommand, given: string | undefined, depth: number) {
    const { name, args, takesNames } = program;
    const { onlyReads } = this;
    this.onlyReads = true;
    const { inner, documents } = command;
    const { lines, handsInput } = shellLines(name, args, documents, () =>
      takesNames || this.left < 0 ? undefined : inputOf(command, this.mayRead),
    );
    // `eval "$(echo …)"`, `bash <(…)`
    const isInner = [...args, ...command.redirections.map(({ target }) => target), name].includes(UNKNOWN);
    const printed = isInner && this.left >= 0 ? printedBy(inner, this.mayRead) : undefined;
    if (printed !== undefined) lines.push(printed);
    if (lines.length === 0 || depth >= MAX_DEPTH) this.onlyReads = false;
    if (depth < MAX_DEPTH) {
      const names = given === undefined ? [] : this.names(given, program.separator);
      const handed = handsInput && !takesNames ? command.input : [];
      for (const line of lines) {
        this.line(line, depth + 1, handed);
        if (line.includes('{}') && line.length <= MAX_PATH_LENGTH) {
          for (const each of names)
            this.line(
              line.replaceAll('{}', () => each),
              depth + 1,
            );
        }
      }
      if (lines.length === 0) for (const word of args) this.argument(word, false);
    }
    // `ls | xargs sh -c 'rm "$@"'`
    if (takesNames && !this.onlyReads) this.handsOn = true;
    this.onlyReads &&= onlyReads;
  }

  /** The names that a program is given line by line: each word, and each line. */
  private names(text: string, separator = '\n'): string[] {
    const lines = text
      .slice(0, MAX_PATH_LENGTH * MAX_PLACES)
      .split('\n')
      .filter((line) => line !== '');
    const words = lines
      .flatMap((line) => [line.trim(), ...line.split(/\s+/), ...line.split(separator)])
      .map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
    const names = [...new Set(words)].filter((name) => name !== '' && name.length <= MAX_PATH_LENGTH);
    const found = names.slice(0, this.givenLeft);
    this.givenLeft -= found.length;
    return found;
  }

  /** `"${command[@]}"`, where the line says what that may be: the words of one program, or a program each. */
  private guessProgram(name: string, args: readonly string[], command: SimpleCommand, depth: number): void {
    const values = /^\$(?:\w+|\{\w+\})$/.test(name) ? this.values(name.replace(/\W/g, '')) : undefined;
    if (!values) return;
    const { isGuessing } = this;
    const length = LEAST_OF_LINE + lengthOf(args);
    const before = command.words.slice(0, command.words.length - args.length - 1);
    this.isGuessing = true;
    for (const each of values.length > 1 ? [values, ...values.map((value) => [value])] : [values]) {
      if (this.guessesLeft <= 0 || !this.mayRead(length)) break;
      this.guessesLeft--;
      const words = [...before, ...each.flatMap((value) => value.trim().split(/\s+/)), ...args];
      this.inSubshell(() => this.command({ ...command, words, redirections: [], inner: [] }, depth + 1));
    }
    this.isGuessing = isGuessing;
  }

  /** What sed and awk write beside what they print. */
  private filter({ files, lines, isOpen }: Filter, depth: number): void {
    const written = files.filter((file) => !isDevice(file));
    if (isOpen || written.length > 0 || (lines.length > 0 && depth >= MAX_DEPTH)) this.onlyReads = false;
    if (depth < MAX_DEPTH) for (const line of lines) this.inSubshell(() => this.line(line, depth + 1));
    for (const file of written) this.touch(file, true);
  }

  /** `echo 'a b' | xargs rm`, `… | xargs -I{} rm db/{}` */
  private given(text: string, { args, separator }: Program): void {
    const places = args.filter((word) => word.includes('{}') && word.length <= MAX_PATH_LENGTH).slice(0, MAX_PLACES);
    for (const name of this.names(text, separator)) {
      for (const place of places)
        this.argument(
          place.replaceAll('{}', () => name),
          true,
        );
      if (places.length === 0) this.argument(name, true);
    }
  }

  private argument(word: string, isFile: boolean): void {
    if (word.length > MAX_ARGUMENT_LENGTH) return;
    // `--output=file`, `of=file`: what stands behind may be a path.
    const value = /^(?:(?:--?[\w-]+|\w+)=|-[oO](?=.*[/.]))(.+)$/s.exec(word)?.[1];
    if (value !== undefined) this.touch(value, isFile);
    else if (!word.startsWith('-') && (isFile || !isSentence(word))) this.touch(word, isFile);
  }

  /**
   * `isFile`: whether a plain word is a file. Elsewhere it is a subcommand or a script's name (`npm test`), and `.` is where
   * to look rather than what to change (`eslint .`).
   */
  private touch(word: string, isFile: boolean): void {
    if (this.paths.size >= MAX_PATHS) return;
    if (!isFile && (!/[/\\.~*?[]/.test(word) || /^\.{1,2}[/\\]?$/.test(word))) return;
    const variable = /^\$\{?(\w+)\}?/.exec(word)?.[1];
    if (variable !== undefined && this.loops.has(variable)) return;
    const path = this.path(word);
    const found = this.isGuessing ? this.guessed : this.paths;
    if (path !== undefined && found.size < MAX_PATHS) found.add(path);
    const { folder, perhaps = folder } = this.place;
    if (perhaps !== folder) this.guess(word, perhaps);
    const key = `${perhaps}\n${word}`;
    if (this.guessed.size >= MAX_PATHS || this.filledIn.has(key)) return;
    this.filledIn.add(key);
    for (const each of this.filled(word)) this.guess(each, perhaps);
  }

  private guess(word: string, folder: string): void {
    const path = this.path(word, folder);
    // The names come from a substitution that a list holds.
    this.handsOn ||= word === UNKNOWN;
    if (path !== undefined && this.guessed.size < MAX_PATHS) this.guessed.add(path);
  }

  /** What a variable may hold; in the line, or in one around it. */
  private values(written: string): readonly string[] | undefined {
    const name = this.dialect === 'powershell' ? written.toLowerCase() : written;
    const map = this.possible.has(name) ? this.possible : this.around.findLast((each) => each.has(name));
    return map?.get(name);
  }

  /** What the word would be by what its variables may hold. */
  private filled(word: string, most = Number.POSITIVE_INFINITY): string[] {
    if (word.length > MAX_PATH_LENGTH || !word.includes('$')) return [];
    const names = [...word.matchAll(VARIABLE)].map(([, braced, plain]) => this.values(braced ?? plain!));
    const count = Math.min(most, Math.max(0, ...names.map((values) => values?.length ?? 0)));
    if (!this.mayRead(names.reduce((length, values) => length + lengthOf((values ?? []).slice(0, count)), 0)))
      return [];
    return Array.from({ length: count }, (_, at) => {
      let left = MAX_PATH_LENGTH;
      return word.replace(VARIABLE, (written, braced?: string, plain?: string) => {
        const values = this.values(braced ?? plain!);
        const value = values?.[at] ?? values?.at(-1) ?? written;
        left -= value.length;
        return left < 0 ? '' : value;
      });
    });
  }

  private read(word: string): void {
    if (this.handedOn.length >= MAX_PATHS || word.length > MAX_PATH_LENGTH) return;
    const path = word.startsWith('-') ? undefined : this.path(word);
    if (path === undefined) return;
    this.handedOn.push(path);
    const { folder, perhaps = folder } = this.place;
    const key = `${perhaps}\n${word}`;
    if (this.guessedOn.length >= MAX_PATHS || this.filledToRead.has(key)) return;
    this.filledToRead.add(key);
    for (const each of this.filled(word)) {
      const guess = this.path(each, perhaps);
      if (guess !== undefined) this.guessedOn.push(guess);
    }
  }

  /** Undefined for what cannot be a path. */
  private path(word: string, folder = this.place.folder): string | undefined {
    if (word === '' || word === UNKNOWN || word.length > MAX_PATH_LENGTH) return undefined;
    if (/[\n\r]/.test(word) || /^[a-z][a-z\d+.-]+:\/\/(?!\/)/i.test(word)) return undefined;
    const path = joined(folder, word);
    return path.length > MAX_PATH_LENGTH ? undefined : path;
  }
}

/** PowerShell's pipes hand on files: `Get-ChildItem migrations | Remove-Item`, or `| ForEach-Object { Remove-Item $_.FullName }`. */
function takesObjects(name: string, args: readonly string[], piped: boolean): boolean {
  const has = (pattern: RegExp) => args.some((word) => pattern.test(word));
  // What is written comes from the pipe, unless it is told.
  const takesFiles = TAKES_OBJECTS.test(name) || (/^([sa]c|.*-content)$/i.test(name) && has(/^-v/i));
  return (piped && takesFiles) || has(/^\$_\b/);
}

/** A path with spaces ends as a file does. */
function isSentence(word: string): boolean {
  return /\s/.test(word) && !/\.\w{1,10}$/.test(word);
}
