import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { realPath, repositoryPlace } from '../core/locations';

/** The folder that globs of rules count from: `workspace` where one is named, else the worktree of the `current` folder. */
export function globsRoot(workspace: string | undefined, current = '.'): string {
  return workspace === undefined ? rootOf(resolve(current)) : realPath(resolve(workspace));
}

/** The worktree that the folder stands in; outside of a repository the folder itself. */
function rootOf(folder: string): string {
  const inside = repositoryPlace(folder)?.inside ?? '';
  return resolve(realPath(folder), ...inside.split('/').map((part) => (part === '' ? '.' : '..')));
}

/** The file's path as rules name it; undefined outside of the root. The file need not be there. */
export function pathBelow(root: string, file: string): string | undefined {
  const whole = resolve(file);
  const path = relative(root, join(realPath(dirname(whole)), basename(whole)));
  const isOutside = path === '' || path === '..' || path.startsWith(`..${sep}`) || resolve(path) === path;
  return isOutside ? undefined : path.split(sep).join('/');
}
