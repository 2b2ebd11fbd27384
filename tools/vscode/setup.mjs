// Installs the packaged VS Code and a browser for it, unless they are there: node tools/vscode/setup.mjs
// Exit code: 0 there, 1 failed, 3 this platform has no packaged VS Code.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isMain } from '../main.mjs';
import { ensureChromium } from './chromium.mjs';
import { hostRoot, otherPlatformAdvice, packagedNodeRoot, packagedVSCode, platformHasPackagedHost } from './paths.mjs';

/** Raised when the steps below change, so that an installation made by older steps is made anew. */
const recipe = 2;
const stampFile = path.join(hostRoot, 'node_modules/.installed');

/** Parts of VS Code that no test needs and that weigh 190 MB: the runtime of the Copilot command line. */
const notNeeded = ['@github/copilot-sdk-linux-x64', '@microsoft/mxc-sdk'];

/** The native modules worth building; the others ship prebuilt or are not missed. VS Code runs without these two. */
const native = {
  '@vscode/spdlog': { file: 'build/Release/spdlog.node', without: 'VS Code writes no log files' },
  '@vscode/native-watchdog': { file: 'build/Release/watchdog.node', without: 'a killed VS Code may leave a process' },
};

/** @param {string} line */
const say = (line) => console.log(`[setup] ${line}`);

function expectedStamp() {
  const lock = readFileSync(path.join(hostRoot, 'package-lock.json'));
  return `${recipe} ${createHash('sha256').update(lock).digest('hex')}`;
}

/** @returns {boolean} whether the packaged VS Code of this very lock file is installed */
export function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === expectedStamp();
}

/** @param {string} what
 * @param {string} directory
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {boolean} whether npm succeeded */
function npm(what, directory, args, env = {}) {
  const start = Date.now();
  say(`${what} …`);
  const { status } = spawnSync('npm', [...args, '--loglevel=error', '--no-fund', '--no-audit'], {
    cwd: directory,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  say(`${what}: ${status === 0 ? 'done' : 'failed'} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  return status === 0;
}

function installVSCode() {
  rmSync(stampFile, { force: true });
  // Without scripts: code-server's own postinstall insists on its Node and builds what needs system libraries.
  if (!npm('packages: VS Code server and its Node', hostRoot, ['ci', '--ignore-scripts'])) {
    throw new Error('npm could not install the packaged VS Code; its message is above.');
  }
  // What that postinstall would have done. VS Code's shrinkwrap leaves a peer out, which npm refuses by default.
  const dependencies = ['ci', '--omit=dev', '--ignore-scripts', '--legacy-peer-deps'];
  if (!npm("packages: VS Code's own dependencies", packagedVSCode, dependencies)) {
    throw new Error("npm could not install VS Code's own dependencies; its message is above.");
  }
  npm('native modules', packagedVSCode, ['rebuild', '--ignore-scripts=false', ...Object.keys(native)], {
    PATH: [path.join(packagedNodeRoot, 'bin'), process.env.PATH].join(path.delimiter),
    npm_config_nodedir: packagedNodeRoot,
  });
  for (const [name, { file, without }] of Object.entries(native)) {
    if (existsSync(path.join(packagedVSCode, 'node_modules', name, file))) continue;
    say(`${name} was not built (it takes python3, make and g++): ${without}`);
  }
  for (const name of notNeeded) {
    rmSync(path.join(packagedVSCode, 'node_modules', name), { recursive: true, force: true });
  }
  writeFileSync(stampFile, expectedStamp());
}

/** Installs what is missing; quick and silent when nothing is.
 * @throws with a sentence for the person when it cannot be installed */
export function setUp() {
  const start = Date.now();
  const missing = !isInstalled();
  if (missing) installVSCode();
  const browser = ensureChromium(say);
  if (missing) say(`ready in ${((Date.now() - start) / 1000).toFixed(1)} s, browser: ${browser}`);
}

if (isMain(import.meta.url)) {
  if (!platformHasPackagedHost()) {
    say(otherPlatformAdvice);
    process.exit(3);
  }
  try {
    const start = Date.now();
    const wasThere = isInstalled();
    setUp();
    if (wasThere) say(`everything is there (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}
