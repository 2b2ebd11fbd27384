/**
 * A word shows where a default stands for a variable: `${F:-a}` is `${__or_F}` in it, and `$F` is `$F`. What the default
 * says is among the texts that the variable may hold.
 */

const MARK = '__or_';
const BEGINNING = `\${${MARK}`;
const MARKED = /\$\{__or_(\w+)\}/g;

export function markedAsDefault(name: string): string {
  return `${BEGINNING}${name}}`;
}

export function holdsDefault(word: string): boolean {
  return word.includes(BEGINNING);
}

/** The variables that defaults of the word stand for. */
export function defaultsIn(word: string): string[] {
  return holdsDefault(word) ? [...word.matchAll(MARKED)].map(([, name]) => name!) : [];
}

/** Whether a variable stands in it, and no default for that. */
export function holdsVariable(word: string): boolean {
  return word.replace(MARKED, '').includes('$');
}

/** With the variables alone. */
export function withoutDefaults(word: string): string {
  return word.replaceAll(BEGINNING, () => '${');
}

/** The variable that is meant by the name in a word. */
export function variableOf(name: string): string {
  return name.startsWith(MARK) ? name.slice(MARK.length) : name;
}
