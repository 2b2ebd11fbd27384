/** Where the parts of a document lie. Offsets are UTF-16 code units. */
export interface Head {
  /** The YAML between the two lines of dashes. */
  start: number;
  end: number;
  contentStart: number;
  /** What stands right behind the first dashes, as in `---js`. */
  language: string;
  /** Whether the second line of dashes is there. */
  closed: boolean;
}

const OPENING = /^\uFEFF?---([A-Za-z][\w+.-]{0,50})?[ \t]*(?:\r?\n|$)/;

/**
 * Finds the front matter: the first line is `---`, and the next line that is `---` alone closes it. Undefined when the
 * text has none. Takes time in proportion to the front matter.
 */
export function findHead(text: string): Head | undefined {
  const opening = OPENING.exec(text);
  if (!opening) return undefined;
  const language = opening[1] ?? '';
  const start = opening[0].length;
  for (let at = start; at <= text.length && at !== 0; at = text.indexOf('\n', at) + 1) {
    if (!text.startsWith('---', at)) continue;
    const behind = endOfBlanks(text, at + 3);
    const lineEnd = text.startsWith('\r\n', behind) ? behind + 2 : text[behind] === '\n' ? behind + 1 : behind;
    if (lineEnd === behind && behind !== text.length) continue;
    return { start, end: at, contentStart: lineEnd, language, closed: true };
  }
  const contentStart = text.startsWith('\uFEFF') ? 1 : 0;
  return { start, end: text.length, contentStart, language, closed: false };
}

/** Whether a text alone could be taken for a document with front matter, or would lose its byte order mark. */
export function looksLikeHead(content: string): boolean {
  return content.startsWith('---') || content.startsWith('\uFEFF');
}

function endOfBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}
