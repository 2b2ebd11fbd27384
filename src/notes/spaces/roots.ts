import { isAbsolute, normalize, relative, sep } from 'node:path';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { type NoteSpaces, SPACES, type Space } from '../model';
import { spaceName } from '../space-names';

/** Throws `invalid_argument` for what cannot be a space's root. */
export function checkRoots(spaces: NoteSpaces): Map<Space, string> {
  const roots = new Map<Space, string>();
  for (const name of SPACES) {
    const root = spaces[name];
    if (root === undefined) continue;
    if (!isAbsolute(root) || root.includes('\0')) {
      const message = sentence('The folder of the {0} space is not an absolute path.', spaceName(name));
      throw new KaizenError('invalid_argument', message, sentence('Write the whole path.'));
    }
    roots.set(name, normalize(root).replace(/[\\/]+$/, '') || root);
  }
  const [project, user] = [roots.get('project'), roots.get('user')];
  if (project !== undefined && project === user) {
    const message = sentence('The project space and the user space are one folder, {0}.', project);
    throw new KaizenError('invalid_argument', message, sentence('Give each a folder of its own.'));
  }
  return roots;
}

/** Globs for those of the folders that lie in this one. */
export function foldersInside(root: string, others: readonly string[]): string[] {
  return others.flatMap((other) => {
    const inside = insidePath(root, other);
    return inside === undefined ? [] : [`/${inside.replace(/[[\]{}()*?!+@\\]/g, '?')}/**`];
  });
}

/** Relative, `/` between its parts; undefined for the folder itself and what does not lie in it. */
export function insidePath(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  if (inside === '' || inside.split(sep)[0] === '..' || isAbsolute(inside)) return undefined;
  return inside.split(sep).join('/');
}
