import { libraryUri } from '../../core/knowledge-uri';
import { checkText } from '../../core/text';
import { Turns } from '../../core/turns';
import { snippetOf } from '../../search';
import type { ChunkFilter, ChunkHit } from '../keeping/model';
import type { FoundChunk, LibraryAnswer, LibraryFilter, LibrarySearch } from '../model';
import type { Surroundings } from '../surroundings';
import { summaryOf } from './coverage-summary';
import { DEFAULTS, LIMITS } from './limits';
import { combinedScore, UNRATED } from './ranking';

/** Searches the library's chunks and ranks them by what they say and by what was learned of them (seed 003, 6.5). */
export class Searching {
  constructor(private readonly surroundings: Surroundings) {}

  async search(request: LibrarySearch): Promise<LibraryAnswer> {
    const { query, filter = {}, score_threshold = 0, boost_by_score = true, signal } = request;
    checkText(query, { name: 'query', max: LIMITS.query });
    const limit = Math.min(LIMITS.results, Math.max(1, Math.trunc(request.n_results ?? DEFAULTS.results)));
    const keeper = await this.surroundings.keeper();
    const { hits, total, message } = await keeper.search(query, { limit, filter: chunkFilter(filter), signal });
    const found: FoundChunk[] = [];
    const turns = new Turns(signal);
    for (const hit of hits) {
      found.push(foundChunk(hit, query, boost_by_score));
      await turns.pause();
    }
    const results = found
      .filter(({ combined_score }) => combined_score >= score_threshold)
      .filter(({ effectiveness_score }) => effectiveness_score >= (filter.min_score ?? 0))
      .sort((a, b) => b.combined_score - a.combined_score);
    return {
      query,
      total_results: results.length < hits.length ? results.length : total,
      results,
      ...((request.include_coverage_assessment ?? true) ? { coverage: summaryOf(hits) } : {}),
      ...(message === undefined ? {} : { message }),
    };
  }
}

function chunkFilter({
  document_type,
  source_type,
  normative_only,
  min_authority,
  documents,
}: LibraryFilter): ChunkFilter {
  return {
    ...(document_type && document_type.length > 0 ? { document_type } : {}),
    ...(source_type && source_type !== 'any' ? { source_type } : {}),
    ...(normative_only ? { normative_only } : {}),
    ...(min_authority ? { min_authority } : {}),
    ...(documents ? { documents: documents.slice(0, LIMITS.documents) } : {}),
  };
}

function foundChunk({ chunk, score, matched }: ChunkHit, query: string, boosted: boolean): FoundChunk {
  return {
    id: chunk.id,
    uri: libraryUri(chunk.document_id, chunk.id),
    content: chunk.content,
    semantic_score: score,
    effectiveness_score: UNRATED.score,
    combined_score: combinedScore(score, UNRATED.score, boosted),
    score_confidence: UNRATED.confidence,
    snippet: snippetOf(chunk.content, query, { matched }),
    matched: matched.map(({ word }) => word),
    chunk,
  };
}
