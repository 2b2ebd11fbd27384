import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, win32 } from 'node:path';
import { EDITOR_STORES, STORES_VARIABLE } from '../core/editor-stores';
import { type Platform, thisPlatform, userDataDirectory } from '../core/locations';
import { renamePatiently } from '../core/rename';
import type { KaizenCommand } from './model';

/**
 * The launcher: a small script at a path that stays, which starts the installed extension's command line with the
 * editor's own Node. Clients' configurations name it, because the extension's folder has another name after each update.
 */

/** What the launcher starts. Absolute paths. */
export interface LauncherTarget {
  /** The editor's program, or Node. */
  node: string;
  /** `dist/cli.js` of the extension. */
  cli: string;
  /** Whether `node` is Electron, which is Node only when it is told so. */
  isElectron: boolean;
}

/** What clients name: `kaizen`, or `kaizen.cmd` on Windows, in `bin` of Kaizen's data directory. */
export function launcherPath(platform: Platform = thisPlatform()): string {
  const name = platform.platform === 'win32' ? 'kaizen.cmd' : 'kaizen';
  return join(userDataDirectory(platform), 'bin', name);
}

/** The command for clients that the editor sets up. */
export function launcherCommand(platform: Platform = thisPlatform()): KaizenCommand {
  return { command: launcherPath(platform), args: [], flags: [] };
}

/**
 * Writes the launcher unless it is there and says the same; each of its files is there whole or not at all, and may be
 * executed. On Windows a script for a POSIX shell lies beside it: some clients start hooks by Git's bash. Answers whether
 * anything was written. Throws the system's error when it cannot be.
 */
export async function writeLauncher(platform: Platform, target: LauncherTarget): Promise<boolean> {
  const file = launcherPath(platform);
  const scripts: [string, string][] = [[join(dirname(file), 'kaizen'), shellScript(target, platform)]];
  if (platform.platform === 'win32') scripts.push([file, cmdScript(target, platform)]);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  let isWritten = false;
  for (const [path, text] of scripts) isWritten = (await writeScript(path, text)) || isWritten;
  return isWritten;
}

/** What the launcher that is there starts; undefined where there is none, or it is none of ours. */
export async function readLauncher(platform: Platform = thisPlatform()): Promise<LauncherTarget | undefined> {
  // The POSIX script is there on every platform, and holds the paths as they are.
  const text = await readFile(join(dirname(launcherPath(platform)), 'kaizen'), 'utf8').catch(() => '');
  const [node, cli] = [readQuoted(text, 'node'), readQuoted(text, 'cli')];
  if (node === undefined || cli === undefined) return undefined;
  return { node, cli, isElectron: text.includes('\nexport ELECTRON_RUN_AS_NODE=1\n') };
}

async function writeScript(file: string, text: string): Promise<boolean> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return false;
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(beside, text, { flag: 'wx', mode: 0o700 });
    await chmod(beside, 0o755);
    await renamePatiently(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  return true;
}

const GONE = 'Kaizen was removed or updated. Open VS Code once, or install Kaizen again.';

/** Where the extension's folder lies, and its name up to the version; empty where there is none, as in development. */
function folderOf(cli: string, path: Pick<typeof win32, 'basename' | 'dirname'>): { folder: string; stem: string } {
  const root = path.dirname(path.dirname(cli));
  // `0.1.0`, with the platform behind it where a package is for one.
  const [, stem = ''] = /^(.*-)\d+\.\d+\.\d+(?:-.*)?$/.exec(path.basename(root)) ?? [];
  return { folder: path.dirname(root), stem };
}

/**
 * For a POSIX shell. Where what it names is gone, as between an update and the next start of the editor, it takes the
 * newest version beside it, and a `node` on the PATH. A hook that cannot be run says nothing and is no failure.
 */
