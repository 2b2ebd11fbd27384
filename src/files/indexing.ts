import { Turns } from '../core/turns';
import { inParallel } from './concurrency';
import { detach } from './detach';
import type { FileKeeper, FileReader, KnownFile } from './keeper';
import type { FolderLimits } from './limits';
import { type ReadFile, readInside } from './reading';
import type { FoundFile } from './scan';

/** Files that are read before the first of them is parsed. */
const BATCH = 48;
/** Files from the cache, by their weight, that are shown together. */
const SHOW_KEPT = 2_000;
/** Milliseconds after which what was read so far is shown. */
const SHOW_AFTER = 300;
/** Errors that pass: a file that somebody is just writing, too many files that are open. */
const PASSING = new Set(['EBUSY', 'EAGAIN', 'EMFILE', 'ENFILE', 'ETXTBSY']);

export interface IndexingOptions<Known extends KnownFile> {
  realRoot: string;
  keeper: FileKeeper<Known>;
  reader: FileReader<Known>;
  /** What was known in an earlier run. */
  cached: ReadonlyMap<string, Known>;
  /** Called now and then, when some of the files are with the keeper. */
  show(): Promise<void>;
  limits: FolderLimits;
  signal: AbortSignal;
}

export interface Indexed {
  /** Files that were read, and those of them that were not as they were known. */
  read: number;
  changes: number;
}

/**
 * Brings the keeper up to what was found: what has the stamp that is known stays, what has the content that is known is
 * not parsed. In turns.
 */
export async function indexFiles<Known extends KnownFile>(
  found: readonly FoundFile[],
  options: IndexingOptions<Known>,
): Promise<Indexed> {
  const { keeper, reader, cached, show, limits, signal } = options;
  const turns = new Turns(signal);
  const changed: FoundFile[] = [];
  let kept = 0;
  for (const each of found) {
    if (keeper.read(each.file)?.stamp === each.stamp) continue;
    const before = cached.get(each.file);
    if (before?.stamp === each.stamp) {
      keeper.set(before);
      kept += reader.weightOf?.(before) ?? 1;
      if (kept >= SHOW_KEPT) {
        await show();
        kept = 0;
      }
    } else {
      changed.push(each);
    }
    await turns.pause();
  }
  let changes = 0;
  let shown = performance.now();
  for (let at = 0; at < changed.length; at += BATCH) {
    const batch = changed.slice(at, at + BATCH);
    const reads = await inParallel(batch, limits.concurrency, (each) => tryToRead(each, options));
    for (const [index, read] of reads.entries()) {
      if (await update(batch[index]!, read, options, turns)) changes++;
      await turns.pause();
    }
    if (performance.now() - shown < SHOW_AFTER) continue;
    await show();
    shown = performance.now();
  }
  return { read: changed.length, changes };
}

async function tryToRead<Known extends KnownFile>(
  { file }: FoundFile,
  { realRoot, limits, signal }: IndexingOptions<Known>,
): Promise<ReadFile | Error> {
  signal.throwIfAborted();
  return readInside(realRoot, file, limits.fileSize).catch((error: Error) => error);
}

/** Whether the file is another one than was known. */
async function update<Known extends KnownFile>(
  { file, size }: FoundFile,
  read: ReadFile | Error,
  { keeper, reader, cached }: IndexingOptions<Known>,
  turns: Turns,
): Promise<boolean> {
  const known = keeper.read(file);
  if (read instanceof Error) {
    const { code = '' } = read as NodeJS.ErrnoException;
    if (code === 'ENOENT') keeper.remove(file);
    else if (known && PASSING.has(code)) keeper.restamp(file, '');
    else if (known?.stamp !== '') keeper.set(reader.unreadable(file, size, read));
    return keeper.read(file)?.hash !== known?.hash;
  }
  const isWhole = read.fault !== 'too_large';
  if (isWhole && known?.hash === read.hash) {
    keeper.restamp(file, read.stamp);
    return false;
  }
  const before = cached.get(file);
  if (isWhole && before?.hash === read.hash) {
    keeper.set({ ...before, stamp: read.stamp });
    return false;
  }
  keeper.set(await detach(await reader.parse(file, read), turns));
  return true;
}
