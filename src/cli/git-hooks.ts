import { execFile } from 'node:child_process';
import { lstat, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { KaizenError } from '../core/errors';
import { posixWord } from '../core/shell-words';
import type { Terminal } from './terminal';

/** After which the files of a repository may be others. */
const HOOKS = ['post-commit', 'post-merge', 'post-checkout', 'post-rewrite'];
const BEGIN = '# >>> kaizen index >>>';
const END = '# <<< kaizen index <<<';
const SHELL = '#!/bin/sh\n';

/** Installs the hooks of the folder's repository; returns the exit code, 1 where one of somebody else was in the way. */
export async function installHooks(workspace: string, call: readonly string[], terminal: Terminal): Promise<number> {
  const { folder, isOwn } = await hooksFolder(workspace);
  const line = lineOf(call);
  if (!isOwn) {
    terminal.say(`Hooks are in ${folder}, outside of this repository, and may serve others too; nothing was changed.`);
    terminal.say(`To index after each commit, add this line to ${HOOKS.join(', ')} there:\n${line}`);
    return 1;
  }
  await mkdir(folder, { recursive: true });
  const inTheWay: string[] = [];
  for (const hook of HOOKS) {
    const path = join(folder, hook);
    const before = await hookText(path);
    const block = `${BEGIN}\n# "kaizen index --uninstall-hook" takes this away.\n${line}\n${END}\n`;
    if (before === undefined) await writeFile(path, `${SHELL}${block}`, { mode: 0o755, flag: 'wx' });
    else if (hasBlock(before)) await writeFile(path, withBlock(before, block));
    else inTheWay.push(hook);
  }
  const done = HOOKS.filter((hook) => !inTheWay.includes(hook));
  if (done.length > 0) terminal.out(`Installed in ${folder}: ${done.join(', ')}.`);
  if (inTheWay.length === 0) return 0;
  terminal.say(`There are hooks of somebody else, which were not changed: ${inTheWay.join(', ')}.`);
  terminal.say(`Add this line to them:\n${line}`);
  return 1;
}

/** Takes the hooks away again, and nothing that somebody else wrote. */
export async function uninstallHooks(workspace: string, terminal: Terminal): Promise<number> {
  const { folder } = await hooksFolder(workspace);
  const done: string[] = [];
  for (const hook of HOOKS) {
    const path = join(folder, hook);
    const before = await hookText(path);
    if (before === undefined || !hasBlock(before)) continue;
    const after = withBlock(before, '');
    if (after.trim() === SHELL.trim()) await rm(path);
    else await writeFile(path, after);
    done.push(hook);
  }
  terminal.out(done.length > 0 ? `Removed from ${folder}: ${done.join(', ')}.` : 'There was nothing to remove.');
  return 0;
}

/** Where git looks for hooks (`core.hooksPath` included), and whether that is part of this repository. */
async function hooksFolder(workspace: string): Promise<{ folder: string; isOwn: boolean }> {
  const ask = ['-C', workspace, 'rev-parse', '--git-path', 'hooks', '--git-common-dir', '--show-toplevel'];
  const answer = await promisify(execFile)('git', ask, { encoding: 'utf8', windowsHide: true }).catch((error) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const message = isMissing ? 'git is not installed, or not in PATH.' : `${workspace} is not in a git repository.`;
    throw new KaizenError('invalid_argument', message, 'Hooks belong to a repository: run this inside of one.');
  });
  const [hooks = '', ...own] = answer.stdout
    .trim()
    .split(/\r?\n/)
    .map((path) => resolve(workspace, path));
  const folder = await realpath(hooks).catch(() => hooks);
  const roots = await Promise.all(own.map((path) => realpath(path).catch(() => path)));
  return { folder, isOwn: roots.some((root) => `${folder}${sep}`.startsWith(`${root}${sep}`)) };
}

/** Undefined where there is no hook. A link, or what is no text, is somebody else's: empty. */
async function hookText(path: string): Promise<string | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return undefined;
  return stats.isFile() ? readFile(path, 'utf8') : '';
}

function hasBlock(text: string): boolean {
  const start = text.indexOf(BEGIN);
  return start >= 0 && text.includes(END, start);
}

/** In the place of the one that is there. */
function withBlock(text: string, block: string): string {
  const start = text.indexOf(BEGIN);
  const rest = text.slice(text.indexOf(END, start) + END.length).replace(/^\r?\n/, '');
  return text.slice(0, start) + block + rest;
}

/** In the background, so that nobody waits for it; by `kaizen` where that is known, else by this very program. */
function lineOf(call: readonly string[]): string {
  const words = call.map((word) => posixWord(word)).join(' ');
  const self = [process.execPath, resolve(process.argv[1] ?? '')].map((word) => posixWord(word)).join(' ');
  return `{ if command -v kaizen >/dev/null; then kaizen ${words}; else ${self} ${words}; fi; } >/dev/null 2>&1 </dev/null &`;
}