function shellScript({ node, cli, isElectron }: LauncherTarget, { platform, env }: Platform): string {
  const { folder, stem } = folderOf(cli, cli.includes('\\') ? win32 : { basename, dirname });
  // Many clients hand on no such variable, and a terminal may have another one: the editor's says where its data is.
  const home = env.XDG_DATA_HOME;
  const data = home ? `export XDG_DATA_HOME=${quoted(home)}\n` : 'unset XDG_DATA_HOME\n';
  return `#!/bin/sh
# Starts Kaizen as VS Code has it installed. Written by Kaizen for VS Code, which keeps it up to date.
node=${quoted(node)}
cli=${quoted(cli)}
folder=${quoted(folder)}
stem=${quoted(stem)}
if [ ! -f "$cli" ] && [ -n "$stem" ]; then
  for each in "$folder/$stem"[0-9]*; do
    if [ -f "$each/dist/cli.js" ]; then
      if [ ! -f "$cli" ] || [ "$each/dist/cli.js" -nt "$cli" ]; then cli=$each/dist/cli.js; fi
    fi
  done
fi
if [ ! -x "$node" ]; then node=$(command -v node); fi
if [ -z "$node" ] || [ ! -f "$cli" ]; then
  if [ "$1" = hook ]; then exit 0; fi
  echo ${quoted(`kaizen: ${GONE}`)} >&2
  exit 127
fi
${isElectron ? 'export ELECTRON_RUN_AS_NODE=1\n' : ''}${platform === 'win32' || platform === 'darwin' ? '' : data}export ${STORES_VARIABLE}="\${${STORES_VARIABLE}-${EDITOR_STORES}}"
exec "$node" "$cli" "$@"
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function readQuoted(text: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\n${name}='((?:[^']|'\\\\'')*)'\\n`).exec(text) ?? [];
  return value?.replaceAll(`'\\''`, "'");
}

/** The same for Windows. A quote cannot be in a path there; a percent sign stands for itself when it is doubled. */
function cmdScript({ node, cli, isElectron }: LauncherTarget, platform: Platform): string {
  const { folder, stem } = folderOf(cli, win32);
  const own = (path: string) => withEnvironment(path, platform);
  const lines = [
    '@echo off',
    'rem Starts Kaizen as VS Code has it installed. Written by Kaizen for VS Code, which keeps it up to date.',
    'setlocal DisableDelayedExpansion',
    `set "kaizen_node=${own(node)}"`,
    `set "kaizen_cli=${own(cli)}"`,
    `set "kaizen_folder=${own(folder)}"`,
    ...(stem === ''
      ? []
      : [
          `if not exist "%kaizen_cli%" for /f "delims=" %%D in ('dir /b /ad /od "%kaizen_folder%\\${escaped(stem)}*" 2^>nul') do if exist "%kaizen_folder%\\%%D\\dist\\cli.js" set "kaizen_cli=%kaizen_folder%\\%%D\\dist\\cli.js"`,
        ]),
    'if not exist "%kaizen_node%" for %%N in (node.exe) do set "kaizen_node=%%~$PATH:N"',
    'if not exist "%kaizen_node%" goto gone',
    'if not exist "%kaizen_cli%" goto gone',
    ...(isElectron ? ['set "ELECTRON_RUN_AS_NODE=1"'] : []),
    `if not defined ${STORES_VARIABLE} set "${STORES_VARIABLE}=${EDITOR_STORES}"`,
    '"%kaizen_node%" "%kaizen_cli%" %*',
    'exit /b %ERRORLEVEL%',
    ':gone',
    'if "%~1"=="hook" exit /b 0',
    `echo kaizen: ${GONE} 1>&2`,
    'exit /b 127',
  ];
  const text = `${lines.join('\r\n')}\r\n`;
  // cmd reads a script in the console's code page. It would look for a bare `chcp` in the folder that is worked in first.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  return /^[\x00-\x7f]*$/.test(text)
    ? text
    : text.replace('@echo off\r\n', '@echo off\r\n"%SystemRoot%\\System32\\chcp.com" 65001 >nul\r\n');
}

/** People's names are in their folders, and what is not ASCII in a script depends on the code page: variables do not. */
function withEnvironment(path: string, { env }: Platform): string {
  for (const name of ['LOCALAPPDATA', 'USERPROFILE']) {
    const folder = env[name];
    if (folder && path.toLowerCase().startsWith(`${folder.toLowerCase()}\\`)) {
      return `%${name}%${escaped(path.slice(folder.length))}`;
    }
  }
  return escaped(path);
}

function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}
