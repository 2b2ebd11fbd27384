import type { Embedder, Passage } from '../src/search';
import { normalised } from '../src/search/vectors/quantised';
import { seeded } from './corpus';

const DIMENSIONS = 384;
/** How much of a word's vector is its own, beside that of the passages that it stands in. */
const OWN = 0.7;

/**
 * Stands for a model where none can be had: random indexing (Kanerva 2000; Cohen 2010), which learns from the corpus
 * alone which words stand in the same passages. It is a weaker retriever than words, as a general model can be on a
 * team's own terms, and it errs elsewhere.
 */
export function standInEmbedder(passages: readonly Passage[]): Embedder {
  const texts = passages.map(textOf).map(wordsOf);
  const frequency = new Map<string, number>();
  for (const words of texts) for (const word of new Set(words)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const random = seeded(5);
  const gauss = () => random() + random() + random() + random() - 2;
  const own = new Map(
    [...frequency.keys()].map((word) => [word, unit(Float32Array.from({ length: DIMENSIONS }, gauss))]),
  );
  const vectorOf = (words: readonly string[], of: ReadonlyMap<string, Float32Array>) => {
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const sum = new Float32Array(DIMENSIONS);
    for (const [word, count] of counts) {
      const idf = Math.log(1 + passages.length / ((frequency.get(word) ?? 0) + 0.5));
      add(sum, of.get(word), (1 + Math.log(count)) * idf);
    }
    return unit(sum);
  };
  const around = new Map([...frequency.keys()].map((word) => [word, new Float32Array(DIMENSIONS)]));
  const mean = new Float32Array(DIMENSIONS);
  for (const words of texts) {
    const vector = vectorOf(words, own);
    add(mean, vector, 1 / texts.length);
    for (const word of new Set(words)) add(around.get(word)!, vector, 1 / frequency.get(word)!);
  }
  const learned = new Map(
    [...around].map(([word, sum]) => {
      add(sum, mean, -1);
      const vector = unit(sum);
      add(vector, own.get(word), OWN);
      return [word, vector];
    }),
  );
  return {
    id: 'stand-in/random-indexing',
    embed: async (all) => all.map((text) => vectorOf(wordsOf(text), learned)),
    dispose: () => {},
  };
}

export function textOf({ title, headings, body }: Passage): string {
  return [...headings, title, body].join('\n');
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 4 ? word.replace(/(ing|ed|es|s|ly)$/, '') : word));
}

function add(sum: Float32Array, vector: Float32Array | undefined, factor: number): void {
  if (vector) for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]! * factor;
}

/** A text of unknown words only has any direction. */
function unit(vector: Float32Array): Float32Array {
  return normalised(vector) ?? normalised(vector.map(() => 1))!;
}
