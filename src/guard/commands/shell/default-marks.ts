/**
 * A word shows where a default stands for a variable: `${F:-a}` is `${__or_F}` in it, and `$F` is `$F`. What the default
 * says is among the texts that the variable may hold.
 */

const MARK = '__or_';
const BEGINNING = `\${${MARK}`;

export function markedAsDefault(name: string): string {
  return `${BEGINNING}${name}}`;
}

export function holdsDefault(word: string): boolean {
  return word.includes(BEGINNING);
}

/** With the variables alone. */
export function withoutDefaults(word: string): string {
  return word.replaceAll(BEGINNING, () => '${');
}

/** The variable that is meant by the name in a word. */
export function variableOf(name: string): string {
  return name.startsWith(MARK) ? name.slice(MARK.length) : name;
}
