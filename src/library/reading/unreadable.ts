import { KaizenError } from '../../core/errors';

/** `because` goes on from the source's name: `is empty`. */
export function unreadable(name: string, because: string, hint: string, cause?: unknown): KaizenError {
  return new KaizenError('unreadable_source', `${shown(name)} ${because}.`, hint, { cause });
}

export function tooLarge(name: string, what: string, most: string): KaizenError {
  return unreadable(name, `is too large: ${what}, and at most ${most} are read`, 'Split it, and add the parts.');
}

/** The end of a path or of an address tells more than its beginning. */
function shown(name: string): string {
  const line = name.replace(/\s+/g, ' ');
  return line.length <= 200 ? line : `…${line.slice(-199)}`;
}
