import { lstat, mkdir, opendir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KaizenError } from '../core/errors';
import { type Sentence, sentence } from '../core/sentence';
import { compareText } from '../core/text';
import { textOf } from './decoding';
import { DEFINITIONS_FILE, type FileNote, MARKDOWN, type TextFile } from './markdown-format';

/** Far beyond what anybody keeps by hand, and what a computer reads in seconds. */
export const FOLDER_LIMITS = { files: 20_000, fileBytes: 1_000_000, totalBytes: 200_000_000, depth: 20 } as const;

export interface FolderReading {
  /** Sorted by path. */
  files: TextFile[];
  notes: FileNote[];
}

export interface FolderOptions {
  signal?: AbortSignal | undefined;
  /** Told of how many files there are and have been read. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * The Markdown files of a folder and the folders in it. Links are not followed, so that nothing outside of it is read;
 * names that begin with a dot are passed over. Throws `invalid_argument` when there are too many.
 */
export async function readFolder(folder: string, { signal, onProgress }: FolderOptions = {}): Promise<FolderReading> {
  const notes: FileNote[] = [];
  const paths: string[] = [];
  await walk(folder, '', 0, paths, notes, signal);
  paths.sort(compareText);
  const files: TextFile[] = [];
  let total = 0;
  for (const [index, each] of paths.entries()) {
    signal?.throwIfAborted();
    onProgress?.(index, paths.length);
    const full = path.join(folder, each);
    const { size } = await lstat(full);
    total += size;
    if (total > FOLDER_LIMITS.totalBytes) throw tooMuch(sentence('The files are too large together.'));
    const bytes = size > FOLDER_LIMITS.fileBytes ? undefined : await readFile(full);
    const text = bytes && textOf(bytes);
    if (!bytes) notes.push({ path: each, message: sentence('It is too large for an entry, and was left out.') });
    else if (text === undefined)
      notes.push({ path: each, message: sentence('It is not UTF-8 text, and was left out.') });
    else files.push({ path: each, text });
  }
  return { files, notes };
}

async function walk(
  folder: string,
  inside: string,
  depth: number,
  paths: string[],
  notes: FileNote[],
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const folders: string[] = [];
  for await (const entry of await opendir(path.join(folder, inside))) {
    const each = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (entry.isSymbolicLink()) notes.push({ path: each, message: sentence('It is a link, and was not followed.') });
    else if (entry.isDirectory()) folders.push(each);
    else if (entry.isFile() && (MARKDOWN.test(entry.name) || each === DEFINITIONS_FILE)) paths.push(each);
    if (paths.length > FOLDER_LIMITS.files)
      throw tooMuch(sentence('There are more than {0} Markdown files.', FOLDER_LIMITS.files));
  }
  for (const each of folders) {
    if (depth === FOLDER_LIMITS.depth) throw tooMuch(sentence('Folders stand in folders more than {0} times.', depth));
    await walk(folder, each, depth + 1, paths, notes, signal);
  }
}

function tooMuch(what: Sentence): KaizenError {
  return new KaizenError('invalid_argument', what, sentence('Import a part of the folder.'));
}

export interface FolderWriting {
  written: number;
  /** Files that were there with the same text. */
  unchanged: number;
  /** Markdown files that were there and are not part of the knowledge that was written, sorted. */
  others: string[];
}

/**
 * Writes files into a folder, which is made when it is missing. Files that are there with another text are replaced only
 * with `overwrite`; otherwise `confirmation_required` is thrown, naming some, and nothing is written. Nothing is deleted.
 */
export async function writeFolder(
  folder: string,
  files: readonly TextFile[],
  { overwrite = false, signal, onProgress }: FolderOptions & { overwrite?: boolean } = {},
): Promise<FolderWriting> {
  await mkdir(folder, { recursive: true });
  const present = await readFolder(folder, { signal });
  const there = new Map(present.files.map(({ path: name, text }) => [name, text]));
  const odd = present.notes.find((note) => files.some(({ path: name }) => `${name}/`.startsWith(`${note.path}/`)));
  if (odd) {
    throw new KaizenError(
      'invalid_argument',
      sentence('{0} stands in the way: it is a link, or no text.', odd.path),
      sentence('Choose another folder.'),
    );
  }
  const changed = files.filter(({ path: name, text }) => there.get(name) !== text);
  const replaced = changed.filter(({ path: name }) => there.has(name)).map(({ path: name }) => name);
  if (replaced.length > 0 && !overwrite) {
    const [first, ...more] = replaced;
    const listed = more.length > 0 ? `${first}, …` : first!;
    throw new KaizenError(
      'confirmation_required',
      replaced.length === 1
        ? sentence('A file is there already with another text: {0}.', listed)
        : sentence('{0} files are there already with another text: {1}.', replaced.length, listed),
      sentence('Choose another folder, or replace them (--overwrite).'),
    );
  }
  for (const [index, { path: name, text }] of changed.entries()) {
    signal?.throwIfAborted();
    onProgress?.(index, changed.length);
    const full = path.join(folder, name);
    await mkdir(path.dirname(full), { recursive: true });
    await writeFile(full, text, { flag: there.has(name) ? 'w' : 'wx' });
  }
  const ours = new Set(files.map(({ path: name }) => name));
  return {
    written: changed.length,
    unchanged: files.length - changed.length,
    others: [...there.keys()].filter((name) => !ours.has(name)),
  };
}
