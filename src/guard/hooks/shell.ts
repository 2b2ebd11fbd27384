/**
 * A shell's line taken apart, as far as it takes to see which files it names: words, redirections, commands one after
 * the other and inside one another (POSIX.1-2017, Shell Command Language; PowerShell roughly). Never throws, and its
 * cost is bounded: nothing is evaluated.
 */

export interface Redirection {
  /** Whether the file is written. */
  writes: boolean;
  target: string;
}

export interface SimpleCommand {
  /** Program first, as it is written, quotes removed and known variables filled in. */
  words: string[];
  redirections: Redirection[];
  /** What stood in `$(…)`, in backticks or in `<(…)` inside it. */
  inner: SimpleCommand[];
  /** Texts given to it line by line (`<<EOF`, `<<<`). */
  documents: string[];
  /** Whether what the command before it prints is what it reads. */
  piped: boolean;
}

export type Dialect = 'posix' | 'powershell';

/** Longer lines are read as far as this. */
const MAX_LENGTH = 200_000;
/** What a variable holds is filled in up to this length; it may hold itself twice, and that again. */
const MAX_VALUE = 4_096;
const MAX_DEPTH = 8;
const MAX_COMMANDS = 2_000;

const OPERATORS = ['&&', '||', ';;', '|&', ';', '|', '&', '\n', '(', ')', '{', '}'];

export function readShell(line: string, dialect: Dialect = 'posix'): SimpleCommand[] {
  const reader = new ShellReader(line.slice(0, MAX_LENGTH), dialect, { left: MAX_COMMANDS }, new Map(), 0);
  return reader.read();
}

/** Shared by a line and what stands inside of it. */
interface Budget {
  left: number;
}

class ShellReader {
  private at = 0;
  private readonly commands: SimpleCommand[] = [];
  private command = emptyCommand(false);
  private word: string | undefined;
  /** What stands in quotes is a word whatever it holds. */
  private isQuoted = false;
  private redirection: { writes: boolean } | undefined;
  private heredocs: { end: string; indented: boolean; of: SimpleCommand }[] = [];
  /** Set where the next word says where a text given line by line ends. */
  private awaitsHeredoc: { indented: boolean } | undefined;
  private awaitsHereString = false;

  constructor(
    private readonly line: string,
    private readonly dialect: Dialect,
    private readonly budget: Budget,
    private readonly variables: Map<string, string>,
    private readonly depth: number,
  ) {}

  read(): SimpleCommand[] {
    while (this.at < this.line.length && this.budget.left > 0) this.step();
    this.endCommand(false);
    return this.commands;
  }

  private step(): void {
    const character = this.line[this.at]!;
    const mark = this.dialect === 'posix' ? '\\' : '`';
    if (character === mark) {
      const next = this.line[this.at + 1];
      this.at += next === '\r' && this.line[this.at + 2] === '\n' ? 3 : 2;
      // An escaped line break joins two lines.
      if (next !== undefined && next !== '\n' && next !== '\r') this.add(next);
    } else if (character === "'") {
      this.singleQuotes();
    } else if (character === '"') {
      this.doubleQuotes();
    } else if (character === '$') {
      this.dollar();
    } else if (character === '`') {
      this.backticks();
    } else if (character === '#' && this.word === undefined) {
      const end = this.line.indexOf('\n', this.at);
      this.at = end < 0 ? this.line.length : end;
    } else if (character === '<' || character === '>') {
      this.redirect(character);
    } else if (character === ' ' || character === '\t' || character === '\r') {
      this.endWord();
      this.at++;
    } else {
      this.operatorOrCharacter(character);
    }
  }

  private operatorOrCharacter(character: string): void {
    const operator = OPERATORS.find((each) => this.line.startsWith(each, this.at));
    const isBrace = operator === '{' || operator === '}';
    // `&>` is a redirection; a brace inside of a word belongs to it.
    if (operator === '&' && this.line[this.at + 1] === '>') {
      this.at++;
      this.redirect('>');
    } else if (
      operator === undefined ||
      (isBrace && (this.word !== undefined || !/^.(\s|$)/.test(this.line.slice(this.at, this.at + 2))))
    ) {
      this.add(character);
      this.at++;
    } else {
      this.at += operator.length;
      this.endCommand(operator === '|' || operator === '|&');
      if (operator === '\n') this.documents();
    }
  }

  private add(text: string): void {
    const word = this.word ?? '';
    this.word = word.length > MAX_LENGTH ? word : word + text;
  }

  private endWord(): void {
    const { word } = this;
    const isQuoted = this.isQuoted;
    this.word = undefined;
    this.isQuoted = false;
    if (word === undefined) return;
    if (this.awaitsHeredoc) {
      this.heredocs.push({ end: word, indented: this.awaitsHeredoc.indented, of: this.command });
      this.awaitsHeredoc = undefined;
    } else if (this.awaitsHereString) {
      this.command.documents.push(word);
      this.awaitsHereString = false;
    } else if (this.redirection) {
      this.command.redirections.push({ ...this.redirection, target: word });
      this.redirection = undefined;
    } else {
      const assignment = isQuoted ? null : /^(\w+)=(.*)$/s.exec(word);
      if (assignment && this.command.words.length === 0) this.assign(assignment[1]!, assignment[2]!);
      this.command.words.push(word);
    }
  }

