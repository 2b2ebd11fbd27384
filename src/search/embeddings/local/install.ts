import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeError, isKaizenError, KaizenError } from '../../../core/errors';
import { renamePatiently } from '../../../core/rename';
import { type Sentence, sentence } from '../../../core/sentence';
import { within } from '../../../core/within';
import {
  bytesOf,
  checksumsOf,
  type ModelFile,
  type ModelManifest,
  type Source,
  sourcesInUse,
  VARIABLES,
} from './model-files';

export interface InstallOptions {
  /** Bytes there are, of all. */
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Other base addresses than those in use. */
  sources?: Partial<Record<Source, string>> | undefined;
}

const PARTIAL = '.partial-';
const DAY_MS = 24 * 3600 * 1000;
/** To put all in place, while others move it away or back. */
const ATTEMPTS = 10;
/** Nothing came for so long. */
const STALLED_MS = 60_000;

/** Whether all files are there with their sizes; their checksums are looked at whenever they are loaded. */
export function isInstalled(manifest: ModelManifest, modelsDirectory: string): boolean {
  const directory = path.join(modelsDirectory, manifest.directory);
  return (
    manifest.files.every(({ to, bytes }) => sizeOf(path.join(directory, to)) === bytes) &&
    Object.keys(manifest.written).every((to) => existsSync(path.join(directory, to)))
  );
}

/** Whether all files are there and are what they should be. */
export async function isSound(manifest: ModelManifest, modelsDirectory: string): Promise<boolean> {
  return isInstalled(manifest, modelsDirectory) && holdsAll(manifest, path.join(modelsDirectory, manifest.directory));
}

/**
 * Downloads all files into a directory of its own, checks each against its size and checksum, and puts the whole in
 * place with one rename: several processes may do so at once, and an end at any moment leaves nothing half done.
 * What is there and sound stays. Throws `embedding_failed`, and the signal's reason.
 */
export async function install(
  manifest: ModelManifest,
  modelsDirectory: string,
  { onProgress = () => {}, signal, sources }: InstallOptions = {},
): Promise<void> {
  const target = path.join(modelsDirectory, manifest.directory);
  if (await isSound(manifest, modelsDirectory)) return;
  const partial = path.join(modelsDirectory, `${PARTIAL}${randomUUID()}`);
  try {
    await removeAbandoned(modelsDirectory);
    // Folders above it that are made may be those of a person's own data.
    await mkdir(partial, { recursive: true, mode: 0o700 });
    const total = bytesOf(manifest);
    const addresses = manifest.files.map((file) => addressOf(file, sources));
    let done = 0;
    for (const [index, file] of manifest.files.entries()) {
      const before = done;
      await download(file, addresses[index]!, path.join(partial, file.to), signal, (bytes) => {
        done = before + bytes;
        onProgress(done, total);
      });
    }
    for (const [to, text] of Object.entries(manifest.written)) {
      await mkdir(path.dirname(path.join(partial, to)), { recursive: true });
      await writeFile(path.join(partial, to), text);
    }
    signal?.throwIfAborted();
    await putInPlace(manifest, partial, target);
  } catch (error) {
    signal?.throwIfAborted();
    throw isKaizenError(error) ? error : failed(sentence('It could not be kept: {0}.', describeError(error)), error);
  } finally {
    await rm(partial, { recursive: true, force: true }).catch(() => {});
  }
}

/** Whether each file is what it should be. */
async function holdsAll(manifest: ModelManifest, directory: string): Promise<boolean> {
  for (const [to, sha256] of Object.entries(checksumsOf(manifest))) {
    const found = await sha256Of(path.join(directory, to)).catch(() => undefined);
    if (found !== sha256) return false;
  }
  return true;
}

/** Others may do the same at the same time: whoever comes second keeps what the first one put there, if it is sound. */
async function putInPlace(manifest: ModelManifest, partial: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await renamePatiently(partial, target);
      return;
    } catch (error) {
      if (await holdsAll(manifest, target)) return;
      if (attempt === ATTEMPTS) throw error;
    }
    const damaged = `${partial}-old-${attempt}`;
    await renamePatiently(target, damaged).catch((error: NodeJS.ErrnoException) => {
      // Another process has moved it away.
      if (error.code !== 'ENOENT') throw error;
    });
    await rm(damaged, { recursive: true, force: true }).catch(() => {});
  }
}

async function download(
  { bytes, sha256, to }: ModelFile,
  url: string,
  file: string,
  signal: AbortSignal | undefined,
  onProgress: (bytes: number) => void,
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const handle = await open(file, 'wx');
  const stalled = new AbortController();
  try {
    const found = await receive(url, handle, { limit: bytes, onProgress, stalled, signal });
    if (found !== sha256)
      throw failed(sentence('{0} from {1} is not the file that was expected.', path.basename(to), hostOf(url)));
    await handle.sync();
  } catch (error) {
    signal?.throwIfAborted();
    // A full disk is no fault of the server.
    if (isKaizenError(error) || (error as NodeJS.ErrnoException).syscall === 'write') throw error;
    const why = stalled.signal.aborted ? sentence('nothing came for a minute') : networkFault(error);
    throw failed(sentence('{0} could not be had from {1}: {2}.', path.basename(to), hostOf(url), why), error);
  } finally {
    await handle.close();
  }
}

interface Receiving {
  limit: number;
  onProgress(bytes: number): void;
  stalled: AbortController;
  signal: AbortSignal | undefined;
}

/** Writes what is sent and returns its checksum. */
async function receive(
  url: string,
  handle: FileHandle,
  { limit, onProgress, stalled, signal }: Receiving,
): Promise<string> {
  const watch = setTimeout(() => stalled.abort(), STALLED_MS);
  try {
    return await within({ signals: [stalled.signal, signal] }, async (ending) => {
      const response = await fetch(url, { signal: ending });
      if (!response.ok) throw new Unsendable(sentence('the server says {0}', response.status));
      const hash = createHash('sha256');
      let size = 0;
      for await (const chunk of response.body ?? []) {
        watch.refresh();
        size += chunk.length;
        if (size > limit) throw new Unsendable(sentence('it is larger than it should be'));
        hash.update(chunk);
        await handle.appendFile(chunk);
        onProgress(size);
      }
      return hash.digest('hex');
    });
  } finally {
    clearTimeout(watch);
  }
}

function addressOf({ from }: ModelFile, sources: InstallOptions['sources']): string {
  const base = sources?.[from.source] ?? sourcesInUse()[from.source];
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    // Without what it says, which may be a password.
    throw failed(
      sentence('{0} has to be an address that begins with https://, without a password.', VARIABLES[from.source]),
    );
  }
  return `${base.replace(/\/+$/, '')}/${from.path}`;
}

/** What crashed downloads left behind. */
async function removeAbandoned(modelsDirectory: string): Promise<void> {
  const names = await readdir(modelsDirectory).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PARTIAL))) {
    const folder = path.join(modelsDirectory, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > DAY_MS) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function networkFault(error: unknown): Sentence | string {
  if (error instanceof Unsendable) return error.said;
  const cause = (error as Error).cause;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? describeError(cause ?? error);
}

function failed(message: Sentence, cause?: unknown): KaizenError {
  const hint = sentence('Nothing was changed. Try again, or give another address of the files (docs/search.md).');
  return new KaizenError('embedding_failed', sentence('The local model is not installed. {0}', message), hint, {
    cause,
  });
}

/** What a server answers that is not the file. */
class Unsendable extends Error {
  constructor(readonly said: Sentence) {
    super(String(said));
  }
}
