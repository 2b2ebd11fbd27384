import { sentence } from '../../core/sentence';
import { atOnce } from '../../core/turns';
import { scanBlocks, titleOf } from '../../markdown';
import type { ExtractionInput } from '../extraction/model';
import type { NormalisedDocument } from '../model';
import { detect } from './detecting';
import { readDocx } from './docx/docx';
import { readPage } from './html/page';
import { READING_LIMITS } from './limits';
import { readMarkdown } from './markdown';
import { readPdf } from './pdf/pdf';
import { cleanTitle } from './plain-lines';
import { tooLarge, unreadable } from './unreadable';

export { READING_LIMITS } from './limits';

const MEGABYTE = 1024 * 1024;
/** A title stands in the beginning of a text. */
const TITLE_WITHIN = 20_000;

/**
 * Reads a source's bytes as what they are, whatever they are called: the bytes tell first, then name and media type. Nothing
 * in it is run or fetched. `onPage` is called after each page of a PDF, otherwise once.
 * Throws `unreadable_source`: empty, too large (`READING_LIMITS`), damaged, scanned, protected, or of a format that is not read.
 */
export async function readSource(
  input: ExtractionInput,
  onPage: (page: number, pages: number) => void,
): Promise<NormalisedDocument> {
  const { bytes, name } = input;
  if (bytes.length === 0) throw unreadable(name, sentence('is empty'), sentence('There is nothing to read in it.'));
  const largest = Math.max(...Object.values(READING_LIMITS.bytes));
  if (bytes.length > largest) throw overBytes(input, largest);
  const { format, remark } = detect(input);
  if (bytes.length > READING_LIMITS.bytes[format]) throw overBytes(input, READING_LIMITS.bytes[format]);
  const document = await readAs(format, input, onPage);
  if (document.text.trim() === '') throw unreadable(name, sentence('is empty'), sentence('There is no text in it.'));
  if (document.text.length > READING_LIMITS.text) {
    throw tooLarge(name, sentence('its text'), sentence('{0} characters', READING_LIMITS.text.toLocaleString('en')));
  }
  if (format !== 'pdf') onPage(1, 1);
  const remarks = remark ? [String(remark), ...document.remarks] : document.remarks;
  return { ...document, title: document.title ?? firstHeading(document.text), remarks };
}

async function readAs(
  format: NormalisedDocument['format'],
  input: ExtractionInput,
  onPage: (page: number, pages: number) => void,
): Promise<NormalisedDocument> {
  try {
    if (format === 'pdf') return await readPdf(input, onPage);
    if (format === 'docx') return await readDocx(input);
    return format === 'web' ? readPage(input) : readMarkdown(input);
  } catch (error) {
    // Parsers go down into what is nested by recursion.
    if (!(error instanceof RangeError)) throw error;
    throw unreadable(
      input.name,
      sentence('is nested too deeply'),
      sentence('Save it as PDF or text, and add that.'),
      error,
    );
  }
}

function overBytes({ bytes, name }: ExtractionInput, most: number): Error {
  return tooLarge(name, sentence('it has {0} MB', Math.ceil(bytes.length / MEGABYTE)), `${most / MEGABYTE} MB`);
}

function firstHeading(text: string): string | undefined {
  const beginning = text.slice(0, TITLE_WITHIN);
  const { headings } = atOnce(scanBlocks(beginning, 0, 0));
  const heading = headings.find(({ level }) => level === 1) ?? headings[0];
  return heading && cleanTitle(titleOf(beginning.slice(heading.textStart, heading.textEnd)), READING_LIMITS.title);
}
