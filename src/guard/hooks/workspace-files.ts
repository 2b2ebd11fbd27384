import { closeSync, constants, fstatSync, opendirSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Platform } from '../../core/locations';

/** What the guard looks up on the disk. Given by tests; `DISK` else. Nothing of it throws. */
export interface Disk {
  /** With all links followed; undefined where there is nothing. */
  realPath(path: string): string | undefined;
  kindOf(path: string): 'file' | 'folder' | undefined;
  /** The beginning of a file, up to 1 MB; undefined where it is not one. */
  read(path: string): string | undefined;
  /** Files below a folder, relative to it, `/` between the parts; links are not followed. At most `limit`. */
  below(folder: string, limit: number): { files: string[]; complete: boolean };
}

const MAX_READ = 1_000_000;
/** Folders that hold what is made from other things, and are large. */
const PASSED_OVER = new Set(['.git', 'node_modules']);

export const DISK: Disk = {
  realPath(file) {
    try {
      return realpathSync.native(file);
    } catch {
      return undefined;
    }
  },
  kindOf(file) {
    try {
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats?.isDirectory() ? 'folder' : stats?.isFile() ? 'file' : undefined;
    } catch {
      return undefined;
    }
  },
  read(file) {
    let descriptor: number | undefined;
    try {
      // A pipe keeps nobody waiting.
      descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) return undefined;
      const buffer = Buffer.alloc(Math.min(stats.size, MAX_READ));
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, 0));
    } catch {
      return undefined;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  },
  below(folder, limit) {
    const files: string[] = [];
    const waiting = [''];
    let left = limit;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        const directory = opendirSync(path.join(folder, next));
        try {
          for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
            if (left-- <= 0) return { files, complete: false };
            const name = next === '' ? entry.name : `${next}/${entry.name}`;
            if (!entry.isDirectory()) files.push(name);
            else if (!PASSED_OVER.has(entry.name)) waiting.push(name);
          }
        } finally {
          directory.closeSync();
        }
      } catch {
        // What may not be looked at is passed over.
      }
    }
    return { files, complete: true };
  },
};

/** Turns what agents write as a path into names of files of the workspace. */
export class WorkspacePaths {
  private readonly path: path.PlatformPath;
  /** Absolute, as the agent's folder is, that relative paths start from. */
  readonly workspace: string;
  readonly cwd: string;
  private readonly realWorkspace: string;

  constructor(
    workspace: string,
    cwd: string,
    private readonly platform: Platform,
    private readonly disk: Disk,
  ) {
    this.path = platform.platform === 'win32' ? path.win32 : path.posix;
    this.workspace = this.path.resolve(workspace);
    this.realWorkspace = disk.realPath(this.workspace) ?? this.workspace;
    this.cwd = this.path.resolve(this.workspace, cwd);
  }

  /**
   * Undefined for what is no path of a file, such as the address of a web page, and for what lies on another computer than
   * the workspace: to look at it would tell that one who asks.
   */
  absolute(written: string): string | undefined {
    const absolute = this.resolved(written);
    return absolute === undefined || this.isRemote(absolute) ? undefined : absolute;
  }

  private isRemote(absolute: string): boolean {
    if (this.platform.platform !== 'win32' || !/^[\\/]{2}/.test(absolute)) return false;
    const share = (of: string) => this.path.parse(of).root.toLowerCase();
    return share(absolute) !== share(this.workspace) && share(absolute) !== share(this.realWorkspace);
  }

  private resolved(written: string): string | undefined {
    const { path: paths, platform } = this;
    const isWindows = platform.platform === 'win32';
    if (written === '' || written.includes('\0')) return undefined;
    if (/^file:\/\//i.test(written)) return fromUri(written, isWindows);
    if (/^[a-z][a-z\d+.-]+:\/\//i.test(written)) return undefined;
    if (written === '~' || /^~[/\\]/.test(written)) return paths.join(platform.home, written.slice(1));
    // `/c/work` is how the shells that come with git for Windows write a drive.
    const drive = isWindows ? /^\/([a-z])(\/.*)?$/i.exec(written) : null;
    // `\\?\C:\work` is a path of this computer, `/c:/work` one of an address.
    const own = isWindows ? written.replace(/^(?:[\\/]{2}[?.])?[\\/](?=[a-z]:[\\/])/i, '') : written;
    return paths.resolve(this.cwd, drive ? `${drive[1]}:${drive[2] ?? '/'}` : own);
  }

  /**
   * The names of what stands at an absolute path, relative to the workspace folder: as it is written, and where links lead.
   * Empty for the folder itself; none outside.
   */
  names(absolute: string): string[] {
    const found = new Set<string>();
    for (const each of [absolute, this.real(absolute)]) {
      const name = this.within(this.workspace, each) ?? this.within(this.realWorkspace, each);
      if (name !== undefined) found.add(name);
    }
    return [...found];
  }

  /** The real path as far as there is something, with the rest behind it. */
  private real(absolute: string): string {
    const { path: paths, disk } = this;
    const { root } = paths.parse(absolute);
    const names = absolute.slice(root.length).split(paths.sep);
    // What stands below nothing is nothing: of a path of a thousand folders a dozen are looked at.
    let [is, isNot, real] = [-1, names.length + 1, absolute];
    for (let count = names.length; isNot - is > 1; count = (is + isNot) >> 1) {
      const found = disk.realPath(root + names.slice(0, count).join(paths.sep));
      if (found === undefined) isNot = count;
      else [is, real] = [count, found];
    }
    return is < 0 ? absolute : paths.join(real, ...names.slice(is));
  }

  private within(folder: string, absolute: string): string | undefined {
    const { path: paths } = this;
    const relative = paths.relative(folder, absolute);
    if (relative === '..' || relative.startsWith(`..${paths.sep}`) || paths.isAbsolute(relative)) return undefined;
    return relative.split(paths.sep).join('/');
  }
}

/** By hand for Windows: Node reads such an address by the rules of the system it runs on. */
function fromUri(uri: string, isWindows: boolean): string | undefined {
  try {
    if (!isWindows) return fileURLToPath(uri);
    const { host, pathname } = new URL(uri);
    const decoded = decodeURIComponent(pathname).replaceAll('/', '\\');
    return host === '' ? decoded.replace(/^\\(?=[A-Za-z]:)/, '') : `\\\\${host}${decoded}`;
  } catch {
    return undefined;
  }
}
