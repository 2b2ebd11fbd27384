import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const CLI = path.resolve('dist/cli.js');

const entry = (keyword: string, content: string, metaknowledge: Record<string, string> = {}) => {
  return { type: 'entry', scope: 'general', category: 'DATA', keyword, content, metaknowledge };
};
const rule = (level: string, keyword: string, globs: string) =>
  entry(keyword, `${level}: ${keyword} is about ${globs}.`, {
    APPLIES_TO: globs,
    REASON: `${keyword} went wrong once.`,
  });
const KNOWLEDGE = [
  { type: 'kaizen', format: 1 },
  { type: 'scope', id: 'general', tier: 'GENERAL', name: 'General', description: '' },
  rule('DANGER', 'MIGRATIONS', 'migrations/**'),
  rule('DANGER', 'REFUNDS', 'src/payments/refunds.ts'),
  rule('WARNING', 'CHARGES', 'src/payments/charges.ts'),
  rule('WARNING', 'WARN_FILE', 'warn.txt'),
  entry('BACKUP', 'WARNING: There is no backup of the test data.'),
];

/** A folder with files that rules are about, its stores, and a home that is nobody's. */
export interface GuardedWorkspace {
  root: string;
  folder: string;
  env: Record<string, string>;
  /** The flags that say which knowledge is meant. */
  flags: string[];
  /** What the built `kaizen` prints; throws when it fails. */
  kaizen(...args: string[]): string;
  /** What a hook answers; fails when it is not JSON or the exit code is not 0. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at it field by field
  hook(event: string, input: unknown, ...flags: string[]): Promise<any>;
  remove(): void;
}

export function guardedWorkspace(): GuardedWorkspace {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'kaizen-guarded-')));
  const folder = path.join(root, 'shop');
  const home = path.join(root, 'home');
  for (const [name, text] of Object.entries({
    'migrations/1.sql': 'select 1;\n',
    'src/payments/refunds.ts': "import { inTransaction } from '../db/pool.js';\n",
    'src/payments/charges.ts': "import type { PoolClient } from 'pg';\n",
    'warn.txt': 'one\n',
    'a.txt': 'one\n',
  })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  mkdirSync(home);
  const { PATH = '', SystemRoot = '' } = process.env;
  const env = { PATH, SystemRoot, HOME: home, USERPROFILE: home, XDG_DATA_HOME: home, LOCALAPPDATA: home };
  const flags = ['--data', path.join(root, 'data'), '--shared', path.join(root, 'shared')];
  const options = { cwd: folder, env, encoding: 'utf8' } as const;
  const kaizen = (...args: string[]) => execFileSync(process.execPath, [CLI, ...args, ...flags], options);
  const knowledge = path.join(root, 'knowledge.jsonl');
  writeFileSync(knowledge, KNOWLEDGE.map((line) => `${JSON.stringify(line)}\n`).join(''));
  kaizen('import', knowledge);
  return {
    root,
    folder,
    env,
    flags,
    kaizen,
    async hook(event, input, ...more) {
      const child = spawn(process.execPath, [CLI, 'hook', event, ...flags, ...more], { cwd: folder, env });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
      child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw new Error(`kaizen hook ${event} ended with ${code}`);
      return JSON.parse(text);
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}
