import { type Sentence, sentence } from '../../core/sentence';
import type { ExtractionInput } from '../extraction/model';
import type { SourceFormat } from '../model';
import { FORMAT_NAMES, isOtherThanSaid } from './remarks';
import { unreadable } from './unreadable';
import { listEntries, looksLikeZip } from './zip';

/** What a source is, and what was said of it that is not so. */
export interface Detected {
  format: SourceFormat;
  remark?: Sentence | undefined;
}

const ENDINGS: Readonly<Record<string, SourceFormat>> = {
  pdf: 'pdf',
  docx: 'docx',
  docm: 'docx',
  html: 'web',
  htm: 'web',
  xhtml: 'web',
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  mdc: 'markdown',
  txt: 'markdown',
  text: 'markdown',
};

/** What is known by its first bytes and not read: what it is, and what to do. */
const FOREIGN: readonly (readonly [signature: string, what: Sentence, hint: string])[] = [
  ['\x89PNG', sentence('an image'), 'ocr'],
  ['\xFF\xD8\xFF', sentence('an image'), 'ocr'],
  ['GIF8', sentence('an image'), 'ocr'],
  ['II*\0', sentence('an image'), 'ocr'],
  ['MM\0*', sentence('an image'), 'ocr'],
  ['BM', sentence('an image'), 'ocr'],
  ['{\\rtf', sentence('a document in Rich Text Format'), 'docx'],
  ['%!PS', sentence('PostScript'), 'pdf'],
  ['Rar!', sentence('an archive'), 'unpack'],
  ['7z\xBC\xAF', sentence('an archive'), 'unpack'],
  ['\x1F\x8B', sentence('a compressed file'), 'unpack'],
  ['BZh', sentence('a compressed file'), 'unpack'],
];

const HINTS: Readonly<Record<string, Sentence>> = {
  ocr: sentence('Run text recognition (OCR) over it, for example with ocrmypdf, and add the PDF that comes out.'),
  docx: sentence('Save it as .docx or PDF, and add that.'),
  pdf: sentence('Convert it to PDF, and add that.'),
  unpack: sentence('Unpack it, and add the documents in it.'),
  other: sentence('PDF, Word (.docx), web pages, Markdown and plain text are read: convert it to one of them.'),
};

const OLE = '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1';
/** As far as `%PDF-` may stand from the beginning (PDF 1.7, implementation note 13). */
const PDF_WITHIN = 1_024;
const LOOKED_AT = 4_096;

/** Tells by the bytes first, then by name and media type. Throws `unreadable_source` for what is not read. */
export function detect(input: ExtractionInput): Detected {
  const { bytes, name } = input;
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LOOKED_AT)).toString('latin1');
  const told = byBytes(input, beginning);
  const said = input.format ?? bySaid(input);
  if (told) {
    if (said === undefined || said === told) return { format: told };
    // Pages are text too: whoever says that it is Markdown is right as far as that goes.
    if (told === 'web' && input.format === 'markdown') return { format: 'markdown' };
    return { format: told, remark: isOtherThanSaid(said, told) };
  }
  if (isBinary(beginning)) {
    if (said === 'pdf' || said === 'docx') throw notWhatItSays(name, said);
    throw unreadable(name, sentence('is in a format that is not read'), HINTS.other!);
  }
  if (said === 'pdf' || said === 'docx') {
    return { format: 'markdown', remark: isOtherThanSaid(said, 'markdown') };
  }
  return { format: said ?? 'markdown' };
}

function byBytes({ bytes, name }: ExtractionInput, beginning: string): SourceFormat | undefined {
  if (beginning.slice(0, PDF_WITHIN).includes('%PDF-')) return 'pdf';
  if (looksLikeZip(bytes)) return byEntries(bytes, name);
  if (beginning.startsWith(OLE)) throw oldOffice(bytes, name);
  const foreign = FOREIGN.find(([signature]) => beginning.startsWith(signature));
  // Two letters may begin a text as well.
  if (foreign && (foreign[0] !== 'BM' || isBinary(beginning))) {
    throw unreadable(name, sentence('is {0}, which is not read', foreign[1]), HINTS[foreign[2]]!);
  }
  const text = beginning
    .replace(/^(\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)/, '')
    .replaceAll('\0', '')
    .trimStart();
  if (/^<(!doctype\s+html|html[\s>]|head[\s>]|body[\s>])/i.test(text)) return 'web';
  if (/^(<\?xml[^>]*>|<!--[^>]*>|\s)+<(!doctype\s+html|html[\s>])/i.test(text)) return 'web';
  return undefined;
}

function byEntries(bytes: Uint8Array, name: string): SourceFormat {
  const names = new Set(listEntries(bytes, name).map((entry) => entry.name));
  if (names.has('word/document.xml') || (names.has('[Content_Types].xml') && hasFolder(names, 'word/'))) return 'docx';
  if (hasFolder(names, 'xl/'))
    throw unreadable(name, sentence('is a workbook, which is not read'), sentence('Save its sheets as text or PDF.'));
  if (hasFolder(names, 'ppt/'))
    throw unreadable(name, sentence('is a presentation, which is not read'), sentence('Save it as PDF.'));
  if (names.has('META-INF/container.xml')) {
    throw unreadable(name, sentence('is an e-book (EPUB), which is not read'), sentence('Convert it to PDF or .docx.'));
  }
  if (names.has('mimetype') && names.has('content.xml')) {
    throw unreadable(
      name,
      sentence('is an OpenDocument file, which is not read'),
      sentence('Save it as .docx or PDF.'),
    );
  }
  throw unreadable(name, sentence('is a zip archive and no document'), HINTS.unpack!);
}

function hasFolder(names: ReadonlySet<string>, folder: string): boolean {
  for (const name of names) if (name.startsWith(folder)) return true;
  return false;
}

/** The container of Word before 2007, and of what Office encrypts. */
function oldOffice(bytes: Uint8Array, name: string): Error {
  const encrypted = Buffer.from('EncryptedPackage', 'utf16le');
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(encrypted)) {
    return unreadable(name, sentence('is protected with a password'), sentence('Save it without one, and add that.'));
  }
  return unreadable(name, sentence('is a document of an old Office (.doc, .xls, .ppt)'), HINTS.docx!);
}

function bySaid({ name, mediaType }: ExtractionInput): SourceFormat | undefined {
  const type = mediaType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/pdf') return 'pdf';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'web';
  if (type === 'text/markdown' || type === 'text/plain') return 'markdown';
  if (type?.startsWith('application/vnd.openxmlformats-officedocument.wordprocessingml')) return 'docx';
  return ENDINGS[/\.([a-z]{2,8})(?:[?#].*)?$/i.exec(name)?.[1]?.toLowerCase() ?? ''];
}

function notWhatItSays(name: string, said: SourceFormat): Error {
  return unreadable(
    name,
    sentence('is not {0}, or its beginning is damaged', FORMAT_NAMES[said]),
    sentence('Get it again, and open it to see what it is.'),
  );
}

/** Control characters that no text has; UTF-16 has NULs and a mark in front. */
function isBinary(beginning: string): boolean {
  if (/^(\xFF\xFE|\xFE\xFF)/.test(beginning)) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  const controls = beginning.match(/[\0-\x08\x0E-\x1A\x1C-\x1F\x7F]/g)?.length ?? 0;
  return controls > 0 && (beginning.includes('\0') || controls > beginning.length / 100);
}
