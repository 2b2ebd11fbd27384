import { sentence } from '../core/sentence';
import type { PieceNote } from './piece';

/** Whose values are folders, and which a person may have given to `kaizen setup`. */
const FOLDER_FLAGS = ['--data', '--shared'];

/**
 * What a person should know before a file that others may share holds a path of this machine: it can be in the flags that
 * were handed on. `words` as they are written, with the variables that the client puts in.
 */
export function ownPaths(words: readonly string[]): PieceNote[] {
  const named = FOLDER_FLAGS.filter((flag) => words.some((word, at) => word === flag && isWhole(words[at + 1] ?? '')));
  if (named.length === 0) return [];
  const paths = sentence(
    'Others may share this file, and it holds a path of this machine ({0}): leave that out, or keep the file to yourself.',
    named.join(', '),
  );
  return [{ sentence: paths, isCovered: false, isWarning: true }];
}

function isWhole(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:)/.test(path);
}
