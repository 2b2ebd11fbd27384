import { type FrontMatterFault, fault } from './faults';
import { readYaml } from './read-yaml';
import { findHead, looksLikeHead } from './split';
import { writeYaml } from './write-yaml';

/** An entry as a Markdown document: metaknowledge as YAML front matter, then the content, byte for byte. */
export interface EntryText {
  metaknowledge: Record<string, string>;
  content: string;
  /** Where the content begins in the text. */
  contentStart: number;
  /** Empty when all of it could be read and nothing would be lost by keeping it. */
  faults: FrontMatterFault[];
}

/** As much as the largest metaknowledge needs when each of its characters has to be written as six. */
const MAX_HEAD = 4_000_000;

/**
 * Reads the document of an entry. Never throws: what is wrong with the front matter is in `faults`, each with its place,
 * and the content is whole in any case. Whether names and lengths are those of an entry is the store's to say.
 */
export function parseEntryText(text: string): EntryText {
  const head = findHead(text);
  if (!head) {
    const contentStart = text.startsWith('\uFEFF') ? 1 : 0;
    return { metaknowledge: {}, content: text.slice(contentStart), contentStart, faults: [] };
  }
  const { start, end, contentStart, language, closed } = head;
  const refused = (
    code: 'unclosed' | 'language' | 'too_long',
    range: [number, number],
    detail?: string,
  ): EntryText => ({
    metaknowledge: {},
    content: text.slice(contentStart),
    contentStart,
    faults: [fault(code, ...range, detail)],
  });
  const dashes = text.startsWith('\uFEFF') ? 1 : 0;
  if (language && !/^ya?ml$/i.test(language))
    return refused('language', [dashes + 3, dashes + 3 + language.length], language);
  if (!closed) return refused('unclosed', [dashes, dashes + 3]);
  if (end - start > MAX_HEAD) return refused('too_long', [dashes, dashes + 3]);
  return { ...readYaml(text.slice(start, end), start), content: text.slice(contentStart), contentStart };
}

/**
 * The document of an entry; without metaknowledge it is the content alone, unless that could be taken for front matter.
 * The front matter's lines end as the content's first line does. `parseEntryText` gives back exactly what went in.
 */
export function formatEntryText({ metaknowledge, content }: Pick<EntryText, 'metaknowledge' | 'content'>): string {
  const head = writeYaml(metaknowledge);
  if (head === '' && !looksLikeHead(content)) return content;
  const lines = `---\n${head}---\n`;
  return (/^[^\n]*\r\n/.test(content) ? lines.replaceAll('\n', '\r\n') : lines) + content;
}
