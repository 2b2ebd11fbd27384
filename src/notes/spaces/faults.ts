import { isKaizenError, KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import type { Space } from '../model';
import { spaceName } from '../space-names';
import { MAX_NOTE } from './known';

/** What is said when a file of a space cannot be had. */
export interface Place {
  space: Space;
  file: string;
}

export function gone({ space, file }: Place): KaizenError {
  const message = sentence('"{0}" is no longer in the {1} space.', file, spaceName(space));
  return new KaizenError(
    'unknown_note',
    message,
    sentence('It was deleted, renamed or moved: search finds where it is.'),
  );
}

/** The system's errors as words for a person. */
export function toldOf(error: unknown, place: Place): unknown {
  if (isKaizenError(error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return gone(place);
  const { file, space } = place;
  const message = sentence('"{0}" of the {1} space cannot be read ({2}).', file, spaceName(space), String(code));
  return new KaizenError('unknown_note', message, sentence('Allow reading it, and try again.'));
}

export function tooLarge(file: string): KaizenError {
  const limit = `${MAX_NOTE / 1_048_576} MB`;
  return new KaizenError('invalid_argument', sentence('"{0}" is larger than {1}.', file, limit), sentence('Split it.'));
}
