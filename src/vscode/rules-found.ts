import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { foldersOnDisk } from './folders-on-disk';

/** Where other tools keep what holds for a whole folder: what a look without a walk finds. */
const FILES = [
  'AGENTS.md',
  'CLAUDE.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  '.clinerules',
  '.windsurfrules',
];
const FOLDERS = [
  '.cursor/rules',
  '.github/instructions',
  '.clinerules',
  '.windsurf/rules',
  'docs/adr',
  'docs/decisions',
];
const LARGEST = 1_000_000;
/** Around what Kaizen wrote itself, which is nothing to import. */
const BEGIN = /^\s*<!--\s*kaizen:(?:[\w-]+:)?begin\b/;
const END = /^\s*<!--\s*kaizen:(?:[\w-]+:)?end\b/;

/** A folder of the window, and what other tools keep in it. */
export interface FolderRules {
  folder: vscode.WorkspaceFolder;
  /** Names of files and folders, the most usual first; at least one. */
  names: readonly string[];
}

/**
 * Those folders of the window that hold rules of other tools, in the window's order; none in Restricted Mode. Looks at a
 * dozen places in each and walks nowhere.
 */
export async function rulesFound(): Promise<FolderRules[]> {
  if (!vscode.workspace.isTrusted) return [];
  const all = await Promise.all(
    foldersOnDisk().map(async (folder) => ({ folder, names: await namesIn(folder.uri.fsPath) })),
  );
  return all.filter(({ names }) => names.length > 0);
}

async function namesIn(root: string): Promise<string[]> {
  const found = await Promise.all([
    ...FILES.map(async (name) => ((await holdsText(path.join(root, name))) ? name : '')),
    ...FOLDERS.map(async (name) => ((await holdsFiles(path.join(root, name))) ? name : '')),
  ]);
  return found.filter((name) => name !== '');
}

async function holdsText(file: string): Promise<boolean> {
  try {
    const { size, isFile } = await lstat(file).then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
    if (!isFile || size === 0 || size > LARGEST) return false;
    return hasOwnText(await readFile(file, 'utf8'));
  } catch {
    return false;
  }
}

/** A mark that is not closed marks nothing. */
function hasOwnText(text: string): boolean {
  let isOpen = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (isOpen) isOpen = !END.test(line);
    else if (BEGIN.test(line)) isOpen = true;
    else if (line.trim() !== '') return true;
  }
  return isOpen;
}

async function holdsFiles(folder: string): Promise<boolean> {
  try {
    if (!(await lstat(folder)).isDirectory()) return false;
    return (await readdir(folder)).some((name) => /\.(?:mdc?|txt)$/i.test(name) && !/^kaizen\b/i.test(name));
  } catch {
    return false;
  }
}
