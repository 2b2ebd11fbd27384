import { compareText } from '../core/text';

/** How much of what is missing to 1 the weaker of two agreeing finds adds. */
const AGREEMENT = 0.5;

/**
 * One list of what words and what meaning found, best first, equals by uri. Both sides' scores are calibrated, so they
 * are compared as they are, where ranks would make the best of a bad list as good as the best of a good one. What one
 * side found keeps its score; what both found has the better one and, because the two err for different reasons, half
 * of the other's share of what is missing to 1. So a score never falls by being found twice, nor leaves 0 to 1.
 */
export function fuse(
  words: readonly { uri: string; score: number }[],
  meaning: readonly { uri: string; score: number }[],
): { uri: string; score: number }[] {
  const scores = new Map(words.map(({ uri, score }) => [uri, score]));
  for (const { uri, score } of meaning) {
    const other = scores.get(uri);
    scores.set(uri, other === undefined ? score : agreed(score, other));
  }
  const fused = [...scores].map(([uri, score]) => ({ uri, score }));
  return fused.sort((a, b) => b.score - a.score || compareText(a.uri, b.uri));
}

function agreed(a: number, b: number): number {
  const better = Math.max(a, b);
  return better + (1 - better) * Math.min(a, b) * AGREEMENT;
}
