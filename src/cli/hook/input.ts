import { fstatSync, readSync } from 'node:fs';
import { MAX_INPUT } from '../../guard/hooks';

/** Bytes that are read at once. */
const CHUNK = 65_536;
/** Of silence: a client that says no more has said all. */
const PATIENCE_MS = 5_000;
const STDIN = 0;

/**
 * What a client writes to standard input: up to its end, or up to where the JSON is whole, because not every client
 * closes what it writes to; beyond 32 MB no more than tells that it is too much. Read at once where the system lets us: a
 * stream costs more than the reading. Never rejects.
 */
export async function readCall(): Promise<string> {
  neverWait();
  const chunk = Buffer.allocUnsafe(CHUNK);
  let length: number;
  try {
    length = readSync(STDIN, chunk, 0, chunk.length, null);
  } catch (error) {
    // There is nothing yet. Else it is closed, or, on Windows, at its end.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? readStream([]) : '';
  }
  if (length === 0) return '';
  const chunks = [chunk.subarray(0, length)];
  // The rest may never come: only a stream can be given up.
  return isWhole(chunks) ? textOf(chunks) : readStream(chunks);
}

/**
 * Has reading fail where there is nothing yet: who waits in `readSync` waits as long as the client does. Node can do that
 * in no documented way without a stream, which takes 5 ms; where this way is gone, or on Windows, a silent client is
 * waited for.
 */
function neverWait(): void {
  if (process.platform === 'win32') return;
  try {
    const { binding } = process as unknown as { binding(name: 'pipe_wrap'): PipeWrap };
    const { Pipe, constants } = binding('pipe_wrap');
    new Pipe(constants.SOCKET).open(STDIN);
  } catch {
    // A file, or a Node without it.
  }
}

interface PipeWrap {
  Pipe: new (type: number) => { open(descriptor: number): void };
  constants: { SOCKET: number };
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

/** The same from a stream, behind what was read before; what came until then when nothing came for 5 seconds. */
function readStream(chunks: Buffer[]): Promise<string> {
  const stream = process.stdin;
  let size = 0;
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
      size += chunk.length;
      clearTimeout(timer);
      if (isWhole(chunks) || size > MAX_INPUT) finish();
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

/** Only looked at where a chunk ends as an object does, and is not as long as one can be: then more comes. */
function isWhole(chunks: readonly Buffer[]): boolean {
  const last = chunks.at(-1)!;
  if (last.length === CHUNK || !/\}\s*$/.test(last.toString('latin1', Math.max(0, last.length - 8)))) return false;
  try {
    JSON.parse(textOf(chunks));
    return true;
  } catch {
    return false;
  }
}
