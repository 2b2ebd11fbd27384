import type { ChangedValues } from './changed-values';
import { holdsVariable } from './default-marks';

/**
 * What the variables of a line hold, where that is plain: a value that is written once and holds wherever it is set for
 * certain, in the block where it is set. Elsewhere it is one of those that the variable may hold.
 */

/** What a variable holds is filled in up to this length; it may hold itself twice, and that again. */
const MAX_VALUE = 4_096;
const MAX_ELEMENTS = 100;
/** Of one variable: values, and their characters in all. */
const MAX_POSSIBLE = 100;
const MAX_POSSIBLE_LENGTH = 80_000;

/** What a shell would take apart, or fill in by rules of its own. */
const UNCLEAR = /PWD|\$(?:[^\w{]|\{\w*[^\w}]|$)/;

/** What opens a block, and what ends it. */
const BLOCKS = new Map([
  ['if', 'fi'],
  ['while', 'done'],
  ['until', 'done'],
  ['for', 'done'],
  ['select', 'done'],
  ['case', 'esac'],
]);
const ENDS = new Set(BLOCKS.values());
/** Another branch of a block begins. */
const BRANCHES = new Set(['elif', 'else', ';;']);
/** Stands for the end of a list of commands one of which runs by what the one before says. */
const AND_OR = '&&';
/** In the element of a list: a shell makes more than one of it, or something else. */
const UNPLAIN = /[*?[{$]/;

interface Block {
  end: string;
  /** What was set in it. */
  names: string[];
  /** Whether what is set in it holds behind it: `{ F=a; }`, but not the body of a function. */
  stays: boolean;
  /** What stands before the command that is being read: `&&` or `||`. */
  after?: string;
}

export class Variables {
  private readonly blocks: Block[] = [];
  /** A block that has just been closed, and stays unless it turns out to run in a shell of its own. */
  private closed: Block | undefined;
  /** Set by the command that is being read; for its program alone, if one follows. */
  private fresh: string[] = [];

  constructor(
    /** Values that operations change, wherever they stand. */
    readonly changes: ChangedValues,
    private readonly known: Map<string, readonly string[]> = new Map(),
    /** Everything that is written for a variable somewhere, by its name. */
    readonly possible: Map<string, string[]> = new Map(),
    /** The same of texts that it holds only perhaps, or that a shell may take apart. */
    readonly texts: Map<string, string[]> = new Map(),
    /** Set somewhere to what nobody knows. */
    readonly unclear: Set<string> = new Set(),
    private readonly lists: Set<string> = new Set(),
  ) {}

  /** For what stands in `$(…)`: what it sets does not come out. */
  inside(): Variables {
    return new Variables(this.changes, new Map(this.known), this.possible, this.texts, this.unclear, this.lists);
  }

  /** Undefined where it is not known; of a list some shells give the first element, others all. */
  value(name: string): string | undefined {
    const values = this.known.get(name);
    return values?.length === 1 ? values[0] : undefined;
  }

  /**
   * All of its elements (`@`, `*`), or the one by that number; undefined where that is not known. Some shells count from 0,
   * others from 1, so that one element alone has a number.
   */
  elements(name: string, index: string): readonly string[] | undefined {
    if (!/\d/.test(index)) return this.known.get(name);
    const value = this.value(name);
    return value === undefined || Number(index) > 1 || UNPLAIN.test(value) ? undefined : [value];
  }

  /** Whether it is set as a list somewhere. */
  isList(name: string): boolean {
    return this.lists.has(name);
  }

  /** `isSure`: whether nothing else names the variable but for its value. */
  assign(name: string, value: string, isSure: boolean): void {
    const isPlain = value !== '' && value.length <= MAX_VALUE && !/[\s,]/.test(value) && !UNCLEAR.test(value);
    this.set(name, isPlain ? [value] : [], isPlain && isSure);
    // Some shells take it apart where it stands without quotes, others do not.
    const isText = /\s/.test(value) && this.mayHold(name, value);
    const isTold = isPlain ? this.possible.get(name)?.includes(value) === true : isText && !holdsVariable(value);
    if (!isTold && value.trim() !== '') this.unclear.add(name);
  }

  assignList(name: string, elements: readonly string[], isSure: boolean): void {
    this.lists.add(name);
    const isShort = elements.length <= MAX_ELEMENTS;
    const plain = elements.slice(0, MAX_ELEMENTS).filter((each) => each.length <= MAX_VALUE && !UNCLEAR.test(each));
    const isAll = plain.length === elements.length;
    this.set(name, plain, isSure && isShort && isAll && plain.length > 0);
    if (!isAll) this.unclear.add(name);
  }

  /** It may hold the text, whatever else it holds. Whether that is kept: a blank one is not, nor one too many. */
  mayHold(name: string, text: string): boolean {
    if (text.trim() === '' || text.length > MAX_VALUE) return false;
    add(this.texts, name, [text]);
    return this.texts.get(name)?.includes(text) === true;
  }

  /** Something sets it, and nobody knows to what. */
  setUnclearly(name: string): void {
    this.unclear.add(name);
  }

  forget(name: string): void {
    this.known.delete(name);
  }

  private set(name: string, values: readonly string[], isKnown: boolean): void {
    add(this.possible, name, values);
    if (isKnown) {
      this.known.set(name, values);
      this.fresh.push(name);
    } else {
      this.known.delete(name);
    }
  }

  /** A program follows what was set: `F=a cmd`. */
  program(): void {
    for (const name of this.fresh) this.known.delete(name);
    this.fresh = [];
  }

  /** `isApart`: whether the command runs in a shell of its own, as those of a pipe do. */
  endCommand(isApart: boolean): void {
    if (isApart) this.program();
    const block = this.blocks.at(-1);
    if (block) for (const name of this.fresh) block.names.push(name);
    this.fresh = [];
  }

  /** A word that may begin or end a block, where a command begins. */
  keyword(word: string): void {
    const end = BLOCKS.get(word);
    if (end !== undefined) this.open(end, false);
    else if (BRANCHES.has(word)) this.branch();
    else if (ENDS.has(word)) this.close(word);
  }

  /** `end` is what will close it. */
  open(end: string, stays: boolean): void {
    this.settle();
    this.blocks.push({ end, names: [], stays });
  }

  /** Whether it closes something: behind a pattern of `case` a parenthesis does not. */
  close(end: string): boolean {
    this.endList();
    const block = this.blocks.at(-1);
    if (block?.end !== end) return false;
    this.blocks.pop();
    if (block.stays) this.closed = block;
    else this.forgetThoseOf(block);
    return true;
  }

  /** `&&` or `||`: what follows may not be run, and what is set in it holds to the end of these commands at most. */
  andOr(operator: string): void {
    this.settle();
    const block = this.blocks.at(-1);
    if (block?.end !== AND_OR) {
      this.blocks.push({ end: AND_OR, names: [], stays: false, after: operator });
      return;
    }
    // It may run though the one before did not: `a && F=b || c`, `a || F=b && c`.
    if (operator === '||' || block.after === '||') this.branch();
    block.after = operator;
  }

  /** No `&&` or `||` goes on with what has been read. */
  endList(): void {
    this.settle();
    const block = this.blocks.at(-1);
    if (block?.end !== AND_OR) return;
    this.blocks.pop();
    this.forgetThoseOf(block);
  }

  /** The block that has just been closed runs in a shell of its own: `{ F=a; } | cat`. */
  dropClosed(): void {
    if (this.closed) this.forgetThoseOf(this.closed);
    this.closed = undefined;
  }

  /** What was set in the block that has just been closed is set in the one around it. */
  private settle(): void {
    const { closed } = this;
    const outer = this.blocks.at(-1);
    this.closed = undefined;
    if (!closed || !outer) return;
    // The shorter list goes to the longer one: blocks may stand in one another without measure.
    const [few, many] =
      outer.names.length < closed.names.length ? [outer.names, closed.names] : [closed.names, outer.names];
    for (const name of few) many.push(name);
    outer.names = many;
  }

  private branch(): void {
    const block = this.blocks.at(-1);
    if (!block) return;
    this.forgetThoseOf(block);
    block.names = [];
  }

  private forgetThoseOf({ names }: Block): void {
    for (const name of names) this.known.delete(name);
  }
}

/** As far as there may be so many. */
function add(to: Map<string, string[]>, name: string, values: readonly string[]): void {
  const possible = to.get(name) ?? [];
  let length = possible.reduce((sum, value) => sum + value.length, 0);
  for (const value of values) {
    if (possible.includes(value)) continue;
    length += value.length;
    if (possible.length < MAX_POSSIBLE && length <= MAX_POSSIBLE_LENGTH) possible.push(value);
  }
  if (possible.length > 0) to.set(name, possible);
}
