import { configureUnPDF, getDocumentProxy } from 'unpdf';
import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { type Sentence, sentence } from '../../../core/sentence';
import type { ExtractionInput } from '../../extraction/model';
import type { NormalisedDocument } from '../../model';
import { READING_LIMITS } from '../limits';
import { cleanTitle, isoDate, primaryLanguage } from '../plain-lines';
import { hasEmptyPages, hasUntoldCharacters, lacksEastAsianText } from '../remarks';
import { tooLarge, unreadable } from '../unreadable';
import { CharacterTables } from './character-tables';
import { layOut, type Piece } from './layout';
import { readOutline } from './outline';
import { dropRunningLines, type Page } from './running';
import { writeDocument } from './structure';

const OCR = sentence('Run text recognition (OCR) over it, for example with ocrmypdf, and add the PDF that comes out.');
const AGAIN = sentence('Get it again, or open it and print it to a new PDF.');
/** `%%EOF` stands within the last 1,024 bytes (PDF 1.7, implementation note 18); some append more. */
const END_WITHIN = 4_096;
/** Fewer characters in a whole document are a stamp on a scan. */
const LEAST_TEXT = 12;
/** Characters a page: fewer beside fonts that cannot be read are its numbers and the names in it. */
const LEAST_BESIDE = 200;
/** Share of characters that no font tells, from which on it is said, and from which on it is refused. */
const UNTOLD = { said: 0.02, refused: 0.3 };
/** Text that leans further is a stamp across the page or along its edge. */
const LEANING = 0.2;

/** A PDF's text with its lines, paragraphs and headings put together again from where its pieces stand. */
export async function readPdf(
  input: ExtractionInput,
  onPage: (page: number, pages: number) => void,
): Promise<NormalisedDocument> {
  const { bytes, name } = input;
  checkEnd(bytes, name);
  const tables = new CharacterTables();
  const pdf = await open(bytes, name, tables);
  try {
    if (pdf.numPages > READING_LIMITS.pages) {
      const count = pdf.numPages.toLocaleString('en');
      throw tooLarge(name, sentence('it has {0} pages', count), READING_LIMITS.pages.toLocaleString('en'));
    }
    const pages = await readPages(pdf, name, onPage);
    const untold = checkText(pages, name, tables);
    const outline = await readOutline(pdf);
    const empty = pages.filter(({ lines }) => lines.length === 0).map(({ page }) => page);
    dropRunningLines(pages);
    const written = writeDocument(pages, outline);
    const particulars = await readParticulars(pdf);
    const remarks: Sentence[] = [
      ...(tables.missing.size > 0 ? [withoutTables(tables)] : []),
      ...(empty.length > 0 ? [withoutText(empty)] : []),
      ...(untold > UNTOLD.said ? [hasUntoldCharacters()] : []),
    ];
    return {
      format: 'pdf',
      ...written,
      ...particulars,
      title: particulars.title ?? written.title,
      remarks: remarks.map(String),
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** What was cut off may still be read in part; whoever added it would not know. */
function checkEnd(bytes: Uint8Array, name: string): void {
  const end = Buffer.from(
    bytes.buffer,
    bytes.byteOffset + Math.max(0, bytes.length - END_WITHIN),
    Math.min(bytes.length, END_WITHIN),
  );
  if (!end.includes('%%EOF') && !end.includes('startxref')) {
    throw unreadable(
      name,
      sentence('is damaged: its end is missing'),
      sentence('It was not transferred completely: get it again.'),
    );
  }
}

let configured: Promise<void> | undefined;

async function open(bytes: Uint8Array, name: string, tables: CharacterTables): Promise<PDFDocumentProxy> {
  configured ??= configureUnPDF({ pdfjs: () => import('unpdf/pdfjs') });
  await configured;
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      // Nothing of a document is drawn or fetched.
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      maxImageSize: 1,
      verbosity: 0,
      BinaryDataFactory: tables.factory,
    });
  } catch (error) {
    const kind = error instanceof Error ? error.name : '';
    if (kind === 'PasswordException') {
      throw unreadable(
        name,
        sentence('is protected with a password'),
        sentence('Save a copy without one, and add that.'),
        error,
      );
    }
    throw unreadable(name, sentence('is damaged, or is no PDF'), AGAIN, error);
  }
}

async function readPages(
  pdf: PDFDocumentProxy,
  name: string,
  onPage: (page: number, pages: number) => void,
): Promise<Page[]> {
  const pages: Page[] = [];
  let length = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await readPage(pdf, number, name);
    for (const { text } of page.lines) length += text.length + 1;
    if (length > READING_LIMITS.text) {
      throw tooLarge(name, sentence('its text'), sentence('{0} characters', READING_LIMITS.text.toLocaleString('en')));
    }
    pages.push(page);
    onPage(number, pdf.numPages);
  }
  return pages;
}

async function readPage(pdf: PDFDocumentProxy, number: number, name: string): Promise<Page> {
  try {
    const page = await pdf.getPage(number);
    const viewport = page.getViewport({ scale: 1 });
    const { items, styles } = await page.getTextContent({ includeMarkedContent: false });
    const pieces: Piece[] = [];
    let afterBlank = false;
    for (const item of items.slice(0, READING_LIMITS.pagePieces)) {
      if (!('str' in item)) continue;
      const piece = pieceOf(item, viewport.transform, styles, afterBlank);
      if (piece) pieces.push(piece);
      afterBlank = /\s$/.test(item.str) || (item.str === '' ? afterBlank : false);
    }
    page.cleanup();
    return { page: number, height: viewport.height, lines: layOut(pieces) };
  } catch (error) {
    throw unreadable(
      name,
      sentence('is damaged: its page {0} of {1} cannot be read', number, pdf.numPages),
      AGAIN,
      error,
    );
  }
}

