import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { EDITOR_STORES, STORES_VARIABLE } from '../core/editor-stores';
import { type Platform, realPath } from '../core/locations';
import { launcherCommand, launcherPath } from './launcher';
import type { KaizenCommand } from './model';

/** The name under which the package is installed from a registry. */
export const PACKAGE_NAME = 'kaizen-knowledge';

/**
 * By which command a client starts the Kaizen that runs now, so that it still works after an update: the launcher, where
 * it was started by it; the command of a global installation; npx, for a package that npx or a project holds; else this
 * very script.
 * `script` is what Node was started with, `node` itself.
 */
export function ownCommand(script: string, node: string, platform: Platform): KaizenCommand {
  const { env } = platform;
  if (env[STORES_VARIABLE] === EDITOR_STORES && existsSync(launcherPath(platform))) return launcherCommand(platform);
  const real = realPath(script);
  const installed = commandOnPath(real, platform);
  if (installed !== undefined) return { command: installed, args: [], flags: [] };
  // Where npm keeps what npx runs is emptied at times; of a project's own package npx finds the very one.
  const isPackage = real.endsWith(join('node_modules', PACKAGE_NAME, 'dist', 'cli.js'));
  return isPackage
    ? { command: 'npx', args: ['-y', PACKAGE_NAME], flags: [] }
    : { command: node, args: [real], flags: [] };
}

/** The command on the PATH that starts the script, as a global installation puts it there. */
function commandOnPath(script: string, { platform, env }: Platform): string | undefined {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  for (const folder of folders.filter((each) => each !== '')) {
    const command = join(folder, platform === 'win32' ? 'kaizen.cmd' : 'kaizen');
    // On Windows the command is a script of npm's own, beside the packages; elsewhere a link.
    const target = platform === 'win32' ? join(folder, 'node_modules', PACKAGE_NAME, 'dist', 'cli.js') : command;
    if (existsSync(command) && realPath(target) === script) return command;
  }
  return undefined;
}
