/** A condition in SQL, with its parameters. */
export interface Condition {
  sql: string;
  parameters: string[];
}

/** Where a text has to stand in a column: be all of it, begin it, or be somewhere in it. */
export type Position = 'whole' | 'start' | 'within';

/**
 * Whether `text` stands in `column`, whatever its case, in any script. SQLite's LIKE only knows the case of ASCII
 * letters; where there are others, GLOB takes both forms of each letter. Its pattern begins with a letter and not with
 * a choice of two, which is five times as fast, and so there are two patterns.
 */
export function matches(column: string, text: string, position: Position): Condition {
  if (!hasOtherCase(text)) {
    const pattern = text.replace(/[\\%_]/g, '\\$&');
    return { sql: `${column} LIKE ? ESCAPE '\\'`, parameters: [anchored(pattern, position, '%')] };
  }
  const [first = '', ...rest] = text;
  const tail = rest.map(globOf).join('');
  const parameters = formsOf(first).map((form) => anchored(literal(form) + tail, position, '*'));
  return { sql: `(${parameters.map(() => `${column} GLOB ?`).join(' OR ')})`, parameters };
}

/** All, or any, of at least one condition. */
export function joined(conditions: readonly Condition[], operator: 'AND' | 'OR'): Condition {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(` ${operator} `)})`,
    parameters: conditions.flatMap(({ parameters }) => parameters),
  };
}

function anchored(pattern: string, position: Position, anything: string): string {
  if (position === 'whole') return pattern;
  return position === 'start' ? pattern + anything : anything + pattern + anything;
}

/** Whether a letter outside of ASCII has another case. */
function hasOtherCase(text: string): boolean {
  return [...text].some((character) => character > '\u007F' && formsOf(character).length > 1);
}

/** The character in lower and in upper case, where that is one character as well. */
function formsOf(character: string): string[] {
  const forms = [character, character.toLowerCase(), character.toUpperCase()];
  return [...new Set(forms)].filter((form) => [...form].length === 1).sort();
}

function globOf(character: string): string {
  const forms = formsOf(character);
  return forms.length > 1 ? `[${forms.join('')}]` : literal(character);
}

function literal(character: string): string {
  return '*?['.includes(character) ? `[${character}]` : character;
}
