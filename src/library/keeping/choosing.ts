import type { ChunkChoice } from './model';

/** Those of the hits that are chosen, in their new order; all of them where nobody chooses. */
export function chosenOf<Hit extends { score: number }>(
  hits: readonly Hit[],
  addressOf: (hit: Hit) => string,
  choose: ChunkChoice | undefined,
): readonly Hit[] {
  if (!choose) return hits;
  const offered = new Map(hits.map((hit) => [{ uri: addressOf(hit), score: hit.score }, hit]));
  return choose([...offered.keys()]).flatMap((chosen) => offered.get(chosen) ?? []);
}
