import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { UsageError } from '../../command';

/** What is looked for in a folder; a file that is named itself may be called anything. */
const READABLE: ReadonlySet<string> = new Set(['.pdf', '.docx', '.md', '.markdown', '.html', '.htm', '.txt']);
const SKIPPED: ReadonlySet<string> = new Set(['node_modules']);
const MAX_FILES = 10_000;

/** The sources as they are to be added: in place of a folder its files, and those below it, by name. */
export async function sourcesOf(words: readonly string[]): Promise<string[]> {
  const sources: string[] = [];
  for (const word of words) {
    const isFolder = !/^[a-z][a-z0-9+.-]+:/i.test(word) && (await isDirectory(word));
    sources.push(...(isFolder ? await filesBelow(word) : [word]));
    if (sources.length > MAX_FILES) throw new UsageError(`There are more than ${MAX_FILES} files: add fewer at once.`);
  }
  return sources;
}

async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || SKIPPED.has(entry.name) || found.length > MAX_FILES) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await filesBelow(path)));
    else if (entry.isFile() && READABLE.has(extname(entry.name).toLowerCase())) found.push(path);
  }
  return found;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
