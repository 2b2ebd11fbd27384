import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
} from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { describeError } from '../../core/errors';
import { Turns } from '../../core/turns';
import { decodeRecord, encodeRecord, findRecords, HASH_BYTES, MOST_DIMENSIONS, recordLength } from './cache-record';
import type { Quantised } from './quantised';

export interface VectorCacheOptions {
  /** Bytes that one embedder's vectors may take; 512 MB unless told: 600,000 vectors of 384 dimensions. */
  limit?: number | undefined;
  log?: ((message: string) => void) | undefined;
}

interface Place {
  /** Of the record's first byte. */
  at: number;
  dimensions: number;
}

const LIMIT = 512 * 1024 * 1024;
const ENDING = '.vectors';
const CHUNK = 1024 * 1024;
/** What is read at once may begin with a record that is not whole yet. */
const LONGEST_RECORD = recordLength(MOST_DIMENSIONS);

/**
 * Vectors by the SHA-256 of their text, one file an embedder, shared by processes without a lock: each appends whole
 * records with one write and reads on where it had come to. Every record has a checksum, so that what a crash or a full
 * disk cut off is skipped, wherever it stands. Losing the file costs nothing but embedding once more.
 */
export class VectorCache {
  private readonly file: string;
  private readonly seed: number;
  private readonly limit: number;
  private readonly log: (message: string) => void;
  /** Where the record with a hash stands, by the first bytes of the hash. */
  private readonly places = new Map<number, Place>();
  private position = 0;
  private inode = 0;
  private complained = false;

