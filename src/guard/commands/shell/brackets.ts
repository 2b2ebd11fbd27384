/** Where the parenthesis (or brace) closes that opened before `start`; the end of the text where it does not. */
export function closing(text: string, start: number, [open, close] = '()'): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    // Between braces a quote may stand for itself.
    else if (open === '(' && (character === "'" || character === '"')) {
      const end = text.indexOf(character, at + 1);
      if (end < 0) return text.length;
      at = end;
    } else if (character === open) depth++;
    else if (character === close && --depth === 0) return at;
  }
  return text.length;
}

/**
 * Where the brace closes of `${F:-…}` whose word begins at `start`, past what stands in quotes or is run; undefined where
 * it does not. In double quotes a single one stands for itself.
 */
export function closingExpansion(text: string, start: number, isInQuotes: boolean): number | undefined {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (character === '\\') at++;
    else if (character === '"') at = endOfQuotes(text, at + 1);
    else if (character === '`' || (character === "'" && !isInQuotes)) at = text.indexOf(character, at + 1);
    else if (text[at + 1] === '(' && (character === '$' || (!isInQuotes && /[<>]/.test(character))))
      at = closing(text, at + 2);
    else if (character === '$' && text[at + 1] === '{') {
      depth++;
      at++;
    } else if (character === '}' && --depth === 0) return at;
    if (at < 0) return undefined;
  }
  return undefined;
}

/** Less than 0 where no quote ends them. */
function endOfQuotes(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}
