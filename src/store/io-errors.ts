import { accessSync, constants } from 'node:fs';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';

/** Says what an error of the file system means for the store in `directory`. */
export function ioError(error: unknown, directory: string): KaizenError {
  if (error instanceof KaizenError) return error;
  // SQLite's own errors are not always objects.
  const { code, syscall, message = String(error) } = error as Partial<NodeJS.ErrnoException>;
  switch (syscall === 'mkdir' && code === 'EEXIST' ? 'ENOTDIR' : code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new KaizenError(
        'read_only',
        isReading(error as NodeJS.ErrnoException)
          ? sentence('The store in {0} cannot be read: {1}.', directory, message)
          : sentence('The store in {0} cannot be written: {1}.', directory, message),
        sentence('Check the permissions of that folder.'),
        { cause: error },
      );
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new KaizenError(
        'store_full',
        sentence('There is no space left for the store in {0}.', directory),
        sentence('Free some space and try again; nothing that was stored is lost.'),
        { cause: error },
      );
    case 'ENOTDIR':
      return new KaizenError(
        'store_io',
        sentence('The store in {0} cannot be used: a file is where a folder should be.', directory),
        sentence('Move the file away, or name another folder.'),
        { cause: error },
      );
    default:
      return new KaizenError(
        'store_io',
        sentence('The store in {0} cannot be used: {1}.', directory, message),
        undefined,
        { cause: error },
      );
  }
}

const READING = new Set(['scandir', 'opendir', 'readdir', 'stat', 'lstat', 'read']);

/** Whether it was looking that failed. What was opened may have been meant for either: what cannot be read would be no better to write. */
function isReading({ syscall = '', path }: NodeJS.ErrnoException): boolean {
  if (READING.has(syscall)) return true;
  if (syscall !== 'open' || path === undefined) return false;
  try {
    accessSync(path, constants.R_OK);
    return false;
  } catch (error) {
    // What is not there was to be made.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
