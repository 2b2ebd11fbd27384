/** A value that stands on the line of its key, or an item on the line of its hyphen. */
const VALUE = /^([ \t]*(?:-[ \t]+|[\p{L}_][\p{L}\p{N}_.-]{0,63}[ \t]*:[ \t]+))(\S.*)$/u;
/** `description: |` and `>-`: what follows further in is text. */
const BLOCK_SCALAR = /:[ \t]+[|>][-+\d]{0,3}[ \t]*$/;

/**
 * Puts values in quotes that mean something else in YAML than people mean who write them: those that begin with `*` or
 * another of its marks, braces and brackets of globs, text with a colon in it. Lines stay lines.
 */
export function quoteLoose(yaml: string): string {
  let block: number | undefined;
  return yaml
    .split('\n')
    .map((line) => {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      const indent = text.length - text.trimStart().length;
      if (block !== undefined && (indent > block || text.trim() === '')) return line;
      block = BLOCK_SCALAR.test(text) ? indent : undefined;
      if (block !== undefined) return line;
      const [, before, written = ''] = VALUE.exec(text) ?? [];
      const value = written.trimEnd();
      if (before === undefined || !isLoose(value, before.trimStart().startsWith('-'))) return line;
      return `${before}'${value.replaceAll("'", "''")}'${line.slice(text.length)}`;
    })
    .join('\n');
}

function isLoose(value: string, isItem: boolean): boolean {
  if (/^[*&!%@`]/.test(value)) return true;
  const said = withoutComment(value);
  if (said.startsWith('[')) return !said.endsWith(']') && said.includes(']');
  if (said.startsWith('{')) return !/^\{.*:.*\}$/.test(said) && said.includes('}');
  // An item with a colon is a mapping of its own.
  return !isItem && /^[^"'|>#]/.test(said) && /:(?:\s|$)/.test(said);
}

/** What a comment says is nothing of the value's; between the quotes of a list or a mapping there is none. */
function withoutComment(value: string): string {
  const end = /^[[{]/.test(value) ? endOfFlow(value) : undefined;
  return end === undefined ? value.replace(/\s+#.*$/, '') : value.slice(0, end).trimEnd();
}

/** Where a list or a mapping on one line ends or its comment begins; undefined where a quote is not closed. */
function endOfFlow(value: string): number | undefined {
  let quote: string | undefined;
  for (let at = 0; at < value.length; at++) {
    const sign = value[at]!;
    if (sign === quote) quote = undefined;
    else if (quote === '"' && sign === '\\') at++;
    else if (quote === undefined && /["']/.test(sign)) quote = sign;
    else if (quote === undefined && sign === '#' && /\s/.test(value[at - 1] ?? '')) return at;
  }
  return quote === undefined ? value.length : undefined;
}
