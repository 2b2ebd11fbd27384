import { appendFileSync, closeSync, constants, lstatSync, mkdirSync, openSync } from 'node:fs';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';

/**
 * The guard's files are its own: a store may lie in a repository, and whoever wrote that could have a link there lead to
 * any file of the person's.
 */

/** Makes the folder, for its owner alone. Throws `store_io` where it is a link, else what the system says. */
export function makeOwnFolder(folder: string): void {
  refuseLink(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // On the systems that would have let it come in between, nothing is written through it all the same.
  refuseLink(folder);
}

/** Adds a text to a file in a folder that `makeOwnFolder` made. Throws `store_io` where it is a link, else what the system says. */
export function appendToOwnFile(file: string, text: string): void {
  refuseLink(file);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  // Windows has no such flag; a link that comes just now is nobody's doing there.
  const descriptor = openSync(file, O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
  try {
    appendFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether something is a link, wherever it leads; also a junction. */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function refuseLink(path: string): void {
  if (!isLink(path)) return;
  throw new KaizenError(
    'store_io',
    sentence('{0} is a link, through which nothing is written.', path),
    sentence('Remove it: what hooks remember is kept in a folder and files of its own.'),
  );
}
