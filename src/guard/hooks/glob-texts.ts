const [LINE_BREAK, SPACE, EXCLAMATION_MARK, COMMA, QUESTION_MARK] = [10, 32, 33, 44, 63];
const [OPENING_BRACKET, BACKSLASH, OPENING_BRACE, CLOSING_BRACE] = [91, 92, 123, 125];
/** `*`, `/` and those above. */
const SIGNS = new Set([42, 47, QUESTION_MARK, BACKSLASH, OPENING_BRACE, CLOSING_BRACE]);

/**
 * Of the paths under these globs (APPLIES_TO) each holds one of the texts: so that most rules need not be read as globs.
 * Null where that cannot be told. One pass without regular expressions: a hook asks it of every rule.
 */
export function globTexts(globs: string): string[] | null {
  const texts: string[] = [];
  let depth = 0;
  let isExcluded = false;
  /** Where the glob began, and the text between two signs that stand for more than themselves. */
  let start = 0;
  let from = 0;
  let longest = '';
  for (let at = 0; at <= globs.length; at++) {
    const character = at < globs.length ? globs.charCodeAt(at) : LINE_BREAK;
    // Letters and digits, which is nearly everything.
    if (character > QUESTION_MARK && character < OPENING_BRACKET) continue;
    if (character > BACKSLASH && character < OPENING_BRACE) continue;
    if (character === OPENING_BRACKET) return null;
    const ends = character === LINE_BREAK || (character === COMMA && depth === 0);
    if (!ends && depth === 0 && !SIGNS.has(character)) {
      if (at === start && character === SPACE) start++;
      else if (at === start && character === EXCLAMATION_MARK) isExcluded = true;
      continue;
    }
    // What stands in braces may be one thing or another.
    if (depth === 0 && at - from > longest.length) {
      const text = globs.slice(from, at).trim();
      if (text.length > longest.length) longest = text;
    }
    from = at + 1;
    if (character === OPENING_BRACE) depth++;
    if (character === CLOSING_BRACE) depth = Math.max(0, depth - 1);
    if (!ends) continue;
    const isEmpty = globs.slice(start, at).trim() === '';
    if (!isEmpty && !isExcluded) {
      if (longest === '' || longest === '.') return null;
      texts.push(longest);
    }
    depth = 0;
    isExcluded = false;
    longest = '';
    start = at + 1;
  }
  return texts;
}
