/** What begins with a longer value is looked at only where it is said what it is. */
const LONGEST_FIRST = 1_000_000;

/** Undefined for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The lines of a text without its byte order mark, their number from 1; one at a time, however long the text is. */
export function* linesOf(text: string): Generator<{ raw: string; line: number }, undefined> {
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let line = 1; ; line++) {
    const end = text.indexOf('\n', start);
    yield { raw: text.slice(start, end < 0 ? text.length : end), line };
    if (end < 0) return undefined;
    start = end + 1;
  }
}

/**
 * The first value of JSON Lines, or the first object of an array: nothing behind it is looked at. Undefined for what is no
 * JSON, and for a value of more than a million characters.
 */
export function firstValue(text: string): unknown {
  const start = text.search(/\S/);
  if (start < 0) return undefined;
  if (text[start] === '[') return firstOfArray(text.slice(start + 1, start + 1 + LONGEST_FIRST));
  const [line = ''] = text.slice(start, start + LONGEST_FIRST).split('\n', 1);
  return parsed(line);
}

/** @param text what stands behind the array's bracket */
function firstOfArray(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return parsed(text.slice(0, at + 1));
  }
  return undefined;
}
