import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { sha256 } from './sha256';

/** The two store directories that a command or a server works on. They need not exist yet. */
export interface DataDirectories {
  /** The workspace store's. */
  data: string;
  /** The shared store's, the same for every workspace of this person. */
  shared: string;
}

/** What the platform tells of itself; given by tests, else this process's own. */
export interface Platform {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

export function thisPlatform(): Platform {
  return { platform: process.platform, env: process.env, home: homedir() };
}

/**
 * Where a person's knowledge lives when nothing else is said: one `shared` directory, and beside it one directory a
 * repository under `workspaces`, the same for all worktrees of that repository.
 */
export function dataDirectories(workspace: string, platform: Platform = thisPlatform()): DataDirectories {
  const root = userDataDirectory(platform);
  const identity = repositoryIdentity(workspace);
  const hash = sha256(identity).slice(0, 12);
  const directory = `${scopeIdFromName(repositoryName(identity)).slice(0, 40)}-${hash}`;
  return { data: join(root, 'workspaces', directory), shared: join(root, 'shared') };
}

/** Kaizen's own directory in the place where the platform keeps a person's data. */
export function userDataDirectory({ platform, env, home }: Platform = thisPlatform()): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Kaizen');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Kaizen');
  const xdg = env.XDG_DATA_HOME;
  // The XDG specification has relative paths ignored.
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, '.local', 'share'), 'kaizen');
}

/** The scope id to propose for a workspace's PROJECT scope: its repository's name, the same in every worktree. */
export function proposeProjectId(workspace: string): string {
  const id = scopeIdFromName(repositoryName(repositoryIdentity(workspace)));
  // `general` is what the GENERAL scope is called everywhere, and ids are unique over all tiers.
  return id.toLowerCase() === 'general' ? `${id}-project` : id;
}

/** The name with everything replaced that a scope id may not hold; `project` when nothing is left. */
export function scopeIdFromName(name: string): string {
  const id = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 100)
    .replace(/^[-.]+|[-.]+$/g, '');
  return id === '' ? 'project' : id;
}

/**
 * What all worktrees of a repository have in common: the real path of its common git directory. Outside of a
 * repository it is the folder's own real path. Reads files only: git need not be installed, and nothing is spawned.
 */
export function repositoryIdentity(folder: string): string {
  const start = realPath(resolve(folder));
  for (let current = start; ; current = dirname(current)) {
    const gitDirectory = gitDirectoryIn(current);
    if (gitDirectory !== undefined) return commonDirectory(gitDirectory);
    if (dirname(current) === current) return start;
  }
}

/** A folder's place in its repository, and what the repository can be known by again. */
export interface RepositoryPlace {
  /**
   * Its common git directory, which all its worktrees share; how its history on this machine began, which stays when it
   * is moved; where `origin` is, which a new clone shares.
   */
  keys: string[];
  /** The folder within its worktree, `/` between the parts; empty for the whole worktree. */
  inside: string;
}

/** Undefined outside of a repository. Reads files only, as `repositoryIdentity`. */
export function repositoryPlace(folder: string): RepositoryPlace | undefined {
  const start = realPath(resolve(folder));
  for (let current = start; ; current = dirname(current)) {
    const gitDirectory = gitDirectoryIn(current);
    if (gitDirectory !== undefined) {
      const common = commonDirectory(gitDirectory);
      const beginning = beginningOf(join(common, 'logs', 'HEAD'));
      const remote = originOf(readText(join(common, 'config')));
      return {
        keys: [`git:${common}`, ...(beginning ? [`log:${beginning}`] : []), ...(remote ? [`remote:${remote}`] : [])],
        inside: relative(current, start).split(sep).join('/'),
      };
    }
    if (dirname(current) === current) return undefined;
  }
}

/**
 * A hash of the first line of git's log of HEAD (git-reflog(1)): who made or cloned the repository here, and when to the
 * second. Undefined where nothing was logged.
 */
