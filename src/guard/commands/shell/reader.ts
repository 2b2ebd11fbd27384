import { closing } from './brackets';
import { ChangedValues } from './changed-values';
import { type Budget, CommandSequence } from './command-sequence';
import type { Dialect, SimpleCommand } from './commands';
import { defaulted } from './defaults';
import { type Expansion, expansionAt, indexAt, listPartAt, outputOf, powerShellSetAt } from './expansions';
import { listAt, type PendingList, qualifierAt } from './lists';
import { Mentions } from './mentions';
import { operated } from './operations';
import { operatorAt } from './operators';
import { PendingWord } from './pending-word';
import { redirectionAt } from './redirections';
import { Variables } from './variables';

/** Longer lines are read as far as this. */
const MAX_LENGTH = 200_000;
const MAX_DEPTH = 8;
const MAX_COMMANDS = 2_000;
/** What lists add to the words of a line. */
const MAX_LISTED = 2_000;

/** `changes`: where the values are kept that operations change, for all lines that stand in one another. */
export function readShell(line: string, dialect: Dialect = 'posix', changes = new ChangedValues()): SimpleCommand[] {
  const reader = new ShellReader(
    line.slice(0, MAX_LENGTH),
    dialect,
    { left: MAX_COMMANDS, listed: MAX_LISTED },
    new Variables(changes),
    0,
  );
  return reader.read();
}

type Variable = Extract<Expansion, { kind: 'variable' }>;

/** Goes through a line sign by sign: words with their quotes and expansions, redirections, operators. */
class ShellReader {
  private at = 0;
  private readonly mentions: Mentions;
  private readonly sequence: CommandSequence;
  /** The list that is being read: `files=(a b)`. */
  private list: PendingList | undefined;
  private readonly word = new PendingWord();
  private isOneWord = false;

  constructor(
    private readonly line: string,
    private readonly dialect: Dialect,
    private readonly budget: Budget,
    private readonly variables: Variables,
    private readonly depth: number,
  ) {
    this.mentions = new Mentions(line, dialect);
    this.sequence = new CommandSequence(dialect, budget, variables, this.mentions);
  }

  read(): SimpleCommand[] {
    while (this.at < this.line.length && this.budget.left > 0) this.step();
    this.endWord();
    this.sequence.endCommand();
    return this.sequence.commands;
  }

