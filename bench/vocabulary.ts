import { seeded } from './corpus';

/** About half of English running text; the same as any search leaves out of a query. */
export const FUNCTION_WORDS =
  'the of and to a in is it that for on was with as be by this are from or an at not have has but which they were all'.split(
    ' ',
  );
const SYLLABLES =
  'ba be bo ca co da de do fa fi ga go ka ko la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve vi vo'.split(
    ' ',
  );

/** Words by how common they are: function words first, then so many made-up ones of two to five syllables. */
export function vocabulary(size: number): string[] {
  const random = seeded(11);
  const words = new Set(FUNCTION_WORDS);
  while (words.size < size) {
    const syllables = 2 + Math.floor(random() * 4);
    words.add(Array.from({ length: syllables }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]!).join(''));
  }
  return [...words];
}

/** Draws a rank as words of a language are drawn: the n-th most common 1/n times as often as the first. */
export function zipf(size: number, random: () => number): () => number {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) {
    sum += 1 / (rank + 2.7);
    sums[rank] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
