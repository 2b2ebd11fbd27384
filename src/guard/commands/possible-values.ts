import { type Allowance, LEAST_OF_VALUE, lengthOf } from './allowance';
import {
  ARGUMENTS,
  type ChangedValues,
  type Dialect,
  defaultsIn,
  holdsDefault,
  type SimpleCommand,
  UNKNOWN,
  variableOf,
  withoutDefaults,
} from './shell';
import { MAX_PATH_LENGTH } from './written-paths';

const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;
const VARIABLE_ALONE = /^\$(?:\w+|\{\w+\})$/;

/** Words that a text is taken apart into. */
const MAX_PARTS = 100;
/** Values that hold variables in turn, and how often defaults may do so. */
const MAX_AGAIN = 20;
const MAX_ROUNDS = 4;
/** Values that are changed to make one that is changed in turn. */
const MAX_WITHIN = 20;
/** Words of a loop. */
const MAX_LOOPED = 100;
/** Ways in which the words of one command are meant. */
const MAX_MEANT = 40;

/** Of a line: values, and texts that are none as they stand. */
type Known = Pick<SimpleCommand, 'possible' | 'texts' | 'unclear' | 'bare'>;
type ValuesOf = (name: string) => readonly string[] | undefined;

/** What variables may hold that a line does not fill in; in the line, or in one that it stands in. */
export class PossibleValues {
  /** Those of the command that is being looked at. */
  private own: Known = { possible: new Map(), texts: new Map(), unclear: new Set(), bare: new Set() };
  private around: readonly Known[] = [];
  /** Whether a program takes its names apart, whatever quotes they stand in. */
  private takesAllApart = false;
  /** What loops set their variables to, as far as these are changed. */
  private readonly looped = new Map<string, readonly string[]>();
  /** Changed values that are being told. */
  private readonly within = new Set<string>();

  constructor(
    private readonly dialect: Dialect,
    private readonly mayRead: Allowance,
    private readonly changes: ChangedValues,
  ) {}

  at(command: Known): void {
    this.own = command;
  }

  /** While a line is read that stands in the one that was read so far. */
  inside(read: () => void): void {
    const { own, around } = this;
    this.around = [...around, own];
    read();
    this.own = own;
    this.around = around;
  }

  /** While a program is looked at that is given its names by what it reads. */
  givenNames(read: () => void): void {
    this.takesAllApart = true;
    read();
    this.takesAllApart = false;
  }

  /** A loop sets the variable to each of the words. Whether it is set otherwise than before. */
  loop(name: string, words: readonly string[]): boolean {
    const all = words.slice(0, MAX_LOOPED).flatMap((word) => [word, ...this.words(word)]);
    // What a star stands for is not known, and changed it may be a new file's name.
    const names = all.map((word) => word.replace(/\*+/g, () => UNKNOWN));
    const found = [...new Set(names)].filter((word) => word !== UNKNOWN && !/\s/.test(word));
    const before = this.looped.get(name);
    this.looped.set(name, found);
    return before?.length !== found.length || found.some((word, at) => word !== before[at]);
  }

  /** Whether a value stands in the word that an operation changes. */
  isChanged(word: string): boolean {
    return this.changes.isIn(word);
  }

  /** The word as it is without defaults, and where nothing is known of values that are changed. */
  shown(word: string): string {
    return this.changes.shown(withoutDefaults(word));
  }

  /** Whether the word is a variable alone, which a shell may take apart: in quotes it does not. */
  takesApart(word: string): boolean {
    if (!VARIABLE_ALONE.test(word)) return false;
    return this.takesAllApart || this.own.bare.has(word.replace(/\W/g, ''));
  }

  /** What a word may be, as it would stand in a line, that is a variable alone: its values one after the other, and each. */
  lines(word: string): { byValues: readonly string[]; byTexts: readonly string[] } {
    if (!VARIABLE_ALONE.test(word)) return { byValues: [], byTexts: [] };
    const name = word.replace(/\W/g, '');
    const values = this.values(name) ?? [];
    return { byValues: values.length > 1 ? [values.join(' '), ...values] : values, byTexts: this.texts(name) ?? [] };
  }