  /** The line as one word, and what is run inside of it. In double quotes a single one stands for itself. */
  readWord(isInQuotes: boolean): Pick<SimpleCommand, 'inner' | 'bare'> & { word: string } {
    this.isOneWord = true;
    while (this.at < this.line.length && this.budget.left > 0) {
      const character = this.line[this.at]!;
      if (character === '$') this.dollar(isInQuotes);
      else if (!isInQuotes && /^[<>]\(/.test(this.line.slice(this.at, this.at + 2))) this.inside(this.at + 2);
      else if (/[\\"`]/.test(character) || (character === "'" && !isInQuotes)) this.step();
      else {
        this.word.add(character);
        this.at++;
      }
    }
    const { inner, bare } = this.sequence.command;
    return { word: this.word.text ?? '', inner, bare };
  }

  private step(): void {
    const character = this.line[this.at]!;
    const mark = this.dialect === 'posix' ? '\\' : '`';
    if (character === mark) {
      const next = this.line[this.at + 1];
      this.at += next === '\r' && this.line[this.at + 2] === '\n' ? 3 : 2;
      // An escaped line break joins two lines.
      if (next !== undefined && next !== '\n' && next !== '\r') this.word.add(next);
    } else if (character === "'") {
      this.singleQuotes();
    } else if (character === '"') {
      this.doubleQuotes();
    } else if (character === '$') {
      this.dollar(false);
    } else if (character === '`') {
      this.backticks();
    } else if (character === '#' && this.word.text === undefined) {
      const end = this.line.indexOf('\n', this.at);
      this.at = end < 0 ? this.line.length : end;
    } else if (character === '<' || character === '>') {
      this.redirect();
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
    const { text } = this.word;
    const begins = this.sequence.command.words.length === 0;
    const operator = operatorAt(this.line, this.at, { isInWord: text !== undefined, begins });
    // `&>` is a redirection.
    if (operator === '&' && this.line[this.at + 1] === '>') {
      this.at++;
      this.redirect();
    } else if (operator === undefined) {
      this.word.add(character);
      this.at++;
    } else {
      this.at += operator.length;
      this.operator(operator);
    }
  }

  private operator(operator: string): void {
    this.endWord();
    this.sequence.operator(operator);
    if (operator === '\n') this.at = this.sequence.documents.read(this.line, this.at);
  }

  /** `files=(`, where a command begins. */
  private beginsList(): boolean {
    const mayBegin = this.dialect === 'posix' && this.sequence.begins && !this.word.isQuoted;
    this.list = mayBegin ? listAt(this.word.text ?? '') : undefined;
    if (!this.list) return false;
    this.word.text = undefined;
    return true;
  }

  private listCharacter(character: string, list: PendingList): void {
    this.at++;
    if (character === ')') {
      this.endWord();
      this.list = undefined;
      this.variables.assignList(list.name, list.elements, list.isSure && this.mentions.isSetOnce(list.name));
    } else if (character === '\n') this.endWord();
    else if (character === '(') {
      list.isSure = false;
      this.qualifier();
    } else this.word.add(character);
  }

  /** What some shells make of it is not known. */
  private qualifier(): void {
    const qualifier = qualifierAt(this.line, this.at);
    if (!qualifier) return;
    this.substitutions(qualifier.text);
    this.at += qualifier.text.length + 1;
    if (!qualifier.isName) this.word.add('*');
  }

  private endWord(): void {
    const { text, isQuoted } = this.word.take();
    if (text === undefined) return;
    if (this.list && !this.sequence.isRedirecting) this.list.elements.push(text);
    else this.sequence.word(text, isQuoted);
  }

  private singleQuotes(): void {
    const end = this.line.indexOf("'", this.at + 1);
    this.word.quote();
    this.word.add(this.line.slice(this.at + 1, end < 0 ? undefined : end));
    this.at = end < 0 ? this.line.length : end + 1;
  }

  private doubleQuotes(): void {
    this.at++;
    this.word.quote();
    this.word.add('');
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
        this.word.add(this.dialect === 'powershell' || '$`"\\\n'.includes(next) ? next : character + next);
        this.at += 2;
      } else if (character === '$') {
        this.dollar(true);
      } else if (character === '`') {
        this.backticks();
      } else {
        this.word.add(character);
        this.at++;
      }
    }
  }

  private dollar(isInQuotes: boolean): void {
    const isPosix = this.dialect === 'posix';
    const isList = (name: string) => this.variables.isList(name);
    const expansion = expansionAt(this.line, this.at, { isPosix, isInQuotes, isList });
    if (!expansion || (/^(?:default|operation)$/.test(expansion.kind) && this.depth >= MAX_DEPTH)) {
      if (isPosix && this.part(isList)) return;
      this.word.add('$');
      this.at++;
      return;
    }
    if (expansion.kind === 'substitution') {
      this.inside(this.at + expansion.length);
      return;
    }
    this.at += expansion.length;
    if (expansion.kind === 'quotes') this.singleQuotes();
    else if (expansion.kind === 'elements')
      this.elements(expansion.name, this.variables.elements(expansion.name, expansion.index));
    else if (expansion.kind === 'operation') this.operation(expansion, isInQuotes);
    else if (expansion.kind === 'default') {
      const text = this.oneWord(expansion.word, isInQuotes);
      const isWhole = isInQuotes || /["']/.test(expansion.word);
      const word = defaulted(expansion, { text, isWhole }, this.variables);
      // From here on the variable holds it.
      if (expansion.sign === '=') this.variables.assign(expansion.name, word, this.mentions.isSetOnce(expansion.name));
      this.expanded(word, isWhole);
    } else if (isPosix) this.variable(expansion, expansion.name, isInQuotes);
    else this.powerShellVariable(expansion, isInQuotes);
  }

  private powerShellVariable(expansion: Variable, isInQuotes: boolean): void {
    const name = expansion.name.toLowerCase();
    const set = this.word.isQuoted ? undefined : powerShellSetAt(this.line, this.at);
    if (set) {
      this.variables.forget(name);
      if (set.value !== undefined) this.variables.assign(name, set.value, this.mentions.isSetOnce(name));
      // Without the sign the rest is a command.
      if (set.written.includes('=')) {
        this.at += set.written.length;
        return;
      }
    }
    this.variable(expansion, name, isInQuotes);
  }

  private variable({ written, isBraced }: Variable, name: string, isInQuotes: boolean): void {
    const index = !isBraced && this.variables.isList(name) ? indexAt(this.line, this.at) : '';
    this.at += index.length;
    this.expanded(index === '' ? (this.variables.value(name) ?? written) : `\${${name}}`, isInQuotes);
  }

  /** `isWhole`: whether it stays one word, whatever it holds. */
  private expanded(text: string, isWhole: boolean): void {
    this.word.add(text);
    if (!isWhole) this.sequence.bare(text);
  }

  /** What a text is as one word, whatever signs stand in it; what is run inside of it is run in this command. */
  private oneWord(text: string, isInQuotes: boolean): string {
    if (!/[\\'"`$]|[<>]\(/.test(text)) return text;
    const reader = new ShellReader(text, this.dialect, this.budget, this.variables, this.depth + 1);
    const { word, inner, bare } = reader.readWord(isInQuotes);
    this.sequence.command.inner.push(...inner);
    for (const name of bare) this.sequence.command.bare.add(name);
    return word;
  }

  private operation(expansion: Extract<Expansion, { kind: 'operation' }>, isInQuotes: boolean): void {
    const oneWord = (text: string) => this.oneWord(text, isInQuotes);
    const words = operated(expansion, { isWhole: isInQuotes, oneWord }, this.variables);
    if (expansion.index !== undefined && words.length > 1) this.elements(expansion.name, words);
    // Without quotes nothing is no word.
    else if (isInQuotes || words[0] !== '') this.expanded(words[0]!, isInQuotes);
  }

  private elements(name: string, list: readonly string[] | undefined): void {
    // Without quotes a shell takes apart what holds spaces.
    const isSplit = list && !this.word.isQuoted && list.some((each) => /\s/.test(each));
    if (!list || isSplit || list.length > this.budget.listed || (this.isOneWord && list.length > 1)) {
      this.expanded(`\${${name}}`, this.word.isQuoted);
      return;
    }
    this.budget.listed -= list.length;
    const { isQuoted } = this.word;
    list.forEach((each, at) => {
      if (at > 0) this.endWord();
      this.word.isQuoted = isQuoted;
      this.word.add(each);
    });
  }

  /** Any other part of a list than can be told: what it holds is not known. Whether there is one. */
  private part(isList: (name: string) => boolean): boolean {
    const part = listPartAt(this.line, this.at, isList);
    if (!part) return false;
    this.substitutions(part.inside);
    this.at += part.length;
    this.expanded(`\${${part.name}}`, this.word.isQuoted);
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
    this.word.add(outputOf(text));
    if (this.depth >= MAX_DEPTH) return;
    const reader = new ShellReader(text, this.dialect, this.budget, this.variables.inside(), this.depth + 1);
    this.sequence.command.inner.push(...reader.read());
  }

  /** What is run inside of a text whose words do not count. */
  private substitutions(text: string): void {
    if (this.depth >= MAX_DEPTH || !/`|[$<>]\(/.test(text)) return;
    const reader = new ShellReader(text, this.dialect, this.budget, this.variables.inside(), this.depth + 1);
    this.sequence.command.inner.push(...reader.read().flatMap(({ inner }) => inner));
  }

  private redirect(): void {
    // The number of a file descriptor is no word of its own.
    const descriptor = /^(\d+|\*)$/.test(this.word.text ?? '') ? this.word.text : undefined;
    if (descriptor !== undefined) this.word.text = undefined;
    this.endWord();
    const sign = redirectionAt(this.line, this.at);
    if (sign.kind === 'substitution') {
      this.inside(this.at + sign.length);
      return;
    }
    this.at += sign.length;
    this.sequence.redirect(sign, descriptor);
  }
}
