// Starts and stops the packaged VS Code server and a browser for its workbench.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from './chromium.mjs';
import { packagedNode, projectRoot, serverMain } from './paths.mjs';

/** Keeps VS Code quiet, offline and the same on every run. */
export const quietSettings = {
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'remote.autoForwardPorts': false, // other processes' ports are none of its business
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * @typedef {object} ServerOptions
 * @property {string[]} [vsix] packaged extensions to install first
 * @property {Record<string, unknown>} [settings] the person's settings, on top of `quietSettings`
 * @property {Record<string, string>} [userFiles] further files of the person's settings folder, name → text
 * @property {NodeJS.ProcessEnv} [env] what the server, and with it every extension, sees beside this process's own
 * @property {boolean} [testDriver] lets the workbench's address name an extension and tests to run
 * @property {string} [language] the display language, such as `de`: extensions are translated, VS Code's own texts are not
 * @property {boolean} [trustWorkspaces] false leaves workspace trust as a person has it; true (the default) turns it off
 * @property {string} [home] a directory to keep; without it one is made and removed at the end
 * @property {number} [port] 0, the default, takes a free one
 *
 * @typedef {object} Server
 * @property {string} authority host and port
 * @property {string} logs the directory of VS Code's own logs
 * @property {string} home the person's own directory, with their data in .local/share
 * @property {string} user the directory of the person's settings, and of what VS Code keeps for extensions
 * @property {(folder: string, payload?: [string, string][]) => string} url the workbench's address on a folder, or on a `.code-workspace`
 * @property {() => Promise<void>} stop ends the server and all that it started
 */

/** Servers that still run. Should this process end in a hurry, they must not outlive it.
 * @type {Map<number, string | undefined>} process id → directory to remove */
const running = new Map();

/** @param {number} group
 * @param {NodeJS.Signals} signal */
function killGroup(group, signal) {
  try {
    process.kill(-group, signal);
  } catch {
    // Already gone.
  }
}

function endAllAtOnce() {
  for (const [group, home] of running) {
    killGroup(group, 'SIGKILL');
    if (home) rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
  running.clear();
}

let watchesOwnEnd = false;
function watchOwnEnd() {
  if (watchesOwnEnd) return;
  watchesOwnEnd = true;
  process.once('exit', endAllAtOnce);
  for (const [signal, number] of /** @type {const} */ ([
    ['SIGTERM', 15],
    ['SIGHUP', 1],
    ['SIGINT', 2],
  ])) {
    // Whoever has a handler of his own (mocha for SIGINT, `npm start` for all) decides himself when to end.
    if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(128 + number));
  }
}

/** This process's environment without what would make VS Code or npm behave as if started from
 * within themselves, or an extension read stores that are not the test's.
 * @param {NodeJS.ProcessEnv} [extra] */
export function cleanEnvironment(extra = {}) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|npm_|ELECTRON_|KAIZEN_|NODE_OPTIONS)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...extra };
}

/** Starts the server, ready in well under a second.
 * @param {ServerOptions} [options]
 * @returns {Promise<Server>} */
