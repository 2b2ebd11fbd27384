import type { NoteHeading, ParsedNote } from '../../notes';

/** The heading that `#section` of a link names: by its text, or as addresses of headings are made of it. */
export function findSection<T extends Pick<NoteHeading, 'title'>>(
  headings: readonly T[],
  section: string,
): T | undefined {
  const wanted = section.trim().normalize('NFC').toLowerCase();
  return (
    headings.find(({ title }) => title.normalize('NFC').toLowerCase() === wanted) ??
    headings.find(({ title }) => slug(title) === slug(wanted))
  );
}

/** From its heading to the next one of its level or above. */
export function sectionRange(
  text: string,
  { headings }: Pick<ParsedNote, 'headings'>,
  section: string,
): { start: number; end: number } | undefined {
  const heading = findSection(headings, section);
  if (!heading) return undefined;
  const next = headings.find(({ line, level }) => line > heading.line && level <= heading.level);
  return { start: startOfLine(text, heading.line), end: next ? startOfLine(text, next.line) : text.length };
}

function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 0; passed < line; passed++) {
    const next = text.indexOf('\n', at);
    if (next === -1) return text.length;
    at = next + 1;
  }
  return at;
}

function slug(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
