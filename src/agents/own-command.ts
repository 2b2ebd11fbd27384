import { existsSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { EDITOR_STORES, STORES_VARIABLE } from '../core/editor-stores';
import { type Platform, realPath } from '../core/locations';
import { launcherCommand, launcherPath } from './launcher';
import type { KaizenCommand } from './model';

/** The name under which the package is installed from a registry. */
export const PACKAGE_NAME = 'kaizen-knowledge';

const PACKAGE_SCRIPT = join('node_modules', PACKAGE_NAME, 'dist', 'cli.js');

/** Where npx, `pnpm dlx`, `yarn dlx` and bunx keep what they run. */
const KEPT_FOR_ONCE = /[\\/](?:_npx|dlx|dlx-[^\\/]+|bunx-[^\\/]+)[\\/]/;

/**
 * By which command a client starts the Kaizen that runs now, so that it still works after an update: the launcher, where
 * it was started by it; the command of a global installation, on the PATH or not; npx, for a package that npx keeps; the
 * script of a package that a project holds; else this very script.
 * `script` is what Node was started with, `node` itself.
 */
export function ownCommand(script: string, node: string, platform: Platform): KaizenCommand {
  if (platform.env[STORES_VARIABLE] === EDITOR_STORES && existsSync(launcherPath(platform)))
    return launcherCommand(platform);
  const real = realPath(script);
  const installed = globalCommand(script, real, platform) ?? commandOnPath(real, platform);
  if (installed !== undefined) return { command: installed, args: [], flags: [] };
  // Of some package managers the real path has the version in it, and is another one after an update.
  const ofPackage = [resolve(script), real].find((path) => path.endsWith(PACKAGE_SCRIPT));
  if (ofPackage === undefined) return { command: node, args: [real], flags: [] };
  // That folder is emptied at times: what is in it has to be fetched anew then. A project's own package stays, and npx
  // would ask the registry for it wherever a client starts in another folder.
  return KEPT_FOR_ONCE.test(real)
    ? { command: 'npx', args: ['-y', PACKAGE_NAME], flags: [] }
    : { command: node, args: [ofPackage], flags: [], ofProject: true };
}

/** Whether a shell finds a `kaizen` by its name alone. */
export function isOnPath(platform: Platform): boolean {
  return foldersOnPath(platform).some((folder) => existsSync(join(folder, programName(platform))));
}

/** The command that npm puts into the prefix of a global installation, whether or not a shell looks there. */
function globalCommand(script: string, real: string, platform: Platform): string | undefined {
  const isPackage = real.endsWith(PACKAGE_SCRIPT);
  const modules = dirname(dirname(dirname(real)));
  // On Windows a prefix is a folder with the packages in it, elsewhere they are in its `lib`.
  const folder = platform.platform === 'win32' ? dirname(modules) : join(dirname(dirname(modules)), 'bin');
  if (isPackage && startsScript(folder, real, platform)) return join(folder, programName(platform));
  // Of sources that were installed globally (`npm link`) only the link tells it that was called.
  const called = resolve(script);
  const isLink = called !== real && basename(called) === 'kaizen' && !called.includes('node_modules');
  return platform.platform !== 'win32' && isLink ? called : undefined;
}

/** The command on the PATH that starts the script, as a global installation puts it there. */
function commandOnPath(real: string, platform: Platform): string | undefined {
  const folder = foldersOnPath(platform).find((each) => startsScript(each, real, platform));
  return folder === undefined ? undefined : join(folder, programName(platform));
}

function foldersOnPath({ env }: Platform): string[] {
  return (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes('node_modules'));
}

function programName({ platform }: Platform): string {
  return platform === 'win32' ? 'kaizen.cmd' : 'kaizen';
}

/** Whether the command in a folder is the one that npm made for the script. */
function startsScript(folder: string, real: string, platform: Platform): boolean {
  const command = join(folder, programName(platform));
  // On Windows the command is a script of npm's own, beside the packages; elsewhere a link.
  const target = platform.platform === 'win32' ? join(folder, PACKAGE_SCRIPT) : command;
  return existsSync(command) && realPath(target) === real;
}
