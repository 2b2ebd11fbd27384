import { type Allowance, lengthOf } from './allowance';
import { type Dialect, holdsDefault, type SimpleCommand, variableOf, withoutDefaults } from './shell';
import { MAX_PATH_LENGTH } from './written-paths';

const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;
const VARIABLE_ALONE = /^\$(?:\w+|\{\w+\})$/;

/** Words that a text is taken apart into. */
const MAX_PARTS = 100;
/** Values that hold variables in turn, and how often defaults may do so. */
const MAX_AGAIN = 20;
const MAX_ROUNDS = 4;
/** Ways in which the words of one command are meant. */
const MAX_MEANT = 40;

/** Of a line: values, and texts that are none as they stand. */
type Known = Pick<SimpleCommand, 'possible' | 'texts' | 'bare'>;
type ValuesOf = (name: string) => readonly string[] | undefined;

/** What variables may hold that a line does not fill in; in the line, or in one that it stands in. */
export class PossibleValues {
  /** Those of the command that is being looked at. */
  private own: Known = { possible: new Map(), texts: new Map(), bare: new Set() };
  private around: readonly Known[] = [];
  /** Whether a program takes its names apart, whatever quotes they stand in. */
  private takesAllApart = false;

  constructor(
    private readonly dialect: Dialect,
    private readonly mayRead: Allowance,
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
   * The words with what is meant in their place: once for each way to fill them in. Undefined where that is more than may be
   * looked at.
   */
  meant(words: readonly string[]): string[][] | undefined {
    const choices = words.map((word) => (this.isMeant(word) ? this.choices(word) : [[word]]));
    const count = choices.reduce((most, { length }) => Math.max(most, length), 0);
    if (count > MAX_MEANT || !this.mayRead(lengthOf(words) * count)) return undefined;
    return Array.from({ length: count }, (_, at) => choices.flatMap((each) => each[at] ?? each.at(-1)!));
  }

  /** The words that one may become. */
  private choices(word: string): string[][] {
    const filled = this.filled(word);
    if (filled.length === 0) return [[withoutDefaults(word)]];
    const isTakenApart = this.takesApart(word);
    return filled.flatMap((text) => (isTakenApart && /\s/.test(text) ? [partsOf(text), [text]] : [[text]]));
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
    return found.filter((each) => !holdsDefault(each)).slice(0, most);
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
    const { own } = this;
    const known = own[kind].has(name) ? own : this.around.findLast((each) => each[kind].has(name));
    return known?.[kind].get(name);
  }
}

function partsOf(text: string): string[] {
  return text.trim().split(/\s+/, MAX_PARTS);
}

function namesIn(word: string): string[] {
  return [...word.matchAll(VARIABLE)].map(([, braced, plain]) => braced ?? plain!);
}
