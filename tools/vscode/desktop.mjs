// Finds a desktop VS Code: the one named, the one on the PATH, or one that @vscode/test-electron may download.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath } from '@vscode/test-electron';
import { cleanEnvironment } from './host.mjs';
import { projectRoot } from './paths.mjs';

/**
 * @typedef {object} Desktop
 * @property {string} description for people
 * @property {string} cli its command line, `code`
 * @property {string} [executable] the application itself, where it is known
 */

/** @returns {string | undefined} why no window can open here */
function whyNoWindow() {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY) return undefined;
  return 'there is no display (DISPLAY is not set; xvfb-run gives one)';
}

/** @param {string} executable
 * @param {string} description
 * @returns {Desktop} */
function fromExecutable(executable, description) {
  const [cli] = resolveCliArgsFromVSCodeExecutablePath(executable, { reuseMachineInstall: true });
  return { executable, description, cli: cli ?? executable };
}

/** @returns {string | undefined} `code` of the PATH, unless it is the one that only talks to a window elsewhere */
function codeOnPath() {
  const [finder, name] = process.platform === 'win32' ? ['where', 'code.cmd'] : ['which', 'code'];
  const found = spawnSync(finder, [name], { encoding: 'utf8' }).stdout?.split(/\r?\n/)[0];
  return found && !/remote-cli/.test(found) ? found : undefined;
}

/** @param {{ onPath: boolean }} options whether `code` will do; tests need the application itself
 * @returns {Promise<{ desktop: Desktop } | { desktop?: undefined, reason: string }>} */
export async function findDesktop({ onPath }) {
  const reason = whyNoWindow();
  if (reason) return { reason };
  const named = process.env.VSCODE_EXECUTABLE;
  if (named) return { desktop: fromExecutable(named, `VSCODE_EXECUTABLE (${named})`) };
  const code = onPath && codeOnPath();
  if (code) return { desktop: { cli: code, description: `desktop VS Code (${code})` } };
  try {
    const executable = await downloadAndUnzipVSCode({
      version: process.env.VSCODE_VERSION || 'stable',
      cachePath: path.join(projectRoot, 'out/vscode-desktop'),
      timeout: 15_000,
    });
    return { desktop: fromExecutable(executable, `downloaded VS Code (${executable})`) };
  } catch (error) {
    const { code: cause, message } = /** @type {NodeJS.ErrnoException} */ (error);
    return { reason: `VS Code cannot be downloaded here (${cause ?? message})` };
  }
}

/** @param {string} text */
const quoted = (text) => (/\s/.test(text) ? `"${text}"` : text);

/** Windows runs `code.cmd` only through a shell, which then takes words apart at their spaces.
 * @param {string} command
 * @param {string[]} args
 * @returns {[string, string[], { shell: boolean }]} */
function forPlatform(command, args) {
  const shell = process.platform === 'win32' && /\.cmd$/i.test(command);
  return shell ? [quoted(command), args.map(quoted), { shell }] : [command, args, { shell }];
}

/** Directories that keep this VS Code apart from the person's own.
 * @param {string} directory */
export function ownProfile(directory) {
  const user = path.join(directory, 'user');
  return { user, args: ['--user-data-dir', user, '--extensions-dir', path.join(directory, 'extensions')] };
}

/** As root, VS Code on Linux refuses to start without being told so. */
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** @param {Desktop} desktop
 * @param {string[]} profileArgs
 * @param {string} vsix
 * @throws when VS Code does not take it */
export function installInDesktop(desktop, profileArgs, vsix) {
  const [command, args, { shell }] = forPlatform(desktop.cli, [
    ...asRoot,
    ...profileArgs,
    ...['--install-extension', vsix, '--force'],
  ]);
  const env = cleanEnvironment();
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env, shell, timeout: 120_000 });
  if (status !== 0) throw new Error(`VS Code did not install ${vsix}:\n${stdout ?? ''}${stderr ?? ''}`);
}

/** Opens a window and stays with it until it is closed.
 * @param {Desktop} desktop
 * @param {string[]} profileArgs
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('node:child_process').ChildProcess} */
export function openDesktop(desktop, profileArgs, folder, env) {
  const wanted = [...asRoot, ...profileArgs, '--disable-workspace-trust', '--new-window', '--wait', folder];
  const [command, args, { shell }] = forPlatform(desktop.executable ?? desktop.cli, wanted);
  return spawn(command, args, { stdio: 'ignore', env: cleanEnvironment(env), shell });
}
