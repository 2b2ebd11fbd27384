import type { ChunkHit } from '../keeping/model';
import type { CoverageSummary } from '../model';

/** What a search's results are worth as an answer, at a glance. */
export function summaryOf(hits: readonly ChunkHit[]): CoverageSummary {
  // They may be in another order, by what was learned of them.
  const best = hits.reduce((most, { score }) => Math.max(most, score), 0);
  const weight = hits.reduce((sum, { score }) => sum + score, 0);
  const authority = hits.reduce((sum, { score, chunk }) => sum + score * chunk.authority_score, 0);
  return {
    coverage_score: best,
    authority_score: weight === 0 ? 0 : authority / weight,
    recommendation:
      hits.length === 0
        ? 'nothing_found'
        : best >= 0.7
          ? 'results_sufficient'
          : best >= 0.4
            ? 'results_limited'
            : 'acquire_more',
  };
}
