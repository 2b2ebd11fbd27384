import { KaizenError } from '../core/errors';

/** Says what an error of the file system means for the store in `directory`. */
export function ioError(error: unknown, directory: string): KaizenError {
  if (error instanceof KaizenError) return error;
  // SQLite's own errors are not always objects.
  const { code, message = String(error) } = error as Partial<NodeJS.ErrnoException>;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new KaizenError(
        'read_only',
        `The store in ${directory} cannot be written: ${message}.`,
        'Check the permissions of that folder.',
        { cause: error },
      );
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new KaizenError(
        'store_full',
        `There is no space left for the store in ${directory}.`,
        'Free some space and try again; nothing that was stored is lost.',
        { cause: error },
      );
    default:
      return new KaizenError('store_io', `The store in ${directory} cannot be used: ${message}.`, undefined, {
        cause: error,
      });
  }
}
