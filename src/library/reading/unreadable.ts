import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';

/** `because` goes on from the source's name: `is empty`. */
export function unreadable(name: string, because: Sentence, hint: Sentence, cause?: unknown): KaizenError {
  return new KaizenError('unreadable_source', sentence('{0} {1}.', shown(name), because), hint, { cause });
}

export function tooLarge(name: string, what: Sentence, most: Sentence | string): KaizenError {
  return unreadable(
    name,
    sentence('is too large: {0}, and at most {1} are read', what, most),
    sentence('Split it, and add the parts.'),
  );
}

/** The end of a path or of an address tells more than its beginning. */
function shown(name: string): string {
  const line = name.replace(/\s+/g, ' ');
  return line.length <= 200 ? line : `…${line.slice(-199)}`;
}
