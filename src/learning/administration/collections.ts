import { KaizenError } from '../../core/errors';
import { LEARNED_KINDS, type LearnedKind } from '../vocabulary';
import { COLLECTIONS, type Collection } from './model';

/** Which of them are meant: all unless told. Throws `invalid_argument`, naming those that there are. */
export function collectionsOf(named: readonly string[] | undefined): ReadonlySet<Collection> {
  if (named === undefined || named.length === 0) return new Set(COLLECTIONS);
  return new Set(named.map(collectionOf));
}

export function kindsOf(collections: ReadonlySet<Collection>): LearnedKind[] {
  return LEARNED_KINDS.filter((kind) => collections.has(`${kind}s`));
}

function collectionOf(name: string): Collection {
  const found = COLLECTIONS.find((each) => each === name);
  if (found !== undefined) return found;
  const isLibrary = name === 'chunks' || name === 'sources';
  throw new KaizenError(
    'invalid_argument',
    isLibrary
      ? `"${name}" are kept by the library, which makes them of its sources.`
      : `There is no collection "${name.slice(0, 60)}".`,
    isLibrary
      ? 'Copy the directory of the library, or have its sources read there.'
      : `There are: ${COLLECTIONS.join(', ')}.`,
  );
}
