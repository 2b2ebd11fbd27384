/**
 * Stored texts on their way into a prompt or a dialog: on one line, between quotation marks, so that none of them can
 * pass for a line of Kaizen's own.
 */

/** Line breaks, control characters, and characters that show nothing or change the direction of what stands beside them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** The text on one line without control characters, at most `most` characters (UTF-16 code units). */
export function plain(text: string, most: number): string {
  // What is far beyond the limit need not be looked through.
  const line = text
    .slice(0, most * 4)
    .replace(UNSEEN, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= most) return line;
  // Never half of a surrogate pair.
  return `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** As `plain`, between quotation marks; such marks inside become single ones. */
export function quoted(text: string, most: number): string {
  return `"${plain(text, most).replace(/["“”„]/g, "'")}"`;
}

/** As `quoted`, as a sentence: with a full stop behind it, unless the text has brought its own. */
export function quotedSentence(text: string, most: number): string {
  const quote = quoted(text, most);
  return /[.!?…]"$/.test(quote) ? quote : `${quote}.`;
}
