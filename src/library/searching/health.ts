import type { LibraryKeeper } from '../keeping/model';
import type { SourceListing } from '../model';

/** Titles that a sentence names at most. */
const NAMED = 3;

/** What is not as it should be, a sentence each; none when all is well. */
export function healthOf(
  sources: readonly SourceListing[],
  keeper: Pick<LibraryKeeper, 'indexed' | 'embeddings'>,
): string[] {
  const sentences: string[] = [];
  const say = (found: readonly SourceListing[], one: string, many: string) => {
    if (found.length > 0)
      sentences.push(`${found.length === 1 ? `1 source ${one}` : `${found.length} sources ${many}`}: ${named(found)}.`);
  };
  say(
    sources.filter(({ processing_status }) => processing_status === 'failed'),
    'could not be read',
    'could not be read',
  );
  say(
    sources.filter(
      ({ processing_status, processing_error }) => processing_status === 'complete' && processing_error !== undefined,
    ),
    'could not be read again and says what it said before',
    'could not be read again and say what they said before',
  );
  say(
    sources.filter(({ freshness }) => freshness.level === 'stale'),
    'is stale',
    'are stale',
  );
  if (keeper.indexed !== undefined)
    sentences.push(`The index is still being read: ${keeper.indexed.toLocaleString('en')} passages by now.`);
  if ('problem' in keeper.embeddings && keeper.embeddings.problem !== undefined) {
    sentences.push(`Search by meaning does not go on: ${keeper.embeddings.problem}`);
  }
  return sentences;
}

function named(sources: readonly SourceListing[]): string {
  const titles = sources.slice(0, NAMED).map(({ title }) => `"${title.slice(0, 80)}"`);
  const more = sources.length - titles.length;
  return more > 0 ? `${titles.join(', ')} and ${more} more` : titles.join(', ');
}