function pieceOf(
  item: { str: string; transform: number[]; width: number; fontName: string },
  view: readonly number[],
  styles: Record<string, { fontFamily: string }>,
  afterBlank: boolean,
): Piece | undefined {
  const text = item.str
    // biome-ignore lint/suspicious/noControlCharactersInRegex: fonts without a map give such.
    .replace(/[\0-\x1F\x7F]/g, ' ')
    .replace(/\s+/g, ' ')
    // What stands alone in front of a text in a font without a map is its bullet.
    .replace(/^\s?[\x80-\x9F](?= |$)/, '•')
    .replace(/[\x80-\x9F]/g, '\uFFFD');
  if (text.trim() === '') return undefined;
  const [a, b, c, d, e, f] = multiply(view, item.transform);
  if (Math.abs(b) > LEANING * Math.abs(a)) return undefined;
  return {
    text: text.trim(),
    x: e,
    right: e + item.width,
    y: f,
    size: Math.hypot(c, d) || 1,
    font: item.fontName,
    // A font of which only the bullet is used has one width, and the text behind it comes along.
    isMono: styles[item.fontName]?.fontFamily === 'monospace' && !/^[•●○◦▪■□‣∙·]/u.test(text),
    afterBlank: afterBlank || text.startsWith(' '),
  };
}

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

function multiply(one: readonly number[], other: readonly number[]): Matrix {
  const [a, b, c, d, e, f] = one as Matrix;
  const [k, l, m, n, o, p] = other as Matrix;
  return [a * k + c * l, b * k + d * l, a * m + c * n, b * m + d * n, a * o + c * p + e, b * o + d * p + f];
}

/** The share of characters that cannot be told. Throws where there is no text, or hardly any of it can be told. */
function checkText(pages: readonly Page[], name: string, { missing }: CharacterTables): number {
  let characters = 0;
  let untold = 0;
  for (const { lines } of pages) {
    for (const { text } of lines) {
      characters += text.replace(/\s/g, '').length;
      untold += text.match(/[\uFFFD\uE000-\uF8FF]/g)?.length ?? 0;
    }
  }
  if (missing.size > 0 && characters < LEAST_BESIDE * pages.length) {
    throw unreadable(
      name,
      sentence('has fonts for Chinese, Japanese or Korean that do not say which characters they show'),
      OCR,
    );
  }
  if (characters < LEAST_TEXT) {
    const where =
      pages.length === 1 ? sentence('its page') : sentence('its {0} pages', pages.length.toLocaleString('en'));
    throw unreadable(name, sentence('has no text on {0}: it seems to be scanned', where), OCR);
  }
  if (untold > characters * UNTOLD.refused) {
    throw unreadable(name, sentence('has fonts that do not say which characters they show'), OCR);
  }
  return untold / characters;
}

function withoutTables({ missing }: CharacterTables): Sentence {
  return lacksEastAsianText([...missing].sort().slice(0, 3).join(', '));
}

function withoutText(pages: readonly number[]): Sentence {
  const ranges: string[] = [];
  for (let at = 0; at < pages.length; ) {
    let end = at;
    while (pages[end + 1] === pages[end]! + 1) end++;
    ranges.push(end === at ? `${pages[at]}` : `${pages[at]}–${pages[end]}`);
    at = end + 1;
  }
  const shown = ranges.length > 10 ? [...ranges.slice(0, 10), '…'] : ranges;
  return hasEmptyPages(shown.join(', '), pages.length);
}

async function readParticulars(
  pdf: PDFDocumentProxy,
): Promise<{ title?: string | undefined; publication_date?: string | undefined; language?: string | undefined }> {
  try {
    const { info, metadata } = await pdf.getMetadata();
    const said = info as { Title?: unknown; CreationDate?: unknown; ModDate?: unknown; Language?: unknown };
    const fromXmp = (key: string) => {
      const value: unknown = metadata?.get(key as never);
      return typeof value === 'string' ? value : Array.isArray(value) ? String(value[0] ?? '') : undefined;
    };
    const title = typeof said.Title === 'string' && said.Title.trim() !== '' ? said.Title : fromXmp('dc:title');
    const date = typeof said.CreationDate === 'string' ? said.CreationDate : said.ModDate;
    return {
      title: cleanTitle(title, READING_LIMITS.title),
      publication_date: pdfDate(date) ?? isoDate(fromXmp('xmp:createdate') ?? fromXmp('xmp:modifydate')),
      language: primaryLanguage(typeof said.Language === 'string' ? said.Language : undefined),
    };
  } catch {
    return {};
  }
}

/** `D:20230516120000+02'00'` (PDF 1.7, 7.9.4). */
function pdfDate(date: unknown): string | undefined {
  const match = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?/.exec(typeof date === 'string' ? date : '');
  return match ? isoDate([match[1], match[2], match[3]].filter((part) => part !== undefined).join('-')) : undefined;
}
