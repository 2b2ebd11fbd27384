import { fstatSync, readSync } from 'node:fs';

/** Bytes; nothing that a client says is longer. */
const MAX_BYTES = 4_000_000;
const PATIENCE_MS = 5_000;
const STDIN = 0;

/**
 * What a client writes to standard input: up to its end, or up to where the JSON is whole, because not every client
 * closes what it writes to. Read at once where the system lets us: a stream costs more than the reading. Never rejects.
 */
export async function readCall(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    let length: number;
    try {
      length = readSync(STDIN, chunk, 0, chunk.length, null);
    } catch (error) {
      // There is nothing yet, and nobody may wait for it here.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return readStream(chunks);
      // Closed, or, on Windows, at its end.
      break;
    }
    if (length === 0) break;
    chunks.push(chunk.subarray(0, length));
    size += length;
    if (size > MAX_BYTES || isWhole(chunks)) break;
    // The rest may never come: only a stream can be given up.
    return readStream(chunks);
  }
  return textOf(chunks);
}

/** Whether a person sits at a keyboard, and not a client. */
export async function isTyped(): Promise<boolean> {
  try {
    // Pipes and files need not be asked further.
    if (!fstatSync(STDIN).isCharacterDevice()) return false;
  } catch {
    return false;
  }
  return (await import('node:tty')).isatty(STDIN);
}

/** The same from a stream; what came until then when nothing came for 5 seconds. */
function readStream(chunks: Buffer[]): Promise<string> {
  const stream = process.stdin;
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      stream.off('data', take).off('end', finish).off('error', finish).off('close', finish);
      // Nobody has to close it for this process to end.
      stream.on('error', () => {}).destroy();
      resolve(textOf(chunks));
    };
    let timer = setTimeout(finish, PATIENCE_MS);
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(timer);
      if (isWhole(chunks) || chunks.reduce((sum, { length }) => sum + length, 0) > MAX_BYTES) finish();
      else timer = setTimeout(finish, PATIENCE_MS);
    };
    stream.on('data', take).on('end', finish).on('error', finish).on('close', finish);
  });
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/** Only looked at where a chunk ends as an object does. */
function isWhole(chunks: readonly Buffer[]): boolean {
  const last = chunks.at(-1)!;
  if (!/\}\s*$/.test(last.toString('latin1', Math.max(0, last.length - 8)))) return false;
  try {
    JSON.parse(textOf(chunks));
    return true;
  } catch {
    return false;
  }
}
