/** The limit of an entry's content. */
export const MOST_CONTENT = 65_536;
/** Words for risks may come before it. */
export const LONGEST_CONTENT = 60_000;
/** A value of metaknowledge may have 8,192. */
export const LONGEST_VALUE = 8_000;

/** The text with `\uFFFD` for what no store can keep: NUL, and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.replace(/\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}

/** The text in parts that fit into entries: cut between lines where there are any, never within a character. */
export function cutToFit(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > LONGEST_CONTENT) {
    const lineEnd = rest.lastIndexOf('\n', LONGEST_CONTENT - 1) + 1;
    const isPair = /[\uD800-\uDBFF]/.test(rest[LONGEST_CONTENT - 1]!);
    const end = lineEnd > 0 ? lineEnd : LONGEST_CONTENT - (isPair ? 1 : 0);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return rest === '' && parts.length > 0 ? parts : [...parts, rest];
}
