import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { renamePatiently } from '../core/rename';
import { Turns } from '../core/turns';
import type { KnownFile } from './keeper';
import { OWN_FILE, OWN_FOLDER } from './writing';

const DAY = 86_400_000;
/** Nobody has used it since. */
const OLD = 60 * DAY;
/** Characters that are written at once. */
const CHUNK = 1_000_000;

/**
 * What is known of the files of one folder, kept between runs: a line that says what it is, one line of JSON a file, and a line with
 * the SHA-256 of all before. It is derived data: whatever is wrong with it, the files are read again instead. Several
 * processes may use it, since it is only ever replaced whole.
 */
export class FolderCache<Known extends KnownFile> {
  private readonly path: string;
  private readonly head: string;

  constructor(
    private readonly directory: string,
    /** What the file's name begins with: letters. */
    kind: string,
    /** Whatever is to be the same for the next run to take it: a format's number, the root, patterns. */
    head: Readonly<Record<string, unknown>>,
  ) {
    this.head = JSON.stringify(head);
    const hash = createHash('sha256').update(this.head).digest('hex').slice(0, 16);
    this.path = join(directory, `${kind}-${hash}.jsonl`);
  }

  /** The files as they were when it was written; none where there is no cache of use. Never throws but when aborted. */
  async load(signal: AbortSignal): Promise<Map<string, Known>> {
    const turns = new Turns(signal);
    const files = new Map<string, Known>();
    try {
      const checksum = createHash('sha256');
      let isHead = true;
      let isWhole = false;
      for await (const { line, isLast } of linesOf(this.path, signal)) {
        if (isLast) isWhole = checksum.digest('hex') === line.toString('latin1', 0, line.length - 1);
        else checksum.update(line);
        if (isLast) break;
        const text = line.toString('utf8', 0, line.length - 1);
        if (isHead && text !== this.head) break;
        if (!isHead) {
          const known = JSON.parse(text) as Known;
          files.set(known.file, known);
        }
        isHead = false;
        await turns.pause();
      }
      if (isWhole) return files;
    } catch {
      signal.throwIfAborted();
    }
    return new Map();
  }

  /** Replaces what was kept. Throws the system's error; what was there stays then. */
  async save(files: Iterable<Known>): Promise<void> {
    const turns = new Turns();
    await mkdir(this.directory, { recursive: true, mode: OWN_FOLDER });
    const beside = `${this.path}.${randomBytes(6).toString('hex')}.tmp`;
    const handle = await open(beside, 'wx', OWN_FILE);
    try {
      try {
        const writer = new LineWriter(handle);
        await writer.line(this.head);
        for (const known of files) {
          await writer.line(JSON.stringify(known));
          await turns.pause();
        }
        await writer.end();
      } finally {
        await handle.close();
      }
      await renamePatiently(beside, this.path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  }

  /** Says that it is in use. */
  async keep(now: number): Promise<void> {
    await utimes(this.path, now / 1000, now / 1000).catch(() => undefined);
  }
}

/** The lines of a file, each with its end. What comes after the last end is passed over. */
async function* linesOf(path: string, signal: AbortSignal): AsyncIterable<{ line: Buffer; isLast: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  let before: Buffer | undefined;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK / 4, signal })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      if (before) yield { line: before, isLast: false };
      before = bytes.subarray(start, end + 1);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (before) yield { line: before, isLast: true };
}

class LineWriter {
  private readonly checksum = createHash('sha256');
  private waiting = '';

  constructor(private readonly handle: FileHandle) {}

  async line(text: string): Promise<void> {
    this.waiting += `${text}\n`;
    if (this.waiting.length > CHUNK) await this.flush();
  }

  async end(): Promise<void> {
    await this.flush();
    await this.handle.writeFile(`${this.checksum.digest('hex')}\n`);
  }

  private async flush(): Promise<void> {
    this.checksum.update(this.waiting);
    await this.handle.writeFile(this.waiting);
    this.waiting = '';
  }
}

/** Deletes what nobody has used for 60 days, and what was left behind by a process that ended while it wrote. */
export async function tidyCaches(directory: string, kind: string, now: number): Promise<void> {
  const names = new RegExp(`^${kind}-[0-9a-f]{16}\\.jsonl(\\.[0-9a-f]+\\.tmp)?$`);
  for (const name of await readdir(directory).catch(() => [])) {
    if (!names.test(name)) continue;
    const path = join(directory, name);
    const changed = await stat(path).catch(() => undefined);
    const age = now - (changed?.mtimeMs ?? now);
    if (age > (name.endsWith('.tmp') ? DAY : OLD)) await rm(path, { force: true }).catch(() => undefined);
  }
}
