import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const CLI = resolve('dist/cli.js');

/** A folder for one test, with a person's home in it. */
export interface Scratch {
  /** Real path. */
  root: string;
  home: string;
  /** In which nothing leads out of the folder. */
  environment: Record<string, string>;
  /** Every file and folder by name, with the time of its last change and what is in it. */
  tree(): { name: string; changed: number; text: string }[];
  /** Runs the built command line in a folder; without anybody to ask. */
  kaizen(folder: string, ...args: string[]): { code: number | null; stdout: string; stderr: string };
}

/** A new one for each test of the suite that calls this. */
export function useScratch(): Scratch {
  const scratch = { root: '', home: '', environment: {}, tree: () => treeOf(scratch.root), kaizen };
  function kaizen(folder: string, ...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
      ...{ cwd: folder, env: scratch.environment, encoding: 'utf8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+\)?$/m, 'no stack trace is shown to a person');
    return { code: status, stdout, stderr };
  }
  beforeEach(() => {
    scratch.root = realpathSync.native(mkdtempSync(join(tmpdir(), 'kaizen-scratch-')));
    scratch.home = join(scratch.root, 'home');
    mkdirSync(scratch.home);
    const { PATH = '', SystemRoot = '' } = process.env;
    const { home } = scratch;
    const places = { HOME: home, USERPROFILE: home, XDG_DATA_HOME: home, APPDATA: home, LOCALAPPDATA: home };
    scratch.environment = { PATH, SystemRoot, ...places };
  });
  afterEach(() => rmSync(scratch.root, { recursive: true, force: true, maxRetries: 3 }));
  return scratch;
}

function treeOf(root: string): ReturnType<Scratch['tree']> {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stats = statSync(join(root, name));
      return { name, changed: stats.mtimeMs, text: stats.isFile() ? readFileSync(join(root, name), 'latin1') : '' };
    });
}
