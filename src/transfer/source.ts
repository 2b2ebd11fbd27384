import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isKaizenError, KaizenError } from '../core/errors';
import { type FolderOptions, readFolder } from './markdown-folder';
import { DEFINITIONS_FILE, type FileNote, MARKDOWN, type TextFile } from './markdown-format';
import { type MarkdownOptions, readMarkdown, tellPlaces } from './markdown-read';
import { parseLinesInTurns } from './parse';
import type { ParsedRecord } from './records';

/** What an import reads: an export file, or Markdown as a file or a folder. */
export type Source =
  | { kind: 'lines'; name: string; text: string }
  | {
      kind: 'markdown';
      name: string;
      files: TextFile[];
      notes: FileNote[] /** Whether it says its scopes itself. */;
      isOwn: boolean;
    };

export interface SourceRecords {
  records: ParsedRecord[];
  notes: FileNote[];
  /** Names files and lines in an error that speaks of the records' lines. */
  tell(error: unknown): unknown;
}

/** Longer texts are no string of this runtime. */
const MAX_BYTES = 500_000_000;

/** Told by what it is: a folder, a file that ends in `.md`, or any other file, which is one that export wrote. */
export async function openSource(file: string, options: FolderOptions = {}): Promise<Source> {
  const found = await stat(file);
  const name = path.basename(path.resolve(file));
  if (found.isDirectory()) {
    const { files, notes } = await readFolder(file, options);
    if (files.length === 0) {
      throw new KaizenError(
        'invalid_argument',
        `There are no Markdown files in ${file}.`,
        'Choose a folder of .md files.',
      );
    }
    return { kind: 'markdown', name, files, notes, isOwn: files.some((each) => each.path === DEFINITIONS_FILE) };
  }
  if (found.size > MAX_BYTES) throw new KaizenError('invalid_argument', `${file} is too large to be read.`);
  const bytes = await readFile(file);
  if (!isUtf8(bytes)) {
    throw new KaizenError('invalid_argument', `${file} is not UTF-8 text.`, 'Save it in UTF-8 and try again.');
  }
  const text = bytes.toString('utf8');
  if (!MARKDOWN.test(file)) return { kind: 'lines', name: file, text };
  return { kind: 'markdown', name, files: [{ path: name, text }], notes: [], isOwn: false };
}

/** The records of a source, checked as far as they can be without the stores. Throws a KaizenError that names the place. */
export async function readSource(source: Source, options: MarkdownOptions): Promise<SourceRecords> {
  if (source.kind === 'markdown') {
    const { records, places, notes } = await readMarkdown(source.files, options);
    return { records, notes: [...source.notes, ...notes], tell: (error) => tellPlaces(error, places) };
  }
  const tell = (error: unknown) => inFile(error, source.name);
  try {
    return { records: await parseLinesInTurns(source.text, options, options.signal), notes: [], tell };
  } catch (error) {
    throw tell(error);
  }
}

/** A problem with a line is told with the file's name before it. */
function inFile(error: unknown, name: string): unknown {
  if (name === '-' || !isKaizenError(error) || !error.message.startsWith('line ')) return error;
  return new KaizenError(error.code, `${name}, ${error.message}`, error.hint, { cause: error });
}
