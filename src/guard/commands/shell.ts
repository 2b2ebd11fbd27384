import { Variables } from './shell-variables';

/**
 * A shell's line taken apart, as far as it takes to see which files it names: words, redirections, commands one after
 * the other and inside one another (POSIX.1-2017, Shell Command Language; PowerShell roughly). Never throws, and its
 * cost is bounded: nothing is evaluated.
 */

export interface Redirection {
  /** Whether the file is written. */
  writes: boolean;
  target: string;
  /** The number of the file descriptor, where it is written. */
  descriptor: string | undefined;
}

export interface SimpleCommand {
  /** Program first, as it is written, quotes removed and known variables filled in. */
  words: string[];
  /** Whether it takes what the one before gives. */
  piped: boolean;
  /** The commands of this line whose output it takes; of a group all of them. */
  input: SimpleCommand[];
  /** Whether its own output goes to another. */
  feeds: boolean;
  redirections: Redirection[];
  /** What stood in `$(…)`, in backticks or in `<(…)` inside it. */
  inner: SimpleCommand[];
  /** Texts given to it line by line (`<<EOF`, `<<<`). */
  documents: string[];
  /** What variables that are not filled in may hold all the same. */
  possible: ReadonlyMap<string, readonly string[]>;
}

export type Dialect = 'posix' | 'powershell';

/** Longer lines are read as far as this. */
const MAX_LENGTH = 200_000;
const MAX_DEPTH = 8;
const MAX_COMMANDS = 2_000;
/** What lists add to the words of a line. */
const MAX_LISTED = 2_000;

