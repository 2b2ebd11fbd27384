import { Turns } from '../core/turns';
import type { Catalogue, KnownFile } from './catalogue';
import { inParallel } from './concurrency';
import type { ContentCache } from './content-cache';
import { LIMITS, type Limits } from './limits';
import { leftOut, parseRead, unreadable } from './parsing';
import { type ReadFile, readInside } from './reading';
import type { FoundFile } from './scan';

/** Files that are read before the first of them is parsed. */
const BATCH = 48;
/** Files and nodes from the cache that are shown together. */
const SHOW_KEPT = 2_000;
/** Milliseconds after which what was read so far is shown. */
const SHOW_AFTER = 300;
/** Errors that pass: a file that somebody is just writing, too many files that are open. */
const PASSING = new Set(['EBUSY', 'EAGAIN', 'EMFILE', 'ENFILE', 'ETXTBSY']);

export interface IndexingOptions {
  base: string;
  realRoot: string;
  catalogue: Catalogue;
  contents: ContentCache;
  /** What was known in an earlier run. */
  cached: ReadonlyMap<string, KnownFile>;
  /** Called now and then, when some of the files are in the catalogue. */
  show(): Promise<void>;
  limits?: Limits;
  signal: AbortSignal;
}

export interface Indexed {
  /** Files that were read, and those of them that were not as they were known. */
  read: number;
  changes: number;
}

/**
 * Brings the catalogue up to what was found: what has the stamp that is known stays, what has the content that is known
 * is not parsed. In turns.
 */
export async function indexFiles(found: readonly FoundFile[], options: IndexingOptions): Promise<Indexed> {
  const { catalogue, cached, show, signal } = options;
  const turns = new Turns(signal);
  const changed: FoundFile[] = [];
  let kept = 0;
  for (const each of found) {
    if (catalogue.read(each.file)?.stamp === each.stamp) continue;
    const before = cached.get(each.file);
    if (before?.stamp === each.stamp) {
      takeIn(before, options);
      kept += 1 + before.nodes.length;
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
    const reads = await inParallel(batch, LIMITS.concurrency, (each) => tryToRead(each, options));
    for (const [index, read] of reads.entries()) {
      if (await update(batch[index]!, read, options)) changes++;
      await turns.pause();
    }
    if (performance.now() - shown < SHOW_AFTER) continue;
    await show();
    shown = performance.now();
  }
  return { read: changed.length, changes };
}

async function tryToRead({ file }: FoundFile, { realRoot, signal }: IndexingOptions): Promise<ReadFile | Error> {
  signal.throwIfAborted();
  return readInside(realRoot, file).catch((error: Error) => error);
}

/** Whether the file is another one than was known. */
async function update({ file, size }: FoundFile, read: ReadFile | Error, options: IndexingOptions): Promise<boolean> {
  const { base, catalogue, contents, cached } = options;
  const known = catalogue.read(file);
  if (read instanceof Error) {
    const { code = '' } = read as NodeJS.ErrnoException;
    if (code === 'ENOENT') catalogue.remove(file);
    else if (known && PASSING.has(code)) catalogue.restamp(file, '');
    else if (known?.stamp !== '') catalogue.set(unreadable(base, file, size, read));
    return catalogue.read(file)?.hash !== known?.hash;
  }
  const isWhole = read.fault !== 'too_large';
  if (isWhole && known?.hash === read.hash) {
    catalogue.restamp(file, read.stamp);
    return false;
  }
  const before = cached.get(file);
  if (isWhole && before?.hash === read.hash) {
    takeIn({ ...before, stamp: read.stamp }, options);
    return false;
  }
  const parsed = await parseRead(base, file, read);
  takeIn(parsed.known, options);
  contents.put(base, file, read.hash, parsed.texts);
  return true;
}

function takeIn(known: KnownFile, { base, catalogue, limits = LIMITS }: IndexingOptions): void {
  const isRoom = catalogue.nodesBeside(known.file) + known.nodes.length <= limits.nodes;
  catalogue.set(isRoom ? known : leftOut(base, known, limits.nodes));
}
