import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const CLI = path.resolve('dist/cli.js');
const TOKEN = 'contract-test-token';

/** Store directories of their own, so that a test never meets what a person or another test has stored. */
export interface Stores {
  flags: string[];
  remove(): void;
}

export function temporaryStores(): Stores {
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-contract-'));
  return {
    flags: ['--data', path.join(root, 'workspace'), '--shared', path.join(root, 'shared')],
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Arguments to Node that run the built server as a person or an editor would. */
export function serverArguments(...flags: string[]): string[] {
  return [CLI, 'mcp', ...flags];
}

/** The built server on stdio, with all that it writes. */
export function spawnStdio(...flags: string[]) {
  const child = spawn(process.execPath, serverArguments(...flags), { stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  return { child, output, exited: exitOf(child) };
}

export interface HttpProcess {
  url: URL;
  token: string;
  stderr(): string;
  stop(): Promise<void>;
}

/** The built server on a free port; resolves when it says that it listens. A token of null lets it make its own. */
export async function startHttp(flags: string[], given: string | null = TOKEN): Promise<HttpProcess> {
  const all = serverArguments('--http', '0', ...(given === null ? [] : ['--token', given]), ...flags);
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = exitOf(child);
  let stderr = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (/listening on \S+\n/.test(stderr) && (given !== null || /token: \S+\n/.test(stderr))) resolve();
    });
    void exited.then((code) => reject(new Error(`The server ended with ${code}: ${stderr}`)));
  });
  await ready;
  return {
    url: new URL(/listening on (\S+)/.exec(stderr)?.[1] ?? ''),
    token: given ?? /token: (\S+)/.exec(stderr)?.[1] ?? '',
    stderr: () => stderr,
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', resolve));
}
