import { readForeignHead } from '../../frontmatter';
import type { ExtractionInput } from '../extraction/model';
import type { NormalisedDocument } from '../model';
import { decodeText } from './charset';
import { READING_LIMITS } from './limits';
import { cleanTitle, isoDate, primaryLanguage } from './plain-lines';
import { hasFaultyHead } from './remarks';

const TITLE_KEYS = ['title', 'name'];
const DATE_KEYS = ['publication_date', 'date', 'published', 'pubdate', 'updated', 'last_updated', 'modified'];
const LANGUAGE_KEYS = ['language', 'lang', 'locale'];

/** Markdown and plain text, as they are; front matter becomes metadata and is no part of the text. */
export function readMarkdown(input: ExtractionInput): NormalisedDocument {
  const source = decodeText(input.bytes, { mediaType: input.mediaType });
  const head = readForeignHead(source);
  const value = (keys: readonly string[]) => {
    for (const key of keys) {
      const found = head?.values.get(key);
      if (typeof found === 'string' && found.trim() !== '') return found;
    }
    return undefined;
  };
  const text = head && head.faults.length === 0 ? source.slice(head.contentStart) : source;
  return {
    format: 'markdown',
    title: cleanTitle(value(TITLE_KEYS), READING_LIMITS.title),
    text: text.replace(/^(?:[^\S\n]*\n)+/, ''),
    pages: [],
    outline: [],
    version: value(['version'])?.slice(0, 100),
    publication_date: isoDate(value(DATE_KEYS)),
    language: primaryLanguage(value(LANGUAGE_KEYS)),
    remarks: head && head.faults.length > 0 ? [String(hasFaultyHead())] : [],
  };
}
