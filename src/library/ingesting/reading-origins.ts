import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime } from '../../core/clock';
import { isKaizenError, KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import { readBytes, resolveInside } from '../../files';
import type { FetchedPage } from '../fetching/model';
import type { DocumentMetadata, LibraryChange } from '../model';
import type { Surroundings } from '../surroundings';
import { LIMITS } from './limits';
import type { Origin } from './origin';

/** FAT keeps the times of files to two seconds. */
const COARSEST_CLOCK_MS = 2_000;

/** What was read of a source, or that it says what it said before. */
export type ReadOrigin =
  | 'unchanged'
  | {
      bytes: Uint8Array;
      mediaType?: string | undefined;
      /** Of a page: where it was in the end. */
      url?: string | undefined;
      etag?: string | undefined;
      last_modified?: string | undefined;
      fetched_at?: string | undefined;
    };

/** There is no file where it was looked for: any more, or yet. */
export class MissingFile extends KaizenError {}

/**
 * Reads a source's bytes. `known`: what the library has of it, if it may be taken for unchanged without being read: a
 * file by its size and time, a page by its server's word. Throws `unreadable_source`, `fetch_refused`, `fetch_failed`.
 */
export async function readOrigin(
  origin: Origin,
  known: DocumentMetadata | undefined,
  { web }: Pick<Surroundings, 'web'>,
  { signal }: Pick<LibraryChange, 'signal'>,
): Promise<ReadOrigin> {
  if (origin.kind === 'content') return { bytes: Buffer.from(origin.text), mediaType: 'text/markdown; charset=utf-8' };
  if (origin.kind === 'file') return readFile(origin, known);
  const versions = known && { etag: known.etag, last_modified: known.last_modified };
  const page = await web.fetch(origin.source_path, { signal, ...(versions ? { known: versions } : {}) });
  return readPage(page, origin.source_path);
}

/** What was fetched already. */
export function readPage(page: FetchedPage, address: string): ReadOrigin {
  if (page.status === 'not_modified') return 'unchanged';
  if (page.status === 'gone') {
    throw new KaizenError(
      'fetch_failed',
      sentence('There is no page at {0} (any more).', address.slice(0, 200)),
      sentence('Look for where it went.'),
    );
  }
  const { bytes, mediaType, url, etag, last_modified, fetched_at } = page;
  return { bytes, mediaType, url, etag, last_modified, fetched_at };
}

async function readFile(
  origin: Extract<Origin, { kind: 'file' }>,
  known: DocumentMetadata | undefined,
): Promise<ReadOrigin> {
  const { root, inside, name } = origin;
  try {
    // Resolved again: the path may lead elsewhere by now.
    const file = inside.includes('/') ? await resolveInside(root, inside) : join(root, inside);
    const stats = await stat(file);
    const last_modified = isoTime(Math.trunc(stats.mtimeMs));
    if (stats.isDirectory())
      throw unreadable(sentence('"{0}" is a folder.', name), sentence('Add its files one by one.'));
    if (known?.size === stats.size && known.last_modified === last_modified && isSettled(known)) return 'unchanged';
    const bytes = await readBytes(root, inside, LIMITS.source);
    if (bytes === undefined) throw missing(name);
    if (bytes === 'too_large') {
      throw unreadable(
        sentence('"{0}" has more than {1} MB.', name, LIMITS.source / 1024 / 1024),
        sentence('Divide it into several files, and add those.'),
      );
    }
    return { bytes, last_modified };
  } catch (error) {
    if (isKaizenError(error)) throw error;
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw missing(name);
    if (code === 'EACCES' || code === 'EPERM')
      throw unreadable(sentence('"{0}" may not be read.', name), sentence('Look at its permissions.'));
    throw unreadable(sentence('"{0}" cannot be read ({1}).', name, code ?? String(error)));
  }
}

/** Whether its file was old enough when it was read: what is written right after that may bear the same time. */
function isSettled({ last_verified_at, last_modified }: DocumentMetadata): boolean {
  if (last_verified_at === undefined || last_modified === undefined) return false;
  return Date.parse(last_verified_at) - Date.parse(last_modified) > COARSEST_CLOCK_MS;
}

function missing(name: string): KaizenError {
  return new MissingFile(
    'unreadable_source',
    sentence('There is no file "{0}" where it was looked for.', name),
    sentence('Look at the path.'),
  );
}

function unreadable(message: Sentence, hint?: Sentence): KaizenError {
  return new KaizenError('unreadable_source', message, hint);
}
