import { holdsDefault, markedAsDefault, variableOf } from './default-marks';
import { type Changed, changed, isTold, type ValueOperation } from './value-operations';

/**
 * Values that an operation changes (`${F%.bak}`) and that are not sure where the line is read: in its word a name of its own
 * stands for each, and what it may be is told when it is known what the variable may hold.
 */

const MARK = /\$\{((?:__or_)?__of_\d{1,9})\}/g;
const MAX_CHANGED = 1_000;
/** What is not known of a longer one is not told apart. */
const MAX_SHOWN = 200;
const MAX_STEPS = 50_000;
/** Where these lead is known, and what they are changed to leads elsewhere. */
const KNOWN_PLACE = /^(?:HOME|PWD|TMPDIR|TEMP|TMP)$/;

interface ChangedValue {
  /** What it is made of. */
  value: string;
  operation: ValueOperation;
  /** As it is shown where nothing more is known. */
  shown: string;
}

export class ChangedValues {
  private readonly all = new Map<string, ChangedValue>();
  private readonly names = new Map<string, string>();
  private readonly texts = new Map<string, Changed>();
  private readonly steps = { left: MAX_STEPS };

  /**
   * What stands in a word for the value of a variable that is changed: what it becomes, or its mark. `value` is what is known
   * of it, `written` tells the operation from others, `isWhole` whether it stays one word.
   */
  word(
    name: string,
    {
      value,
      operation,
      written,
      isWhole,
    }: { value: string; operation: ValueOperation; written: string; isWhole: boolean },
  ): string {
    const unknown = `\${${unknownName(name, written)}}`;
    // What variables hold in a pattern may be known at one place, and not at another.
    const meant = written.includes('$') ? JSON.stringify(operation) : '';
    const key = `${name} ${written}\n${meant}\n${value}`;
    const known = this.texts.get(key) ?? changed(value, operation, unknown, this.steps);
    this.texts.set(key, known);
    const { text, isSure } = known;
    // A shell may take apart what holds blanks.
    if (isSure && (isWhole || !/\s/.test(text))) return text;
    let mark = this.names.get(key);
    if (mark === undefined) {
      if (this.all.size >= MAX_CHANGED) return unknown;
      mark = `__of_${this.all.size + 1}`;
      const shown = this.shown(text);
      this.names.set(key, mark);
      this.all.set(mark, { value, operation, shown: shown.length <= MAX_SHOWN ? shown : unknown });
    }
    // A default alone is meant where it is known what becomes of it.
    return holdsDefault(value) && isTold(operation) ? markedAsDefault(mark) : `\${${mark}}`;
  }

  /** By the name that stands in a word. */
  get(name: string): ChangedValue | undefined {
    return this.all.get(variableOf(name));
  }

  change(value: string, operation: ValueOperation): Changed {
    return changed(value, operation, '', this.steps);
  }

  isIn(word: string): boolean {
    return word.includes('__of_') && word.search(MARK) >= 0;
  }

  /** The word with what is known of such values in their places. */
  shown(word: string): string {
    if (!this.isIn(word)) return word;
    return word.replace(MARK, (written, name: string) => this.get(name)?.shown ?? written);
  }
}

/** What a folder's name ends with is no matter: `${TMPDIR%/}`. */
function unknownName(name: string, written: string): string {
  return KNOWN_PLACE.test(name) && !/^%%?\/$/.test(written) ? `${name}_` : name;
}
