import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isKaizenError, KaizenError } from '../core/errors';
import { type FolderOptions, readFolder } from './markdown-folder';
import { DEFINITIONS_FILE, type FileNote, MARKDOWN, type TextFile } from './markdown-format';
import { type MarkdownOptions, readMarkdown, tellPlaces } from './markdown-read';
import { parseLinesInTurns } from './parse';
import type { ParsedRecord } from './records';
import type { OpeningOptions, RuleKind, RulesSource } from './rules';

/** What an import reads as it is: an export file, or Markdown as a file or a folder. */
export type RecordSource =
  | { kind: 'lines'; name: string; text: string }
  | {
      kind: 'markdown';
      name: string;
      files: TextFile[];
      notes: FileNote[] /** Whether it says its scopes itself. */;
      isOwn: boolean;
    };

/** What an import reads; what other tools keep (`./rules`) becomes entries that a person looks through first. */
export type Source = RecordSource | RulesSource;

/** Whose files a folder or file holds, where it is said and not found out; `markdown`: notes, whatever they are called. */
export type SourceKind = RuleKind | 'markdown';

export interface SourceRecords {
  records: ParsedRecord[];
  notes: FileNote[];
  /** Names files and lines in an error that speaks of the records' lines. */
  tell(error: unknown): unknown;
}

/** Longer texts are no string of this runtime. */
const MAX_BYTES = 500_000_000;

/**
 * Told by what it is: a folder that export wrote; files that other tools keep, by their names; else a folder of Markdown,
 * a file that ends in `.md`, or any other file, which is one that export wrote unless its lines are another tool's.
 */
export async function openSource(
  file: string,
  { from, ...options }: FolderOptions & { from?: SourceKind | undefined } = {},
): Promise<Source> {
  const found = await stat(file);
  const name = path.basename(path.resolve(file));
  const isOwn = found.isDirectory() && (await exists(path.join(file, DEFINITIONS_FILE)));
  if (
    from !== undefined ? from !== 'markdown' : !isOwn && (found.isDirectory() || MARKDOWN.test(file) || !isLines(file))
  ) {
    const opening: OpeningOptions = { ...options, from: from === 'markdown' ? undefined : from };
    const { openRules } = await import('./rules');
    const rules = await openRules(file, opening);
    if (rules) return rules;
  }
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
  if (!MARKDOWN.test(file) && from !== 'markdown') return sourceOfText(file, text);
  return { kind: 'markdown', name, files: [{ path: name, text }], notes: [], isOwn: false };
}

/** The lines of a file that export wrote, or those of another tool. */
export async function sourceOfText(name: string, text: string, from?: RuleKind): Promise<Source> {
  const isOwn = /^\uFEFF?\s*\{\s*"type"\s*:\s*"kaizen"/.test(text);
  const kind = from ?? (isOwn ? undefined : (await import('./rules')).dataKind(text));
  if (kind === undefined) return { kind: 'lines', name, text };
  const shown = name === '-' ? 'standard input' : path.basename(path.resolve(name));
  return { kind: 'rules', name: shown, files: [{ path: shown, kind, text, folder: '' }], notes: [] };
}

/** Whether a file's name says that it holds lines: they are looked at once they are read. */
function isLines(file: string): boolean {
  return /\.(?:jsonl?|ndjson)$/i.test(file) && !/(?:^|[\\/])memory\.jsonl?$/i.test(file);
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/**
 * The records of a source, checked as far as they can be without the stores. Throws a KaizenError that names the place,
 * and `invalid_argument` for what other tools keep: that is read by `readRules` and looked through first.
 */
export async function readSource(source: Source, options: MarkdownOptions): Promise<SourceRecords> {
  if (source.kind === 'rules') {
    throw new KaizenError('invalid_argument', `What ${source.name} holds is to be looked through before it is stored.`);
  }
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
