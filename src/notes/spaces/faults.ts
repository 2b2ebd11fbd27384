import { isKaizenError, KaizenError } from '../../core/errors';
import type { Space } from '../model';
import { MAX_NOTE } from './known';

/** What is said when a file of a space cannot be had. */
export interface Place {
  space: Space;
  file: string;
}

export function gone({ space, file }: Place): KaizenError {
  const message = `"${file}" is no longer in the ${space} space.`;
  return new KaizenError('unknown_note', message, 'It was deleted, renamed or moved: search finds where it is.');
}

/** The system's errors as words for a person. */
export function toldOf(error: unknown, place: Place): unknown {
  if (isKaizenError(error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return gone(place);
  const message = `"${place.file}" of the ${place.space} space cannot be read (${code}).`;
  return new KaizenError('unknown_note', message, 'Allow reading it, and try again.');
}

export function tooLarge(file: string): KaizenError {
  const limit = `${MAX_NOTE / 1_048_576} MB`;
  return new KaizenError('invalid_argument', `"${file}" is larger than ${limit}.`, 'Split it.');
}
