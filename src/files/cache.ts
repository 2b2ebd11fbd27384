import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { renamePatiently } from '../core/rename';
import { Turns } from '../core/turns';
import type { KnownFile } from './keeper';

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
      const bytes = await readFile(this.path, { signal });
      const checksum = createHash('sha256');
      let start = 0;
      let isHead = true;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        const line = bytes.toString('utf8', start, end);
        if (end === bytes.length - 1) return checksum.digest('hex') === line ? files : new Map();
        checksum.update(bytes.subarray(start, end + 1));
        if (isHead && line !== this.head) return new Map();
        if (!isHead) {
          const known = JSON.parse(line) as Known;
          files.set(known.file, known);
        }
        isHead = false;
        start = end + 1;
        await turns.pause();
      }
    } catch {
      signal.throwIfAborted();
    }
    return new Map();
  }

  /** Replaces what was kept. Throws the system's error; what was there stays then. */
  async save(files: Iterable<Known>): Promise<void> {
    const turns = new Turns();
    await mkdir(this.directory, { recursive: true });
    const beside = `${this.path}.${randomBytes(6).toString('hex')}.tmp`;
    const handle = await open(beside, 'wx', 0o600);
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