  constructor(
    private readonly directory: string,
    id: string,
    { limit = LIMIT, log = () => {} }: VectorCacheOptions = {},
  ) {
    const digest = createHash('sha256').update(id).digest('hex').slice(0, 12);
    const name = id.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 60);
    this.file = path.join(directory, `${name}-${digest}${ENDING}`);
    this.seed = crc32(id) >>> 0;
    this.limit = limit;
    this.log = log;
  }

  /**
   * Takes in what this and other processes have appended. Costs one look at the file when there is nothing new; what
   * cannot be read is not there. Throws the signal's reason.
   */
  async refresh(signal?: AbortSignal): Promise<void> {
    const stat = this.stat();
    if (!stat || stat.ino !== this.inode || stat.size < this.position) this.forget();
    if (!stat || stat.size <= this.position) return;
    try {
      await this.readOn(signal);
    } catch (error) {
      signal?.throwIfAborted();
      this.complain(error);
    }
  }

  /** What there is of the texts with these hashes, in order. Only vectors that are as long as asked, if asked. */
  read(hashes: readonly Uint8Array[], dimensions?: number): (Quantised | undefined)[] {
    const places = hashes.map((hash) => {
      const place = this.places.get(shortened(hash));
      return place && place.dimensions === (dimensions ?? place.dimensions) ? place : undefined;
    });
    if (!places.some((place) => place !== undefined)) return hashes.map(() => undefined);
    let fd: number | undefined;
    try {
      fd = openSync(this.file, 'r');
      return places.map((place, index) => place && this.readAt(fd!, place, hashes[index]!));
    } catch (error) {
      this.complain(error);
      return hashes.map(() => undefined);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  /** Adds vectors for all processes. What cannot be written is logged once and lost. */
  append(entries: readonly { hash: Uint8Array; vector: Quantised }[]): void {
    if (entries.length === 0) return;
    try {
      mkdirSync(this.directory, { recursive: true, mode: 0o700 });
      const bytes = Buffer.concat(entries.map(({ hash, vector }) => encodeRecord(hash, vector, this.seed)));
      appendFileSync(this.file, bytes, { mode: 0o600 });
    } catch (error) {
      this.complain(error);
    }
  }

  /** Keeps the file, and those of embedders no longer used, within their limits: the oldest goes first. */
  async tidy(): Promise<void> {
    const stat = this.stat();
    if (!stat) return;
    try {
      this.tidyOthers(stat.size);
      const now = new Date();
      utimesSync(this.file, now, now);
      if (stat.size > this.limit) await this.dropOldest(stat.size - Math.floor(this.limit * 0.75));
    } catch {
      // Somebody else tidies up at the same time, or holds the file open: the next time will do.
    }
  }

  private async readOn(signal: AbortSignal | undefined): Promise<void> {
    const handle = await open(this.file, 'r');
    try {
      const { ino } = await handle.stat();
      // Somebody has put another in its place since it was looked at.
      if (ino !== this.inode) this.forget();
      this.inode = ino;
      const turns = new Turns(signal);
      const buffer = Buffer.allocUnsafe(CHUNK + LONGEST_RECORD);
      for (;;) {
        signal?.throwIfAborted();
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, this.position);
        const read = await this.takeIn(buffer.subarray(0, bytesRead), turns);
        if (bytesRead < buffer.length || read === 0) return;
      }
    } finally {
      await handle.close();
    }
  }

  private readAt(fd: number, { at, dimensions }: Place, hash: Uint8Array): Quantised | undefined {
    const record = Buffer.allocUnsafe(recordLength(dimensions));
    if (readSync(fd, record, 0, record.length, at) !== record.length) return undefined;
    const found = decodeRecord(record, this.seed);
    return found?.hash.equals(hash) ? found.vector : undefined;
  }

  private complain(error: unknown): void {
    if (!this.complained) this.log(`Embeddings are not kept: ${describeError(error)}`);
    this.complained = true;
  }

  /** Undefined where there is no file, and where none can be. */
  private stat(): Stats | undefined {
    try {
      return statSync(this.file, { throwIfNoEntry: false });
    } catch {
      return undefined;
    }
  }

  private forget(): void {
    this.places.clear();
    this.position = 0;
    this.inode = 0;
  }

  /** Returns how many bytes are done with. */
  private async takeIn(bytes: Buffer, turns: Turns): Promise<number> {
    const records = findRecords(bytes, this.seed);
    let next = records.next();
    for (; !next.done; next = records.next()) {
      if (next.value) {
        const { start, dimensions, hash } = next.value;
        this.places.set(shortened(hash), { at: this.position + start, dimensions });
      }
      await turns.pause();
    }
    this.position += next.value;
    return next.value;
  }

  /** Writes what follows the first `bytes` anew and puts it in the file's place. */
  private async dropOldest(bytes: number): Promise<void> {
    const temporary = `${this.file}-${process.pid}-${Math.random().toString(36).slice(2, 10)}.tmp`;
    const from = await open(this.file, 'r');
    try {
      const to = await open(temporary, 'wx', 0o600);
      try {
        const buffer = Buffer.allocUnsafe(CHUNK);
        // The cut goes through a record, whose rest is skipped when it is read. What others append meanwhile is copied too.
        for (let at = bytes; ; ) {
          const { bytesRead } = await from.read(buffer, 0, buffer.length, at);
          if (bytesRead === 0) break;
          await to.appendFile(buffer.subarray(0, bytesRead));
          at += bytesRead;
        }
      } finally {
        await to.close();
      }
      await from.close();
      await rename(temporary, this.file);
      this.forget();
    } finally {
      await from.close().catch(() => {});
      rmSync(temporary, { force: true });
    }
  }

  private tidyOthers(own: number): void {
    const others = readdirSync(this.directory)
      .filter((name) => (name.endsWith(ENDING) || name.endsWith('.tmp')) && name !== path.basename(this.file))
      .map((name) => path.join(this.directory, name))
      .map((file) => ({ file, stat: statSync(file, { throwIfNoEntry: false }) }))
      .filter(({ stat }) => stat !== undefined)
      .sort((a, b) => b.stat!.mtimeMs - a.stat!.mtimeMs);
    let total = own;
    for (const { file, stat } of others) {
      total += stat!.size;
      const abandoned = file.endsWith('.tmp') && Date.now() - stat!.mtimeMs > DAY_MS;
      if (abandoned || (total > 2 * this.limit && file.endsWith(ENDING))) rmSync(file, { force: true });
    }
  }
}

const DAY_MS = 24 * 3600 * 1000;

/** The first 48 bits: enough to find the record, which then has to have the whole hash. */
function shortened(hash: Uint8Array): number {
  return Buffer.from(hash.buffer, hash.byteOffset, HASH_BYTES).readUIntBE(0, 6);
}
