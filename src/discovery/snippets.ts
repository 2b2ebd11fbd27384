import type { Snippet } from '../search';

/** The snippet on one line, its hits between `**`; asterisks of the text itself are escaped. */
export function marked({ text, marks }: Snippet): string {
  let shown = '';
  let at = 0;
  for (const { start, end } of marks) {
    shown += `${escaped(text.slice(at, start))}**${escaped(text.slice(start, end))}**`;
    at = end;
  }
  return (shown + escaped(text.slice(at))).replace(/\s+/gu, ' ').trim();
}

function escaped(text: string): string {
  return text.replace(/[\\*]/g, '\\$&');
}