  private assign(name: string, value: string): void {
    if (value.length <= MAX_VALUE) this.variables.set(name, value);
    else this.variables.delete(name);
  }

  private endCommand(pipes: boolean): void {
    this.endWord();
    this.redirection = undefined;
    this.awaitsHeredoc = undefined;
    this.awaitsHereString = false;
    const { words, redirections, inner } = this.command;
    if (words.length > 0 || redirections.length > 0 || inner.length > 0) {
      this.commands.push(this.command);
      this.budget.left--;
    }
    this.command = emptyCommand(pipes);
  }

  private singleQuotes(): void {
    const end = this.line.indexOf("'", this.at + 1);
    this.add(this.line.slice(this.at + 1, end < 0 ? undefined : end));
    this.isQuoted = true;
    this.at = end < 0 ? this.line.length : end + 1;
  }

  private doubleQuotes(): void {
    this.at++;
    this.add('');
    this.isQuoted = true;
    const mark = this.dialect === 'posix' ? '\\' : '`';
    while (this.at < this.line.length) {
      const character = this.line[this.at]!;
      if (character === '"') {
        this.at++;
        return;
      }
      if (character === mark) {
        const next = this.line[this.at + 1] ?? '';
        // Elsewhere than before these a backslash is itself.
        this.add(this.dialect === 'powershell' || '$`"\\\n'.includes(next) ? next : character + next);
        this.at += 2;
      } else if (character === '$') {
        this.dollar();
      } else if (character === '`') {
        this.backticks();
      } else {
        this.add(character);
        this.at++;
      }
    }
  }

  private dollar(): void {
    const next = this.line[this.at + 1];
    if (next === '(') {
      this.inside(this.at + 2);
      return;
    }
    if (next === "'") {
      this.at++;
      this.singleQuotes();
      return;
    }
    const name = /^\$(?:\{(\w+)\}|(\w+))/.exec(this.line.slice(this.at, this.at + 200));
    if (!name) {
      this.add('$');
      this.at++;
      return;
    }
    const known = this.variables.get(name[1] ?? name[2]!);
    this.add(known ?? name[0]);
    this.at += name[0].length;
  }

  private backticks(): void {
    const end = this.line.indexOf('`', this.at + 1);
    this.within(this.line.slice(this.at + 1, end < 0 ? undefined : end));
    this.at = end < 0 ? this.line.length : end + 1;
  }

  /** What stands from here to the parenthesis that closes it. */
  private inside(start: number): void {
    const end = closing(this.line, start);
    this.within(this.line.slice(start, end));
    this.at = Math.min(end + 1, this.line.length);
  }

  private within(text: string): void {
    // A word stands here all the same; what it will be is not known.
    this.add('');
    if (this.depth >= MAX_DEPTH) return;
    const reader = new ShellReader(text, this.dialect, this.budget, this.variables, this.depth + 1);
    this.command.inner.push(...reader.read());
  }

  private redirect(character: '<' | '>'): void {
    // The number of a file descriptor is no word of its own.
    if (this.word !== undefined && /^(\d+|\*)$/.test(this.word)) this.word = undefined;
    this.endWord();
    const rest = this.line.slice(this.at, this.at + 3);
    if (rest.startsWith('<<<')) {
      this.awaitsHereString = true;
      this.at += 3;
    } else if (rest.startsWith('<<')) {
      this.awaitsHeredoc = { indented: rest === '<<-' };
      this.at += rest === '<<-' ? 3 : 2;
    } else if (rest.startsWith('<(') || rest.startsWith('>(')) {
      this.inside(this.at + 2);
    } else if (/^[<>]&(\d|-)/.test(rest)) {
      // One descriptor becomes another: no file.
      this.at += 3;
    } else {
      const operator = /^(<>|>>|>\||>&|<|>)/.exec(rest)![0];
      this.redirection = { writes: character === '>' || operator === '<>' };
      this.at += operator.length;
    }
  }

  /** The texts that the line just ended announced. */
  private documents(): void {
    for (const { end, indented, of } of this.heredocs) {
      const lines: string[] = [];
      while (this.at < this.line.length) {
        const lineBreak = this.line.indexOf('\n', this.at);
        const next = lineBreak < 0 ? this.line.length : lineBreak + 1;
        const line = this.line.slice(this.at, lineBreak < 0 ? undefined : lineBreak).replace(/\r$/, '');
        this.at = next;
        if ((indented ? line.replace(/^\t+/, '') : line) === end) break;
        lines.push(line);
      }
      of.documents.push(lines.join('\n'));
    }
    this.heredocs = [];
  }
}

function emptyCommand(piped: boolean): SimpleCommand {
  return { words: [], redirections: [], inner: [], documents: [], piped };
}

/** Where the parenthesis closes that opened before `start`; the end of the text where it does not. */
function closing(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === "'" || character === '"') {
      const end = text.indexOf(character, at + 1);
      if (end < 0) return text.length;
      at = end;
    } else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at;
  }
  return text.length;
}
