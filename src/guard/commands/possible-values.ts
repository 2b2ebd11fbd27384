import { type Allowance, lengthOf } from './allowance';
import type { Dialect, SimpleCommand } from './shell';
import { MAX_PATH_LENGTH } from './written-paths';

const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;
const VARIABLE_ALONE = /^\$(?:\w+|\{\w+\})$/;

/** Words that a text is taken apart into. */
const MAX_PARTS = 100;
/** Values that hold variables in turn. */
const MAX_AGAIN = 20;

/** Of a line: values, and texts that are none as they stand. */
type Known = Pick<SimpleCommand, 'possible' | 'texts'>;
type ValuesOf = (name: string) => readonly string[] | undefined;

/** What variables may hold that a line does not fill in; in the line, or in one that it stands in. */
export class PossibleValues {
  /** Those of the command that is being looked at. */
  private own: Known = { possible: new Map(), texts: new Map() };
  private around: readonly Known[] = [];

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

  /** What a word may be, as it would stand in a line, that is a variable alone: its values one after the other, and each. */
  lines(word: string): { byValues: readonly string[]; byTexts: readonly string[] } {
    if (!VARIABLE_ALONE.test(word)) return { byValues: [], byTexts: [] };
    const name = word.replace(/\W/g, '');
    const values = this.values(name) ?? [];
    return { byValues: values.length > 1 ? [values.join(' '), ...values] : values, byTexts: this.texts(name) ?? [] };
  }

  /** What the word would be by what its variables may hold; of a variable alone, which a shell may take apart, each part. */
  words(word: string): string[] {
    const filled = this.filled(word);
    if (!VARIABLE_ALONE.test(word)) return filled;
    return filled.flatMap((text) => (/\s/.test(text) ? [text, ...text.trim().split(/\s+/, MAX_PARTS)] : [text]));
  }

  /** What the word would be by what its variables may hold: at most so many, those by values alone first. */
  filled(word: string, most = Number.POSITIVE_INFINITY): string[] {
    if (word.length > MAX_PATH_LENGTH || !word.includes('$')) return [];
    const names = namesIn(word);
    const byValues = this.filledBy(this.values, word, names, most);
    const byTexts = names.some((name) => this.texts(name)) ? this.filledBy(this.either, word, names) : [];
    // A value may be a variable's default in turn: `D=${1:-src}`.
    const found = [...byValues, ...byTexts].slice(0, most);
    const again = found.filter((each) => each.includes('$')).slice(0, MAX_AGAIN);
    return [...found, ...again.flatMap((each) => this.filledBy(this.either, each, namesIn(each)))].slice(0, most);
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

  private heldIn(kind: keyof Known, written: string): readonly string[] | undefined {
    const name = this.dialect === 'powershell' ? written.toLowerCase() : written;
    const { own } = this;
    const known = own[kind].has(name) ? own : this.around.findLast((each) => each[kind].has(name));
    return known?.[kind].get(name);
  }
}

function namesIn(word: string): string[] {
  return [...word.matchAll(VARIABLE)].map(([, braced, plain]) => braced ?? plain!);
}
