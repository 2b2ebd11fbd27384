import { existsSync } from 'node:fs';
import path from 'node:path';
import { unlessAborted } from '../../files';
import { ExtractionThread, type ThreadOptions } from './extraction-thread';
import type { Extractor } from './model';

/**
 * Reads and chunks in a worker thread, which is started with the first source and ends when it has had nothing to do for a
 * minute. Where the product runs from its sources there is no such thread: then here, which holds the event loop.
 */
export function createExtractor(options: ThreadOptions): Extractor {
  const script = options.script ?? path.join(__dirname, 'library-worker.js');
  return existsSync(script) ? new ExtractionThread({ ...options, script }) : here;
}

const here: Extractor = {
  async extract(input, { signal, onProgress } = {}) {
    signal?.throwIfAborted();
    const { extractHere } = await import('./worker');
    const extracting = extractHere(input, (page, pages) => {
      signal?.throwIfAborted();
      onProgress?.(page, pages);
    });
    const extracted = await unlessAborted(extracting, signal);
    signal?.throwIfAborted();
    return extracted;
  },
  close: async () => {},
};