export async function startServer(options = {}) {
  const { vsix = [], settings = {}, userFiles = {}, env = {}, language } = options;
  const { testDriver = false, trustWorkspaces = true } = options;
  // A short name: the sockets below it must stay within the 108 bytes a Unix socket's path may have.
  const home = options.home ?? mkdtempSync(path.join(tmpdir(), 'kzv-'));
  const data = path.join(home, 'server');
  const user = path.join(data, 'data/User');
  const sockets = path.join(home, 't');
  const machine = path.join(data, 'data/Machine');
  for (const directory of [user, machine, sockets, path.join(home, 'extensions')])
    mkdirSync(directory, { recursive: true });
  const trust = { 'security.workspace.trust.enabled': !trustWorkspaces };
  const allSettings = { ...quietSettings, ...trust, ...settings };
  const ofMachine = machineSettings();
  writeSettings(user, allSettings, (name) => !ofMachine.has(name));
  writeSettings(machine, allSettings, (name) => ofMachine.has(name));
  for (const [name, text] of Object.entries(userFiles)) writeFileSync(path.join(user, name), text);
  if (language) chooseLanguage(language, path.join(data, 'data'));

  const environment = cleanEnvironment({
    HOME: home,
    XDG_DATA_HOME: path.join(home, '.local/share'),
    TMPDIR: sockets,
    XDG_RUNTIME_DIR: sockets,
    EXTENSIONS_GALLERY: '{"serviceUrl":""}', // looks nothing up in a gallery
    ...env,
  });
  const common = [
    ...['--server-data-dir', data, '--extensions-dir', path.join(home, 'extensions')],
    ...['--accept-server-license-terms', '--telemetry-level', 'off'],
  ];
  for (const file of vsix) installExtension(file, common, environment);

  const token = randomBytes(16).toString('hex');
  const args = [
    ...['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--connection-token', token],
    ...(trustWorkspaces ? ['--disable-workspace-trust'] : []),
    ...(language ? ['--locale', language] : []),
    // Without it a built VS Code silently ignores the extension and the tests that an address names.
    ...(testDriver ? ['--enable-smoke-test-driver'] : []),
  ];
  const child = spawn(packagedNode, [serverMain, ...args, ...common], {
    // A process group of its own: extension hosts and file watchers outlive the main process otherwise.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  });
  const group = /** @type {number} */ (child.pid);
  const log = createWriteStream(path.join(home, 'server.log'));
  watchOwnEnd();
  running.set(group, options.home ? undefined : home);

  async function stop() {
    running.delete(group);
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    const ended = hasEnded ? Promise.resolve() : new Promise((resolve) => child.once('exit', resolve));
    killGroup(group, 'SIGTERM');
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 3000).unref())]);
    killGroup(group, 'SIGKILL');
    await new Promise((resolve) => log.end(() => resolve(undefined)));
    if (!options.home) rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  try {
    const authority = `127.0.0.1:${await listeningPort(child, log)}`;
    return {
      authority,
      logs: path.join(data, 'data/logs'),
      home,
      user,
      url: (folder, payload = []) => {
        const url = new URL(`http://${authority}/`);
        url.searchParams.set('tkn', token);
        url.searchParams.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', folder);
        if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
        return url.toString();
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param {string} directory
 * @param {Record<string, unknown>} settings
 * @param {(name: string) => boolean} isHere */
function writeSettings(directory, settings, isHere) {
  const here = Object.fromEntries(Object.entries(settings).filter(([name]) => isHere(name)));
  writeFileSync(path.join(directory, 'settings.json'), `${JSON.stringify(here, null, 2)}\n`);
}

/**
 * The settings that hold for a machine. A window on a server takes them from the server's own file; from the person's it
 * takes them only when that is read before the extension has said whose they are, which differs from start to start.
 * @returns {Set<string>}
 */
function machineSettings() {
  const { contributes } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
  /** @type {{ properties: Record<string, { scope?: string }> }[]} */
  const sections = [contributes.configuration].flat();
  const settings = sections.flatMap(({ properties }) => Object.entries(properties));
  return new Set(settings.filter(([, { scope }]) => scope === 'machine').map(([name]) => name));
}

/** Has VS Code believe that a language pack is installed, for it speaks no language without one. The pack is empty: VS
 * Code's own texts stay English, and no pack has to be fetched.
 * @param {string} language
 * @param {string} userData */
function chooseLanguage(language, userData) {
  const texts = path.join(userData, 'vscode-texts.json');
  writeFileSync(texts, '{ "contents": {} }\n');
  const extensions = [{ extensionIdentifier: { id: `test.language-pack-${language}` }, version: '1.0.0' }];
  const pack = { hash: 'empty', extensions, label: language, translations: { vscode: texts } };
  writeFileSync(path.join(userData, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/** @param {string} file
 * @param {string[]} serverArgs
 * @param {NodeJS.ProcessEnv} env */
function installExtension(file, serverArgs, env) {
  const args = [serverMain, ...serverArgs, '--install-extension', file, '--force'];
  const { status, stdout, stderr } = spawnSync(packagedNode, args, { encoding: 'utf8', env, timeout: 60_000 });
  if (status !== 0 || !/successfully installed/.test(stdout)) {
    throw new Error(`VS Code did not install ${file}:\n${stdout ?? ''}${stderr ?? ''}`);
  }
}

/** @param {import('node:child_process').ChildProcess} child
 * @param {import('node:fs').WriteStream} log
 * @returns {Promise<number>} the port it listens on, once it does */
function listeningPort(child, log) {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`The VS Code server was not ready in 30 s:\n${said}`)), 30_000);
    /** @param {Buffer} chunk */
    const listen = (chunk) => {
      log.write(chunk);
      if (said.length > 20_000) return;
      said += chunk;
      const port = /Extension host agent listening on (\d+)/.exec(said)?.[1];
      if (!port) return;
      clearTimeout(timer);
      resolve(Number(port));
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The VS Code server ended with ${code}:\n${said}`));
    });
  });
}

/** Opens a browser window.
 * @param {{ width?: number, height?: number }} [options]
 * @returns {Promise<{ browser: import('playwright-core').Browser, page: import('playwright-core').Page }>} */
export async function openBrowser({ width = 1280, height = 800 } = {}) {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium here. Run: node tools/vscode/setup.mjs');
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      // Containers and CI run this as root or without user namespaces; the only site it ever opens is the server above.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'en-US',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return { browser, page: await context.newPage() };
}
