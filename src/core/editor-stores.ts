import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type Platform, realPath, thisPlatform, userDataDirectory } from './locations';
import { renamePatiently } from './rename';
import { sha256 } from './sha256';

/**
 * Which stores the editor has for a folder, told to programs outside of it (`KAIZEN_STORES=editor`): one small file a
 * workspace folder under `editor-stores` in Kaizen's data directory. Synchronous and lean, because a hook reads it.
 */

/** What the editor tells of one workspace folder. */
export interface EditorStores {
  format: 1;
  /** The folder that is open in the editor, absolute. */
  workspace: string;
  /** The workspace's and the shared store's directory, absolute. */
  data: string;
  shared: string;
  /** The current project's scope. */
  project: string;
  /** What becomes of what agents write, as the person wants it in the editor; the server allows no more. */
  agentWrites?: 'allow' | 'review' | 'deny' | undefined;
  /** How hooks answer here; what is missing is as it is when nobody sets anything. */
  hooks: {
    /** Tokens that a session's brief may take. */
    budget?: number | undefined;
    /** Whether an agent that stops is reminded to store what it did. */
    reminder?: boolean | undefined;
  };
}

/** The environment variable by which the launcher says that the editor's stores are meant, and its only value. */
export const STORES_VARIABLE = 'KAIZEN_STORES';
export const EDITOR_STORES = 'editor';

/** Bytes; a path is at most 32,767 characters long on any platform, and there are three. */
const MOST_BYTES = 512 * 1024;

/** Where the record of a folder is. `folder` is a real path. */
function recordFile(folder: string, platform: Platform): string {
  const hash = sha256(folder).slice(0, 24);
  return join(userDataDirectory(platform), 'editor-stores', `${hash}.json`);
}

/**
 * Keeps a record, in the place of the folder's former one; the file is the person's own (0600) and there whole or not at
 * all. Nothing is written where it says the same already, nor, with `yields`, where the folder has a record of another
 * data directory, which is there. Throws the system's error when it cannot be written.
 */
export async function rememberEditorStores(
  record: EditorStores,
  { yields = false, platform = thisPlatform() }: { yields?: boolean; platform?: Platform } = {},
): Promise<void> {
  const workspace = realPath(resolve(record.workspace));
  const former = yields ? recordOf(workspace, platform) : undefined;
  if (former && former.data !== record.data) return;
  const file = recordFile(workspace, platform);
  const text = `${JSON.stringify({ ...record, workspace }, null, 2)}\n`;
  if (readText(file) === text) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Hooks, which only read, load nothing of it.
  const { randomBytes } = await import('node:crypto');
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    chmodSync(beside, 0o600);
    await renamePatiently(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Removes the record of a folder, if it names this data directory; another window's stays. */
export function forgetEditorStores(workspace: string, data: string, platform: Platform = thisPlatform()): void {
  const folder = realPath(resolve(workspace));
  const file = recordFile(folder, platform);
  const record = readRecord(readText(file));
  if (!record || record.data === data) rmSync(file, { force: true });
}

/**
 * The record of the folder, or of the nearest one above it that has one. A record that is damaged, is about another
 * folder or names a data directory that is gone is passed over. Undefined where there is none; never throws.
 */
export function editorStoresFor(folder: string, platform: Platform = thisPlatform()): EditorStores | undefined {
  for (let current = realPath(resolve(folder)); ; current = dirname(current)) {
    const record = recordOf(current, platform);
    if (record) return record;
    if (dirname(current) === current) return undefined;
  }
}

/** Of this very folder. */
function recordOf(folder: string, platform: Platform): EditorStores | undefined {
  const record = readRecord(readText(recordFile(folder, platform)));
  return record?.workspace === folder && isDirectory(record.data) ? record : undefined;
}

function readRecord(text: string | undefined): EditorStores | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  if (!isObject(value) || value.format !== 1) return undefined;
  const { workspace, data, shared, project, agentWrites, hooks } = value;
  if (!isPath(workspace) || !isPath(data) || !isPath(shared)) return undefined;
  if (typeof project !== 'string' || project === '') return undefined;
  const { budget, reminder } = isObject(hooks) ? hooks : {};
  return {
    format: 1,
    workspace,
    data,
    shared,
    project,
    // What is misspelt must not allow what the person did not.
    ...(agentWrites === undefined ? {} : { agentWrites: readWrites(agentWrites) }),
    hooks: {
      ...(typeof budget === 'number' && Number.isSafeInteger(budget) && budget > 0 ? { budget } : {}),
      ...(typeof reminder === 'boolean' ? { reminder } : {}),
    },
  };
}

function readWrites(value: unknown): NonNullable<EditorStores['agentWrites']> {
  return value === 'allow' || value === 'review' ? value : 'deny';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && isAbsolute(value) && !value.includes('\0');
}

/** Undefined when there is no such file, it may not be read or is larger than a record can be. */
function readText(file: string): string | undefined {
  try {
    return statSync(file).size > MOST_BYTES ? undefined : readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
