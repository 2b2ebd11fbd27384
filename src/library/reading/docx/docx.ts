import mammoth from 'mammoth';
import { KaizenError } from '../../../core/errors';
import { sentence } from '../../../core/sentence';
import type { ExtractionInput } from '../../extraction/model';
import type { NormalisedDocument } from '../../model';
import { parsePage } from '../html/dom';
import { toMarkdown } from '../html/to-markdown';
import { READING_LIMITS } from '../limits';
import { cleanTitle, isoDate, primaryLanguage } from '../plain-lines';
import { hasPictures } from '../remarks';
import { unreadable } from '../unreadable';
import { checkEntries, listEntries, readEntry, type ZipEntry } from '../zip';
import { NUMBER_STYLE } from './numbered-document';
import { type Parts, partsOf } from './parts';
import { NUMBER_CLASS, placeNotes, placeNumbers } from './placing';

/** Levels beyond HTML's six, and what Word does not call a heading. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Heading 7'] => h6:fresh",
  "p[style-name='Heading 8'] => h6:fresh",
  "p[style-name='Heading 9'] => h6:fresh",
  "p[style-name='Preformatted Text'] => pre:separator('\n')",
  "p[style-name='Source Code'] => pre:separator('\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\n')",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "r[style-name='Verbatim Char'] => code",
  `r.${NUMBER_STYLE} => span.${NUMBER_CLASS}`,
];
const MOST_PROPERTIES = 1024 * 1024;

/** A Word document: its headings, lists and tables as Markdown, with the numbers that Word shows; pictures leave their descriptions. */
export async function readDocx(input: ExtractionInput): Promise<NormalisedDocument> {
  const { bytes, name } = input;
  const entries = listEntries(bytes, name);
  checkEntries(bytes, entries, name);
  const properties = readProperties(bytes, entries, name);
  const { html, remarks } = await convert(partsOf(bytes, entries, name), name);
  const document = parsePage(html, name);
  placeNotes(document);
  placeNumbers(document);
  const text = toMarkdown(document.body, document);
  if (text === '') {
    throw unreadable(
      name,
      sentence('has no text'),
      sentence(
        'If it shows pictures of pages, run text recognition (OCR) over it, for example with ocrmypdf, and add the PDF that comes out.',
      ),
    );
  }
  return {
    format: 'docx',
    title: cleanTitle(properties('dc:title'), READING_LIMITS.title),
    text,
    pages: [],
    outline: [],
    version: properties('cp:version')?.slice(0, 100),
    publication_date: isoDate(properties('dcterms:modified') ?? properties('dcterms:created')),
    language: primaryLanguage(properties('dc:language')),
    remarks,
  };
}

async function convert(parts: Parts, name: string): Promise<{ html: string; remarks: string[] }> {
  let pictures = 0;
  // Mammoth would unpack them to put them into the page.
  const convertImage = mammoth.images.imgElement(async () => {
    pictures++;
    return { src: '' };
  });
  try {
    const options = { styleMap: STYLES, convertImage, externalFileAccess: false, includeEmbeddedStyleMap: false };
    // Its types know archives only; what it reads of one are parts by their paths.
    const { value } = await mammoth.convertToHtml({ file: parts } as never, options);
    return { html: value, remarks: pictures === 0 ? [] : [String(hasPictures(pictures))] };
  } catch (error) {
    if (error instanceof KaizenError) throw error;
    throw unreadable(
      name,
      sentence('is damaged: its parts are not what Word writes'),
      sentence('Open and save it with Word or LibreOffice.'),
      error,
    );
  }
}

/** Of `docProps/core.xml` (ECMA-376, part 2, 11). */
function readProperties(
  bytes: Uint8Array,
  entries: readonly ZipEntry[],
  name: string,
): (property: string) => string | undefined {
  const entry = entries.find((each) => each.name === 'docProps/core.xml');
  const xml =
    entry && entry.unpacked <= MOST_PROPERTIES ? readEntry(bytes, entry, MOST_PROPERTIES, name).toString('utf8') : '';
  return (property) => {
    const content = new RegExp(`<${property}(?:\\s[^>]*)?>([^<]{1,2000})</${property}>`).exec(xml)?.[1]?.trim();
    return content ? decodeEntities(content) : undefined;
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (_all, decimal, hex, named) => {
    if (named) return ENTITIES[named.toLowerCase()]!;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
