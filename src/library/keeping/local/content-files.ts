import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { KaizenError } from '../../../core/errors';
import { sentence } from '../../../core/sentence';
import type { Turns } from '../../../core/turns';
import { createFile, inParallel, makeRoot, OWN_FILE, OWN_FOLDER } from '../../../files';
import type { DocumentMetadata, KnowledgeChunk } from '../../model';
import { type ChunkRecord, chunkOf } from '../chunk-record';
import type { DocumentContent } from '../model';
import {
  ContentTable,
  DamagedContent,
  decodeChunkText,
  decodeRecord,
  encodeContent,
  lengthOfTable,
} from './content-format';
import { LOCAL_LIMITS } from './limits';
import { OpenFiles } from './open-files';

/** A file of the folder, as a document names it. */
export interface ContentPlace {
  file: string;
  chunks: number;
}

/** Its own files and those that were being written: whatever else lies in the folder is somebody else's. */
const OWN = /^([A-Za-z0-9-]+\.[0-9a-f]{16}\.content|\.kaizen-[0-9a-f]{16}\.tmp)$/;
/** Bytes that are read from the disk in one go. */
const READ = 1024 * 1024;

/** The texts and chunks of documents, a file for each: written whole, never changed, deleted once nobody names them. */
export class ContentFiles {
  private readonly files = new OpenFiles();

  constructor(private readonly directory: string) {}

  close(): void {
    this.files.close();
  }

  /** On the disk when it resolves. Throws `read_only`, `store_full` or `store_io`; there is no file then. */
  async write(documentId: string, content: DocumentContent, turns: Turns): Promise<{ file: string; size: number }> {
    const bytes = await encodeContent(content, turns);
    const root = await makeRoot(this.directory, OWN_FOLDER);
    const file = `${documentId}.${randomBytes(8).toString('hex')}.content`;
    await createFile(root, file, bytes, undefined, OWN_FILE);
    return { file, size: bytes.length };
  }

  has(file: string): boolean {
    return existsSync(join(this.directory, file));
  }

  /** For people. */
  pathOf(file: string): string {
    return join(this.directory, file);
  }

  /** Never rejects: what cannot be deleted now is an orphan later. */
  async remove(files: readonly string[]): Promise<void> {
    await inParallel(files, LOCAL_LIMITS.deletions, async (file) => {
      this.files.forget(join(this.directory, file));
      await unlink(join(this.directory, file)).catch(() => undefined);
    });
  }

  /** Undefined where the file is gone. Throws `store_damaged` and the system's errors as `store_io`. */
  text(place: ContentPlace, turns: Turns): Promise<string | undefined> {
    return this.whole(place, turns, (bytes, table) => table.text(bytes, turns));
  }

  /** As `text`, with all chunks. */
  content(place: ContentPlace, document: DocumentMetadata, turns: Turns): Promise<DocumentContent | undefined> {
    return this.whole(place, turns, async (bytes, table) => {
      const text = await table.text(bytes, turns);
      const chunks: KnowledgeChunk[] = [];
      for (let number = 0; number < table.chunks; number++) {
        const { recordAt, recordLength, ...at } = table.place(number);
        const record = decodeRecord(bytes.subarray(recordAt, recordAt + recordLength), {
          recordAt,
          recordLength,
          ...at,
        });
        chunks.push(chunkOf(record, text.slice(record.char_start, record.char_end), document));
        await turns.pause();
      }
      return { text, chunks };
    });
  }

  /**
   * One chunk, some 20 µs; undefined where the file or the chunk is gone. At once, so that the texts of many can be asked
   * for in passing. Throws `store_damaged`, or `store_io`.
   */
  chunk({ file, chunks }: ContentPlace, id: string): { record: ChunkRecord; content: string } | undefined {
    try {
      const opened = this.files.open(join(this.directory, file), chunks);
      const place = opened.table.find(id);
      if (!place) return undefined;
      const record = decodeRecord(opened.read(place.recordAt, place.recordLength), place);
      return { record, content: decodeChunkText(opened.read(place.contentAt, place.contentLength), place) };
    } catch (error) {
      return this.refused(file, error);
    }
  }

  /** Deletes files that no document names, once they are old enough. Never rejects. */
  async tidy(isNamed: (file: string) => boolean): Promise<void> {
    const until = Date.now() - LOCAL_LIMITS.orphanAge;
    for (const name of await readdir(this.directory).catch(() => [])) {
      if (!OWN.test(name) || isNamed(name)) continue;
      const path = join(this.directory, name);
      const isOld = await stat(path).then(
        (stats) => stats.isFile() && stats.mtimeMs < until,
        () => false,
      );
      // A document may have come to name it meanwhile.
      if (isOld && !isNamed(name)) await rm(path, { force: true }).catch(() => undefined);
    }
  }

  private async whole<T>(
    { file, chunks }: ContentPlace,
    turns: Turns,
    take: (bytes: Buffer, table: ContentTable) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      const bytes = await readWhole(join(this.directory, file), turns);
      const length = lengthOfTable(chunks);
      return await take(bytes, new ContentTable(bytes.subarray(Math.max(0, bytes.length - length)), chunks));
    } catch (error) {
      return this.refused(file, error);
    }
  }

  private refused(file: string, error: unknown): undefined {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const cause = { cause: error };
    const path = join(this.directory, file);
    if (error instanceof DamagedContent) {
      throw new KaizenError(
        'store_damaged',
        sentence('The file {0} is damaged.', path),
        sentence('Read the source again to mend it.'),
        cause,
      );
    }
    if (code === undefined) throw error;
    throw new KaizenError(
      'store_io',
      sentence('The file {0} cannot be read ({1}).', path, code),
      sentence('Try again.'),
      cause,
    );
  }
}

async function readWhole(path: string, turns: Turns): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await handle.read(bytes, at, Math.min(READ, size - at), at);
      if (bytesRead === 0) throw new DamagedContent();
      at += bytesRead;
      await turns.pause();
    }
    return bytes;
  } finally {
    await handle.close();
  }
}
