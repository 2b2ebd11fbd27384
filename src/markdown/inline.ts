/** A heading is a line to be shown: the rest of a longer one is left out. */
const MAX_TITLE = 500;

/**
 * A heading's text as it is shown: without closing hashes, emphasis, links' targets and HTML tags. `raw` may have
 * several lines, where it was underlined.
 */
export function titleOf(raw: string): string {
  const line = withoutClosingHashes(
    raw
      .slice(0, 4 * MAX_TITLE)
      .replace(/[\s\0]+/g, ' ')
      .trim(),
  );
  const shown = plainText(line.slice(0, MAX_TITLE)).replace(/\s+/g, ' ').trim();
  return shown.replace(/\p{Cs}$/u, '');
}

function withoutClosingHashes(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === '#') end--;
  return end === 0 || line[end - 1] === ' ' ? line.slice(0, end).trimEnd() : line;
}

/** What code spans and escapes say is kept as it is while the markup around it goes. */
const LITERAL = /(`+)([^`]|[^`][\s\S]{0,498}?[^`])\1(?!`)|\\([!-/:-@[-`{-~])/g;

/** The text of inline Markdown, of at most some hundred characters. */
export function plainText(markdown: string): string {
  // A character that no text has stands for each of them meanwhile.
  const literals: string[] = [];
  const marked = markdown.replaceAll('\uFDD0', '').replace(LITERAL, (_all, _ticks, code, escaped) => {
    literals.push(code === undefined ? escaped : String(code).trim());
    return `\uFDD0${literals.length - 1}\uFDD0`;
  });
  return marked
    .replace(/!?\[\[([^[\]|]{1,300})(?:\|([^[\]]{1,300}))?\]\]/g, (_all, target, label) => label ?? target)
    .replace(/!?\[([^[\]]{0,300})\]\([^()]{0,300}\)/g, '$1')
    .replace(/!?\[([^[\]]{1,300})\]\[[^[\]]{0,300}\]/g, '$1')
    .replace(/<(https?:\/\/[^<>\s]{1,300})>/g, '$1')
    .replace(/<\/?[a-z][^<>]{0,300}>/gi, '')
    .replace(/<!--.{0,300}?-->/g, '')
    .replace(/(\*{1,3})(?=\S)([^*]{1,300})(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_]{1,300})(?<=\S)\1(?![\p{L}\p{N}_])/gu, '$2')
    .replace(/~~([^~]{1,300})~~/g, '$1')
    .replace(/\uFDD0(\d+)\uFDD0/g, (_all, index) => literals[Number(index)] ?? '');
}
