// Finds PostgreSQL's programs for the tests of the registry, and installs Debian's package where they are missing and
// that can be done: node tools/postgres/setup.mjs
// Exit code: 0 there, 3 not there; the tests then run on PGlite.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
    withoutCluster(installPackage);
    const is = findPostgres() ? 'done' : 'failed';
    say(`Debian's package postgresql: ${is} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
  if (findPostgres()) return true;
  say('there is no PostgreSQL here: the registry is tested on PGlite, and what takes a real server is skipped');
  return false;
}

function installPackage() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' };
  /** @param {string[]} what */
  const apt = (...what) =>
    spawnSync('apt-get', ['--quiet', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20', ...what], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env,
    }).status === 0;
  const install = () => apt('install', '--yes', '--no-install-recommends', 'postgresql');
  if (!install() && apt('update')) install();
}

/** Debian's package makes a database of the system's own and starts its server, unless this file says otherwise.
 * @param {() => void} install */
function withoutCluster(install) {
  const file = '/etc/postgresql-common/createcluster.conf';
  if (existsSync(file)) return install();
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'create_main_cluster = false\n');
  try {
    install();
  } finally {
    rmSync(file, { force: true });
  }
}

if (isMain(import.meta.url)) process.exitCode = setUpPostgres() ? 0 : 3;
