import { type Dialect, emptyCommand, type Redirection, type SimpleCommand } from './commands';
import { HereDocuments } from './here-documents';
import type { Mentions } from './mentions';
import type { RedirectionSign } from './redirections';
import { ARGUMENTS, variablesSetBy } from './setting-programs';
import type { Variables } from './variables';

/** Shared by a line and what stands inside of it. */
export interface Budget {
  /** Commands that may still be read. */
  left: number;
  /** Words that lists may still add. */
  listed: number;
}

/** Where these stand before it, it is assigned all the same; their options may say otherwise. */
const DECLARES = /^(export|local|declare|readonly|typeset)$/;
const DECLARES_PLAINLY = /^-[agrx]+$/;
const VARIABLE_ALONE = /^\$\{?(\w{1,200})\}?$/;
/** Behind these a command begins. */
const BEGINS = /^(if|then|elif|else|while|until|do|!|time)$/;

/**
 * Words and operators become commands one after the other, in pipes and in groups; what is assigned on the way goes to
 * the variables, with the block that it is in.
 */
export class CommandSequence {
  readonly commands: SimpleCommand[] = [];
  /** The one that is being read. */
  command: SimpleCommand;
  /** Whether nothing but keywords, assignments and what declares them stands in the command yet. */
  begins = true;
  private declares = false;
  /** Whether the next line goes on with this one: `a &&`. */
  private awaitsCommand = false;
  /** Where the groups that are open begin among the commands, and the one that has just ended. */
  private readonly groups: number[] = [];
  private ended: number | undefined;
  /** What the next word is for, where it is none of the program: a file, the end of a text, or a text. */
  private redirection: Omit<Redirection, 'target'> | undefined;
  private awaitsDocument: { isIndented: boolean } | undefined;
  private awaitsText = false;
  /** Texts that the line announces. */
  readonly documents = new HereDocuments();

  constructor(
    private readonly dialect: Dialect,
    private readonly budget: Budget,
    private readonly variables: Variables,
    private readonly mentions: Mentions,
  ) {
    this.command = emptyCommand(variables);
  }

  /** Whether the next word is a file that the command reads or writes. */
  get isRedirecting(): boolean {
    return this.redirection !== undefined;
  }

  redirect(sign: RedirectionSign, descriptor: string | undefined): void {
    if (sign.kind === 'text') this.awaitsText = true;
    else if (sign.kind === 'document') this.awaitsDocument = sign;
    else if (sign.kind === 'file') this.redirection = { writes: sign.writes, descriptor };
  }

  word(word: string, isQuoted: boolean): void {
    const { command } = this;
    if (this.awaitsDocument) {
      this.documents.announce(word, this.awaitsDocument.isIndented, command);
      this.awaitsDocument = undefined;
    } else if (this.awaitsText) {
      command.documents.push(word);
      this.awaitsText = false;
    } else if (this.redirection) {
      command.redirections.push({ ...this.redirection, target: word });
      this.redirection = undefined;
    } else {
      if (this.begins) this.beginning(word, isQuoted);
      command.words.push(word);
    }
  }

  /** What a variable outside of quotes stands for: another one, or itself where that is not known. */
  bare(text: string): void {
    const name = VARIABLE_ALONE.exec(text)?.[1];
    if (name !== undefined) this.command.bare.add(name);
  }

  operator(operator: string): void {
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
  }

  /** `isApart`: whether it runs in a shell of its own. */
  endCommand(isApart = false): void {
    this.variables.endCommand(isApart || this.command.piped);
    this.begins = true;
    this.declares = false;
    this.redirection = undefined;
    this.awaitsDocument = undefined;
    this.awaitsText = false;
    const { words, redirections, inner } = this.command;
    if (this.dialect === 'posix') for (const name of variablesSetBy(words)) this.variables.setUnclearly(name);
    // `$item.Name = 'a.txt'`
    if (this.dialect === 'powershell' && words[1] === '=') words.splice(0, 2);
    if (words.length > 0 || redirections.length > 0 || inner.length > 0) {
      this.commands.push(this.command);
      this.budget.left--;
    }
    this.command = emptyCommand(this.variables);
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
      // What a function is given is said where it is called.
      if (isBody) this.variables.setUnclearly(ARGUMENTS);
      const stays = operator === '{' && !isBody && !isPiped && this.dialect === 'posix';
      this.variables.open(operator === '(' ? ')' : '}', stays);
      this.ended = undefined;
    } else if (operator === ')' || operator === '}') {
      this.ended = this.variables.close(operator) ? this.groups.pop() : undefined;
    } else {
      this.ended = undefined;
    }
  }

  private beginning(word: string, isQuoted: boolean): void {
    const assignment = isQuoted ? null : /^(\w+)=(.*)$/s.exec(word);
    if (assignment) {
      const [, name, value] = assignment;
      this.variables.assign(name!, value!, this.mentions.isSetOnce(name!));
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
}
