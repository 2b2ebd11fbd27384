/** What a sentence of the library on its own health says. */
export type LibrarySentence =
  | {
      /** `kept`: they could not be read again, and say what they said before. */
      what: 'failed' | 'kept' | 'stale';
      count: number;
      /** Some of their titles, in quotes. */
      titles: string;
      /** How many are not named. */
      more: number;
    }
  | { what: 'indexing'; passages: number };

const OF_SOURCES = [
  ['kept', 'could not be read again and says? what (?:it|they) said before'],
  ['failed', 'could not be read'],
  ['stale', '(?:is|are) stale'],
] as const;

/** Reads what `src/library/searching/health.ts` writes; undefined for what it does not know. */
export function readLibrarySentence(message: string): LibrarySentence | undefined {
  for (const [what, words] of OF_SOURCES) {
    const found = new RegExp(`^(\\d+) sources? ${words}: (.*?)(?: and (\\d+) more)?\\.$`, 's').exec(message);
    if (!found) continue;
    const [, count = '', titles = '', more = '0'] = found;
    return { what, count: Number(count), titles, more: Number(more) };
  }
  const [, passages] = /^The index is still being read: ([\d,]+) passages by now\.$/.exec(message) ?? [];
  return passages === undefined ? undefined : { what: 'indexing', passages: Number(passages.replaceAll(',', '')) };
}
