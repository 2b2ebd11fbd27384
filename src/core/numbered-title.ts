/** A section's title with its number in front, unless it begins with it: `6.4 Title` and `Annex A` do, `3.10 Design` does not
 * name 3.1. */
export function numberedTitle(title: string, number: string | undefined): string {
  return number === undefined || number === '' || names(title, number) ? title.trim() : `${number} ${title}`.trim();
}

function names(title: string, number: string): boolean {
  const word = /^\p{L}+\s+/u.exec(title)?.[0] ?? '';
  return [title, title.slice(word.length)].some(
    (text) => text.startsWith(number) && !/^\.?[\p{L}\p{N}]/u.test(text.slice(number.length)),
  );
}