  /** What the word would be by what its variables may hold; where a shell may take it apart, each part. */
  words(word: string): string[] {
    const filled = this.filled(word);
    if (!this.takesApart(word)) return filled;
    return filled.flatMap((text) => (/\s/.test(text) ? [text, ...partsOf(text)] : [text]));
  }

  /** Whether more is meant by a word than a file: what stands in a default, or options, `OPTS='-i -e'; sed $OPTS`. */
  isMeant(word: string): boolean {
    if (holdsDefault(word)) return true;
    if (!this.takesApart(word)) return false;
    const name = word.replace(/\W/g, '');
    return [...(this.values(name) ?? []), ...(this.texts(name) ?? [])].some((text) => text.startsWith('-'));
  }

  /**
   * The words with what is meant in their place: once for each way to fill them in. Where these are too many, options are
   * varied alone, or no word with another; `isAll` says whether nothing was left out. Undefined where even that is more
   * than may be looked at.
   */
  meant(words: readonly string[]): { lines: string[][]; isAll: boolean } | undefined {
    const choices = words.map((word) => (this.isMeant(word) ? this.choices(word) : [[word]]));
    const isAll = countOf(choices) <= MAX_MEANT;
    const options = isAll
      ? choices
      : choices.map((each, at) => (each.some(([first]) => first?.startsWith('-')) ? each : [[words[at]!]]));
    const varied = countOf(options);
    const isVaried = isAll || (varied > 1 && varied <= MAX_MEANT);
    const count = isVaried ? varied : Math.max(...choices.map(({ length }) => length));
    if (count > MAX_MEANT || !this.mayRead(lengthOf(words) * count)) return undefined;
    const lines = Array.from({ length: count }, (_, at) => {
      let left = at;
      return (isVaried ? options : choices).flatMap((each) => {
        const chosen = isVaried ? left % each.length : Math.min(at, each.length - 1);
        left = Math.floor(left / each.length);
        return each[chosen]!;
      });
    });
    return { lines, isAll };
  }

  /** The words that one may become. */
  private choices(word: string): string[][] {
    const filled = this.filled(word);
    if (filled.length === 0) return [[withoutDefaults(word)]];
    const isTakenApart = this.takesApart(word);
    return [...new Set(filled)].flatMap((text) =>
      isTakenApart && /\s/.test(text) ? [partsOf(text), [text]] : [[text]],
    );
  }

  /** What the word would be by what its variables may hold: at most so many, those by values alone first, defaults last. */
  filled(word: string, most = Number.POSITIVE_INFINITY): string[] {
    if (word.length > MAX_PATH_LENGTH || !word.includes('$')) return [];
    const names = namesIn(word);
    const byValues = this.filledBy(this.values, word, names, most);
    const byTexts = names.some((name) => this.texts(name)) ? this.filledBy(this.either, word, names) : [];
    // A value may be a variable's default in turn: `D=${1:-src}`.
    const found = [...byValues, ...byTexts].slice(0, most);
    let again = found.filter((each) => each.includes('$'));
    for (let round = 0; round < MAX_ROUNDS && again.length > 0; round++) {
      const filled = again.slice(0, MAX_AGAIN).flatMap((each) => this.filledBy(this.either, each, namesIn(each)));
      found.push(...filled);
      again = filled.filter(holdsDefault);
    }
    // Beside the default the variable counts that the line sets to what nobody knows.
    const unclear = [word, ...found].filter((each) => this.isUnclear(each)).map(withoutDefaults);
    return [...new Set(unclear), ...found.filter((each) => !holdsDefault(each))].slice(0, most);
  }

  /** Whether a default stands in the word for a variable that the line, or one around it, sets to what nobody knows. */
  private isUnclear(word: string): boolean {
    return defaultsIn(word).some((name) => this.isSetUnclearly(name));
  }