function beginningOf(log: string): string | undefined {
  let file: number;
  try {
    file = openSync(log, 'r');
  } catch {
    return undefined;
  }
  try {
    const start = Buffer.alloc(1024);
    const [line] = start.toString('latin1', 0, readSync(file, start)).split('\n');
    return line ? sha256(line).slice(0, 16) : undefined;
  } finally {
    closeSync(file);
  }
}

/** The `url` of `origin` in the text of git's configuration, as `host/path`. */
function originOf(config: string): string | undefined {
  const section = /^[ \t]*\[remote[ \t]+"origin"\]([^[]*)/m.exec(config)?.[1];
  const url = section === undefined ? undefined : /^[ \t]*url[ \t]*=[ \t]*"?(.*?)"?[ \t]*$/m.exec(section)?.[1];
  return url ? normalRemote(url) : undefined;
}

/**
 * One spelling for the many ways to write one remote (git-clone(1), "GIT URLS"): without protocol, person, password, port
 * and `.git`. A path on this machine stays a path.
 */
function normalRemote(url: string): string {
  const withoutEnd = url.replace(/\/+$/, '').replace(/\.git$/, '');
  const match =
    /^[a-z][a-z+.-]*:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(withoutEnd) ??
    // scp's way: `git@host:path`; a single letter before the colon is a drive.
    /^(?:[^@/]+@)?([^/:]{2,}):\/?(.+)$/.exec(withoutEnd);
  return match ? `${match[1]!.toLowerCase()}/${match[2]}` : withoutEnd;
}

/** The git directory that `.git` in this folder is or points to; undefined when it is neither. */
function gitDirectoryIn(folder: string): string | undefined {
  const dotGit = join(folder, '.git');
  const kind = kindOf(dotGit);
  let directory: string | undefined;
  if (kind === 'directory') directory = dotGit;
  if (kind === 'file') {
    const target = /^gitdir:\s*(.+?)\s*$/m.exec(readText(dotGit))?.[1];
    if (target !== undefined) directory = resolve(folder, target);
  }
  // A folder that only happens to be called `.git`, or a pointer to nowhere, makes no repository: git itself asks for HEAD.
  return directory !== undefined && kindOf(join(directory, 'HEAD')) === 'file' ? directory : undefined;
}

/** A linked worktree's git directory names the repository's in `commondir`; the main worktree's has no such file. */
function commonDirectory(gitDirectory: string): string {
  const target = readText(join(gitDirectory, 'commondir')).trim();
  return realPath(target === '' ? gitDirectory : resolve(gitDirectory, target));
}

/** `checkout-api` for `…/checkout-api/.git`, `…/checkout-api/.bare` and `…/checkout-api.git`, and for a plain folder. */
function repositoryName(identity: string): string {
  const last = basename(identity);
  const hidden = last.startsWith('.') && (last === '.git' || kindOf(join(identity, 'HEAD')) === 'file');
  return hidden ? basename(dirname(identity)) : last.replace(/(?<=.)\.git$/, '');
}

/** Undefined as well for what may not be looked at, or leads in a circle. */
function kindOf(path: string): 'file' | 'directory' | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? 'file' : stats?.isDirectory() ? 'directory' : undefined;
  } catch {
    return undefined;
  }
}

/** Empty when there is no such file or it may not be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Whether both lead to one place, through links and, on Windows, in whatever letters. What is not there yet counts as
 * where it would be made.
 */
export function isSamePlace(one: string, other: string, { platform }: Platform = thisPlatform()): boolean {
  const [a, b] = [one, other].map((path) => (platform === 'win32' ? placeOf(path).toLowerCase() : placeOf(path)));
  return a === b;
}

/** The real path of as much of it as is there, and the rest as it is named. */
function placeOf(path: string): string {
  const whole = resolve(path);
  for (let above = whole; ; above = dirname(above)) {
    try {
      return join(realpathSync.native(above), relative(above, whole));
    } catch {
      if (dirname(above) === above) return whole;
    }
  }
}

/** `native` gives a path in the letters the disk has, so that Windows and macOS find one identity for `C:\A` and `c:\a`. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