/** Stands in a word for what `$(…)` will be, which is not known: as a variable that nobody has. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell has it
export const UNKNOWN = '${__}';

/** What names variables; in the groups where it may be otherwise than for their values. */
const POSIX_NAMES = /\$\w+|\$\{[#!]?\w+(?=[}%#/^,@]|:[-+?\d $({]|\[[^}=\n]{1,60}\})|[ \t]-\w+|(\w+)/g;
const POWERSHELL_NAMES = /\$(\w+)(?!\w)(?=\s*(?:[-+*/%?]*=|,|in\b))|\$\w+|(\w+)/gi;

/**
 * Behind a variable of PowerShell: `= 'a.txt'`, whose value is known; `= Get-Item a.txt`, `+= '.bak'`, `in …`, after which it is
 * not.
 */
const POWERSHELL_SETS = /^\s*(?:=\s*(["'])([^"'$`,\s]+)\1(?=[ \t]*(?:[;}\r\n]|$))|[-+*/%?]*=|in\b)/i;

/** `${files[@]}`, `${files[0]}`. */
const LISTED = /^\$\{(\w+)\[([@*]|\d{1,9})\]\}/;
/** How others begin, up to the brace that closes them: `${files[-1]}`, `${files[@]:1}`; of a list alone `${files:1}`. */
const PART = /^\$\{(\w+)([^\w}])/;
/** A longer one is not read. */
const MAX_PART = 500;
const MAX_QUALIFIER = 100;
/** `$files[1]`, of some shells. */
const INDEX = /^\[[^\]\s"']{1,40}\]/;
/** A list, or one that grows: `files=(`. */
const LIST = /^(\w+)(\+?)=$/;
/** Where these stand before it, it is assigned all the same; their options may say otherwise. */
const DECLARES = /^(export|local|declare|readonly|typeset)$/;
const DECLARES_PLAINLY = /^-[agrx]+$/;
/** Behind these a command begins. */
const BEGINS = /^(if|then|elif|else|while|until|do|!|time)$/;

const OPERATORS = ['&&', '||', ';;', '|&', ';', '|', '&', '\n', '(', ')', '{', '}'];

export function readShell(line: string, dialect: Dialect = 'posix'): SimpleCommand[] {
  const reader = new ShellReader(
    line.slice(0, MAX_LENGTH),
    dialect,
    { left: MAX_COMMANDS, listed: MAX_LISTED },
    new Variables(),
    0,
  );
  return reader.read();
}

/** One that is being read. */
interface List {
  name: string;
  elements: string[];
  isSure: boolean;
}

/** Shared by a line and what stands inside of it. */
interface Budget {
  left: number;
  /** Words that lists may still add. */
  listed: number;
}

class ShellReader {
  private at = 0;
  private readonly commands: SimpleCommand[] = [];
  private command: SimpleCommand;
  /** Whether nothing but keywords, assignments and what declares them stands in the command yet. */
  private begins = true;
  private declares = false;
  /** Whether the next line goes on with this one: `a &&`. */
  private awaitsCommand = false;
  /** Where the groups that are open begin among the commands, and the one that has just ended. */
  private readonly groups: number[] = [];
  private ended: number | undefined;
  /** The list that is being read: `files=(a b)`. */
  private list: List | undefined;
  private word: string | undefined;
  /** What stands in quotes is a word whatever it holds. */
  private isQuoted = false;
  private redirection: Omit<Redirection, 'target'> | undefined;
  private heredocs: { end: string; indented: boolean; of: SimpleCommand }[] = [];
  /** Set where the next word says where a text given line by line ends. */
  private awaitsHeredoc: { indented: boolean } | undefined;
  private awaitsHereString = false;
  private named: Map<string, number> | undefined;

  constructor(
    private readonly line: string,
    private readonly dialect: Dialect,
    private readonly budget: Budget,
    private readonly variables: Variables,
    private readonly depth: number,
  ) {
    this.command = emptyCommand(variables);
  }

  read(): SimpleCommand[] {
    while (this.at < this.line.length && this.budget.left > 0) this.step();
    this.endCommand();
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
    if (this.list) {
      this.listCharacter(character, this.list);
      return;
    }
    if (character === '(' && this.beginsList()) {
      this.at++;
      return;
    }
    const operator = OPERATORS.find((each) => this.line.startsWith(each, this.at));
    const isBrace = operator === '{' || operator === '}';
    // `&>` is a redirection; a brace inside of a word belongs to it.
    if (operator === '&' && this.line[this.at + 1] === '>') {
      this.at++;
      this.redirect('>');
    } else if (operator === undefined || (isBrace && !this.isGroupSign(operator))) {
      this.add(character);
      this.at++;
    } else {
      this.at += operator.length;
      this.operator(operator);
    }
  }

  /** A brace that stands alone; the one that ends a group may have a sign behind it. */
  private isGroupSign(brace: string): boolean {
    if (this.word !== undefined) return false;
    const next = this.line[this.at + 1] ?? ' ';
    return /\s/.test(next) || (brace === '}' && this.command.words.length === 0 && /[;|&)<>]/.test(next));
  }

  private operator(operator: string): void {
    const isPipe = operator === '|' || operator === '|&';
    const { command } = this;
    this.endCommand(isPipe || operator === '&');
    const isEmpty = command.words.length === 0;
    const goesOn = operator === '\n' && isEmpty && command.piped;
    this.command.piped = goesOn || isPipe;
    if (goesOn) this.command.input = command.input;
    if (isPipe) this.feed(command);
    if (this.ended !== undefined && isEmpty && (isPipe || operator === '&')) this.variables.dropClosed();
    this.andOr(operator, command, goesOn);
    this.group(operator, isEmpty, command.piped);
    if (operator === '(' || operator === ')') {
      // What they begin and end is told as a command of its own.
      this.commands.push({ ...emptyCommand(this.variables), words: [operator] });
      this.budget.left--;
    }
    if (operator === ';;') this.variables.keyword(operator);
    if (operator === '\n') this.documents();
  }

  /** Whether the commands go on that `&&` and `||` join. */
  private andOr(operator: string, { words, redirections, inner }: SimpleCommand, goesOn: boolean): void {
    const joins = operator === '&&' || operator === '||';
    const isLineBreak = operator === '\n';
    const isBlank = words.length === 0 && redirections.length === 0 && inner.length === 0;
    const awaits = isLineBreak && isBlank && this.awaitsCommand;
    if (joins) this.variables.andOr(operator);
    else if (isLineBreak ? !goesOn && !awaits : /^(;;?|&)$/.test(operator)) this.variables.endList();
    this.awaitsCommand = joins || awaits;
  }

  /** What goes into the pipe that begins: a command's output, or that of the group that has just ended. */
  private feed(command: SimpleCommand): void {
    const isGroup = this.ended !== undefined && command.words.length === 0;
    const feeding = isGroup ? this.commands.slice(this.ended) : [command];
    if (isGroup) this.budget.left--;
    this.command.input = feeding.filter(({ feeds }) => !feeds);
    for (const each of this.command.input) each.feeds = true;
  }

  private group(operator: string, isEmpty: boolean, isPiped: boolean): void {
    if (operator === '(' || operator === '{') {
      const [before] = this.commands.at(-1)?.words ?? [];
      const isBody = before === 'function' || (isEmpty && before === ')');
      this.groups.push(this.commands.length);
      const stays = operator === '{' && !isBody && !isPiped && this.dialect === 'posix';
      this.variables.open(operator === '(' ? ')' : '}', stays);
      this.ended = undefined;
    } else if (operator === ')' || operator === '}') {
      this.ended = this.variables.close(operator) ? this.groups.pop() : undefined;
    } else {
      this.ended = undefined;
    }
  }

  /** `files=(`, where a command begins. */
  private beginsList(): boolean {
    const list = this.dialect === 'posix' && this.begins && !this.isQuoted ? LIST.exec(this.word ?? '') : null;
    if (!list) return false;
    this.list = { name: list[1]!, elements: [], isSure: list[2] === '' };
    this.word = undefined;
    return true;
  }

  private listCharacter(character: string, list: List): void {
    this.at++;
    if (character === ')') {
      this.endWord();
      this.list = undefined;
      this.variables.assignList(list.name, list.elements, list.isSure && this.timesSet(list.name) === 1);
    } else if (character === '\n') this.endWord();
    else if (character === '(') {
      list.isSure = false;
      this.qualifier();
    } else this.add(character);
  }

  /** `*.sql(N)`, `(a|b).sql`: what some shells make of it is not known. */
  private qualifier(): void {
    const text = this.line.slice(this.at, this.at + MAX_QUALIFIER);
    const end = closing(text, 0);
    if (end === text.length) return;
    this.substitutions(text.slice(0, end));
    this.at += end + 1;
    // At the end of a name it only says which files are meant.
    if (!/[\s)]/.test(this.line[this.at] ?? ' ')) this.add('*');
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
    if (this.list && !this.redirection) {
      this.list.elements.push(word);
    } else if (this.awaitsHeredoc) {
      this.heredocs.push({ end: word, indented: this.awaitsHeredoc.indented, of: this.command });
      this.awaitsHeredoc = undefined;
    } else if (this.awaitsHereString) {
      this.command.documents.push(word);
      this.awaitsHereString = false;
    } else if (this.redirection) {
      this.command.redirections.push({ ...this.redirection, target: word });
      this.redirection = undefined;
    } else {
      if (this.begins) this.beginning(word, isQuoted);
      this.command.words.push(word);
    }
  }

  private beginning(word: string, isQuoted: boolean): void {
    const assignment = isQuoted ? null : /^(\w+)=(.*)$/s.exec(word);
    if (assignment) {
      this.assign(assignment[1]!, assignment[2]!);
      return;
    }
    if (this.dialect === 'powershell') {
      this.begins = false;
      return;
    }
    if (this.declares && DECLARES_PLAINLY.test(word)) return;
    if (!isQuoted && !this.declares) {
      this.variables.keyword(word);
      if (BEGINS.test(word)) return;
      this.declares = DECLARES.test(word);
      if (this.declares) return;
    }
    this.begins = false;
    this.variables.program();
  }

  /** What the line names elsewhere may hold another value by then: `read F`, `F+=x`, a second `F=`. */
  private assign(name: string, value: string): void {
    this.variables.assign(name, value, this.timesSet(name) === 1);
  }

  /** How often the line names a variable otherwise than for its value. */
  private timesSet(name: string): number {
    const isPowerShell = this.dialect === 'powershell';
    if (!this.named) {
      this.named = new Map();
      const names = isPowerShell ? POWERSHELL_NAMES : POSIX_NAMES;
      for (const [, otherwise, set] of this.line.matchAll(names)) {
        const found = otherwise ?? set;
        if (found === undefined) continue;
        const key = isPowerShell ? found.toLowerCase() : found;
        this.named.set(key, (this.named.get(key) ?? 0) + 1);
      }
    }
    return this.named.get(name) ?? 0;
  }

  /** `isApart`: whether it runs in a shell of its own. */
  private endCommand(isApart = false): void {
    this.endWord();
    this.variables.endCommand(isApart || this.command.piped);
    this.begins = true;
    this.declares = false;
    this.redirection = undefined;
    this.awaitsHeredoc = undefined;
    this.awaitsHereString = false;
    const { words, redirections, inner } = this.command;
    // `$item.Name = 'a.txt'`
    if (this.dialect === 'powershell' && words[1] === '=') words.splice(0, 2);
    if (words.length > 0 || redirections.length > 0 || inner.length > 0) {
      this.commands.push(this.command);
      this.budget.left--;
    }
    this.command = emptyCommand(this.variables);
  }

  /** What is assigned may stand in quotes. */
  private quote(): void {
    this.isQuoted ||= !/^\w+=/.test(this.word ?? '');
  }

  private singleQuotes(): void {
    const end = this.line.indexOf("'", this.at + 1);
    this.quote();
    this.add(this.line.slice(this.at + 1, end < 0 ? undefined : end));
    this.at = end < 0 ? this.line.length : end + 1;
  }

  private doubleQuotes(): void {
    this.at++;
    this.quote();
    this.add('');
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
    const rest = this.line.slice(this.at, this.at + 200);
    const name = /^\$(?:\{(\w+)\}|(\w+))/.exec(rest);
    const listed = name || this.dialect === 'powershell' ? null : LISTED.exec(rest);
    if (listed) {
      this.at += listed[0].length;
      this.listed(listed[1]!, listed[2]!);
      return;
    }
    if (!name) {
      if (this.dialect === 'posix' && this.part()) return;
      this.add('$');
      this.at++;
      return;
    }
    const isPowerShell = this.dialect === 'powershell';
    const variable = isPowerShell ? (name[1] ?? name[2]!).toLowerCase() : (name[1] ?? name[2]!);
    this.at += name[0].length;
    const set = isPowerShell && !this.isQuoted && POWERSHELL_SETS.exec(this.line.slice(this.at, this.at + 300));
    if (set) {
      this.variables.forget(variable);
      if (set[2] !== undefined) this.variables.assign(variable, set[2], this.timesSet(variable) === 1);
      // Without the sign the rest is a command.
      if (set[0].includes('=')) {
        this.at += set[0].length;
        return;
      }
    }
    const isList = name[2] !== undefined && this.variables.isList(variable);
    const [index = ''] = (isList && INDEX.exec(this.line.slice(this.at, this.at + 50))) || [];
    this.at += index.length;
    this.add(index === '' ? (this.variables.value(variable) ?? name[0]) : `\${${variable}}`);
  }

  private listed(name: string, index: string): void {
    const element = /\d/.test(index) ? this.variables.element(name, Number(index)) : undefined;
    const list = /\d/.test(index) ? element !== undefined && [element] : this.variables.list(name);
    // Without quotes a shell takes apart what holds spaces.
    const isSplit = list && !this.isQuoted && list.some((each) => /\s/.test(each));
    if (!list || isSplit || list.length > this.budget.listed) {
      this.add(`\${${name}}`);
      return;
    }
    this.budget.listed -= list.length;
    const { isQuoted } = this;
    list.forEach((each, at) => {
      if (at > 0) this.endWord();
      this.isQuoted = isQuoted;
      this.add(each);
    });
  }

  /** Any other part of a list than can be told: what it holds is not known. Whether there is one. */
  private part(): boolean {
    const text = this.line.slice(this.at, this.at + MAX_PART);
    const [, name, sign] = PART.exec(text) ?? [];
    if (name === undefined || (sign !== '[' && !this.variables.isList(name))) return false;
    const end = closing(text, 2, '{}');
    if (end === text.length) return false;
    this.substitutions(text.slice(2, end));
    this.at += end + 1;
    this.add(`\${${name}}`);
    return true;
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
    // Nothing is run; but these two are what everybody begins a path with.
    const [program = ''] = text.trim().split(/\s/, 1);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell has it
    this.add(text.trim() === 'pwd' ? '${PWD}' : program === 'mktemp' ? '$TMPDIR/_' : UNKNOWN);
    if (this.depth >= MAX_DEPTH) return;
    const reader = new ShellReader(text, this.dialect, this.budget, this.variables.inside(), this.depth + 1);
    this.command.inner.push(...reader.read());
  }

  /** What is run inside of a text whose words do not count. */
  private substitutions(text: string): void {
    if (this.depth >= MAX_DEPTH || !/`|[$<>]\(/.test(text)) return;
    const reader = new ShellReader(text, this.dialect, this.budget, this.variables.inside(), this.depth + 1);
    this.command.inner.push(...reader.read().flatMap(({ inner }) => inner));
  }

  private redirect(character: '<' | '>'): void {
    // The number of a file descriptor is no word of its own.
    const descriptor = /^(\d+|\*)$/.test(this.word ?? '') ? this.word : undefined;
    if (descriptor !== undefined) this.word = undefined;
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
      this.redirection = { writes: character === '>' || operator === '<>', descriptor };
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

function emptyCommand({ possible }: Variables): SimpleCommand {
  return { words: [], piped: false, input: [], feeds: false, redirections: [], inner: [], documents: [], possible };
}

/** Where the parenthesis (or brace) closes that opened before `start`; the end of the text where it does not. */
function closing(text: string, start: number, [open, close] = '()'): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    // Between braces a quote may stand for itself.
    else if (open === '(' && (character === "'" || character === '"')) {
      const end = text.indexOf(character, at + 1);
      if (end < 0) return text.length;
      at = end;
    } else if (character === open) depth++;
    else if (character === close && --depth === 0) return at;
  }
  return text.length;
}