  private isSetUnclearly(name: string, seen = new Set<string>()): boolean {
    const changed = this.changes.get(name);
    if (changed) {
      if (seen.has(name)) return false;
      seen.add(name);
      // What is made of that many values is known no more.
      const isTooMuch = seen.size > MAX_WITHIN;
      return isTooMuch || namesIn(changed.value).some((each) => this.isSetUnclearly(variableOf(each), seen));
    }
    const key = /^[1-9]\d*$/.test(name) ? ARGUMENTS : name;
    const isOutput = UNKNOWN === `\${${name}}`;
    return isOutput || this.own.unclear.has(key) || this.around.some(({ unclear }) => unclear.has(key));
  }

  private filledBy(valuesOf: ValuesOf, word: string, names: readonly string[], most?: number): string[] {
    const all = names.map((name) => valuesOf(name) ?? []);
    const count = Math.min(most ?? Number.POSITIVE_INFINITY, Math.max(0, ...all.map((values) => values.length)));
    if (!this.mayRead(all.reduce((length, values) => length + lengthOf(values.slice(0, count)), 0))) return [];
    return Array.from({ length: count }, (_, at) => {
      let left = MAX_PATH_LENGTH;
      return word.replace(VARIABLE, (written, braced?: string, plain?: string) => {
        const values = valuesOf(braced ?? plain!);
        const value = values?.[at] ?? values?.at(-1) ?? written;
        left -= value.length;
        return left < 0 ? '' : value;
      });
    });
  }

  private readonly values: ValuesOf = (name) => this.heldIn('possible', name);
  private readonly texts: ValuesOf = (name) => this.heldIn('texts', name);

  private readonly either: ValuesOf = (name) => this.texts(name) ?? this.values(name);

  private heldIn(kind: 'possible' | 'texts', written: string): readonly string[] | undefined {
    const name = this.dialect === 'powershell' ? written.toLowerCase() : variableOf(written);
    if (this.changes.get(name)) return this.changedIn(kind, name);
    const { own } = this;
    const known = own[kind].has(name) ? own : this.around.findLast((each) => each[kind].has(name));
    return known?.[kind].get(name);
  }

  /** What a value may be that an operation changes. */
  private changedIn(kind: 'possible' | 'texts', name: string): readonly string[] | undefined {
    const { value, operation } = this.changes.get(name)!;
    const isTooMuch = this.within.has(name) || this.within.size >= MAX_WITHIN;
    if (isTooMuch || !this.mayRead(LEAST_OF_VALUE + value.length)) return undefined;
    this.within.add(name);
    const names = namesIn(value);
    const valuesOf: ValuesOf = (each) => {
      if (kind === 'texts') return this.either(each);
      const looped = this.looped.get(each);
      return looped ? [...(this.values(each) ?? []), ...looped] : this.values(each);
    };
    const isPlain = names.length === 0;
    let pending = isPlain ? [value] : [];
    if (!isPlain && (kind === 'possible' || names.some((each) => this.texts(each))))
      pending = this.filledBy(valuesOf, value, names);
    const found = new Set<string>();
    for (let round = 0; round < MAX_ROUNDS && pending.length > 0; round++) {
      const results = pending.map((each) => ({ each, ...this.changes.change(each, operation) }));
      for (const { each, text, isSure } of results) {
        // Where it cannot be told what becomes of it, it may stay as it is.
        const known = isSure ? text : each.includes('$') ? '' : each;
        if (known !== '') found.add(known);
      }
      const open = results.filter(({ each, isSure }) => !isSure && each.includes('$')).slice(0, MAX_AGAIN);
      pending = open.flatMap(({ each }) => this.filledBy(this.either, each, namesIn(each)));
    }
    this.within.delete(name);
    for (const each of this.own[kind].get(name) ?? []) found.add(each);
    return found.size > 0 ? [...found] : undefined;
  }
}

/** In how many ways one may be chosen of each. */
function countOf(choices: readonly (readonly unknown[])[]): number {
  return choices.reduce((count, { length }) => count * length, 1);
}

function partsOf(text: string): string[] {
  return text.trim().split(/\s+/, MAX_PARTS);
}

function namesIn(word: string): string[] {
  return [...word.matchAll(VARIABLE)].map(([, braced, plain]) => braced ?? plain!);
}
