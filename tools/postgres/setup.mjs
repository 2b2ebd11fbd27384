// Finds PostgreSQL's programs for the tests of the registry, and installs Debian's package where they are missing and
// that can be done: node tools/postgres/setup.mjs
// Exit code: 0 there, 3 not there; the tests then run on PGlite.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isMain } from '../main.mjs';

/** @param {string} line */
const say = (line) => console.log(`[setup] ${line}`);

const ending = process.platform === 'win32' ? '.exe' : '';

/** Folders that hold one folder for each version, and where in that the programs lie. */
const installations = [
  ['/usr/lib/postgresql', 'bin'], // Debian, Ubuntu
  ['/opt/homebrew/opt', 'bin'],
  ['/usr/local/opt', 'bin'],
  [path.join(process.env.ProgramFiles ?? 'C:\\Program Files', 'PostgreSQL'), 'bin'],
];

/** @returns {string | undefined} the folder of `initdb` and `postgres`; the newest where there are several */
export function findPostgres() {
  const inPath = (process.env.PATH ?? '').split(path.delimiter);
  return [...installations.flatMap(([folder = '', bin = '']) => versionsIn(folder, bin)), ...inPath].find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(path.join(folder, name + ending))),
  );
}

/** @param {string} folder @param {string} bin */
function versionsIn(folder, bin) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^(postgresql(@\d+)?|\d+)$/.test(name))
    .sort((a, b) => Number(/\d+$/.exec(b)?.[0] ?? 99) - Number(/\d+$/.exec(a)?.[0] ?? 99))
    .map((name) => path.join(folder, name, bin));
}

/** Installs what is missing; quick and silent when nothing is.
 * @returns {boolean} whether there is a server */
export function setUpPostgres() {
  if (findPostgres()) return true;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const start = Date.now();
    say("Debian's package postgresql …");
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    /** @type {import('node:child_process').SpawnSyncOptions} */
    const options = { stdio: ['ignore', 'ignore', 'inherit'], env };
    const install = () =>
      spawnSync('apt-get', ['install', '--yes', '--quiet', '--no-install-recommends', 'postgresql'], options);
    if (install().status !== 0) {
      spawnSync('apt-get', ['update', '--quiet'], options);
      install();
    }
    const is = findPostgres() ? 'done' : 'failed';
    say(`Debian's package postgresql: ${is} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
  if (findPostgres()) return true;
  say('there is no PostgreSQL here: the registry is tested on PGlite, and what takes a real server is skipped');
  return false;
}

if (isMain(import.meta.url)) process.exitCode = setUpPostgres() ? 0 : 3;
