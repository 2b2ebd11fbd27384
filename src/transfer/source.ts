import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isKaizenError, KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { textOf } from './decoding';
import { type FolderOptions, readFolder } from './markdown-folder';
import { DEFINITIONS_FILE, type FileNote, MARKDOWN, type TextFile } from './markdown-format';
import { type MarkdownOptions, readMarkdown, tellPlaces } from './markdown-read';
import { parseLinesInTurns } from './parse';
import type { ParsedRecord } from './records';
import type { RuleKind, RulesSource } from './rules';

/** What an import reads as it is: a file or a folder that export wrote. */
type OwnSource =
  | { kind: 'lines'; name: string; text: string }
  | { kind: 'markdown'; name: string; files: TextFile[]; notes: FileNote[] };

/** What an import reads; what is from elsewhere (`./rules`) becomes entries that a person looks through first. */
export type Source = OwnSource | RulesSource;

export interface SourceOptions extends FolderOptions {
  /** Whose files a folder or file holds, where it is said and not found out. */
  from?: RuleKind | undefined;
  /** Where notes go that stand in no folder; `notes` unless told. */
  category?: string | undefined;
}

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
export async function openSource(file: string, { from, category, ...options }: SourceOptions = {}): Promise<Source> {
  const found = await stat(file);
  const name = path.basename(path.resolve(file));
  const isOwn = found.isDirectory() && (await exists(path.join(file, DEFINITIONS_FILE)));
  if (
    from !== undefined ? from !== 'markdown' : !isOwn && (found.isDirectory() || MARKDOWN.test(file) || !isLines(file))
  ) {
    const { openRules } = await import('./rules');
    const rules = await openRules(file, { ...options, from });
    if (rules) return rules;
  }
  if (found.isDirectory()) {
    const { files, notes } = await readFolder(file, options);
    if (files.length === 0) {
      throw new KaizenError(
        'invalid_argument',
        sentence('There are no Markdown files in {0}.', file),
        sentence('Choose a folder of .md files.'),
      );
    }
    const isWritten = files.some((each) => each.path === DEFINITIONS_FILE);
    return isWritten ? { kind: 'markdown', name, files, notes } : notesSource(name, files, notes, category);
  }
  if (found.size > MAX_BYTES) throw new KaizenError('invalid_argument', sentence('{0} is too large to be read.', file));
  const text = textOf(await readFile(file));
  if (text === undefined) {
    throw new KaizenError(
      'invalid_argument',
      sentence('{0} is not UTF-8 text.', file),
      sentence('Save it in UTF-8 and try again.'),
    );
  }
  if (!MARKDOWN.test(file) && from !== 'markdown') return sourceOfText(file, text, { category });
  return notesSource(name, [{ path: name, text }], [], category);
}

function notesSource(
  name: string,
  files: readonly TextFile[],
  notes: FileNote[],
  category: string | undefined,
): RulesSource {
  return {
    kind: 'rules',
    name,
    files: files.map((file) => ({ ...file, kind: 'markdown', folders: [''] })),
    notes,
    category,
  };
}

/**
 * The lines of a file that export wrote, or those of another tool. Throws `invalid_argument` for more than another tool's
 * file may have.
 */
export async function sourceOfText(
  name: string,
  text: string,
  { from, category }: Pick<SourceOptions, 'from' | 'category'> = {},
): Promise<Source> {
  const isOwn = from === undefined && /^\uFEFF?\s*\{\s*"type"\s*:\s*"kaizen"/.test(text);
  if (isOwn) return { kind: 'lines', name, text };
  const { dataKind, mostBytesOf } = await import('./rules');
  const kind = from ?? dataKind(text);
  if (kind === undefined) return { kind: 'lines', name, text };
  const shown = name === '-' ? 'standard input' : path.basename(path.resolve(name));
  const most = mostBytesOf(kind);
  // A note may be of any length: it is cut into entries.
  if (kind !== 'markdown' && Buffer.byteLength(text) > most) {
    throw new KaizenError(
      'invalid_argument',
      sentence('{0} is too large: what other tools keep may have {1} MB.', shown, most / 1_000_000),
      sentence('Import it in parts.'),
    );
  }
  return { kind: 'rules', name: shown, files: [{ path: shown, kind, text, folders: [''] }], notes: [], category };
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
    throw new KaizenError(
      'invalid_argument',
      sentence('What {0} holds is to be looked through before it is stored.', source.name),
    );
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
  const [said = error.message, hint] = error.said;
  return new KaizenError(error.code, sentence('{0}, {1}', name, said), hint, { cause: error });
}
