/**
 * Text of a source that is no Markdown, one line of it, so that Markdown does not take its beginning for a mark. Nothing else
 * is escaped: words are searched for as they stand.
 */
export function escapeLine(line: string): string {
  return line.replace(/^(\s{0,3})(#{1,6}(?=\s|$)|>|[-+*](?=\s)|`{3,}|~{3,}|={2,}\s*$|-{2,}\s*$|\|)/, '$1\\$2');
}

/** No blanks at line ends, at most one empty line in a row, none at the beginning; ends with a line break unless empty. */
export function tidy(text: string): string {
  const tidied = text
    .replace(/(?<![^\S\n])[^\S\n]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
  return tidied === '' ? '' : `${tidied}\n`;
}

/** A title in one line, within its limit; undefined for what programs put there when nobody gave one. */
export function cleanTitle(title: string | undefined, most: number): string | undefined {
  const line = title
    ?.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .replace(/^Microsoft (?:Word|PowerPoint) - /, '');
  if (
    !line ||
    /^(untitled|document\s?\d*|unbenannt|\(anonymous\)|.{0,200}\.(docx?|tex|dvi|indd|odt|pages))$/i.test(line)
  ) {
    return undefined;
  }
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/\p{Cs}$/u, '')}…`;
}

/** `2023-05-16`, `2023-05` or `2023` of what begins with one; undefined where there is none that can be. */
export function isoDate(text: string | undefined): string | undefined {
  const match = /^\s*(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?!\d)/.exec(text ?? '');
  if (!match) return undefined;
  const [, year, month, day] = match;
  if (Number(year) < 1450 || Number(year) > 2200) return undefined;
  if (month === undefined || Number(month) < 1 || Number(month) > 12) return year;
  if (day === undefined || Number(day) < 1 || Number(day) > 31) return `${year}-${month}`;
  return `${year}-${month}-${day}`;
}

/** Primary subtag of a BCP 47 tag. */
export function primaryLanguage(tag: string | undefined | null): string | undefined {
  return /^([a-z]{2,3})(?:[-_]|$)/i.exec(tag?.trim() ?? '')?.[1]?.toLowerCase();
}
