import { libraryUri } from '../../core/knowledge-uri';
import { sentence } from '../../core/sentence';
import { checkText } from '../../core/text';
import { Turns } from '../../core/turns';
import { snippetOf } from '../../search';
import type { ChunkCandidate, ChunkFilter, ChunkHit } from '../keeping/model';
import type { Learned, LearnedScore } from '../learned';
import type { FoundChunk, LibraryAnswer, LibraryFilter, LibrarySearch } from '../model';
import type { Surroundings } from '../surroundings';
import { summaryOf } from './coverage-summary';
import { DEFAULTS, LIMITS } from './limits';

/** Searches the library's chunks and ranks them by what they say and by what was learned of them (seed 003, 6.5). */
export class Searching {
  constructor(private readonly surroundings: Surroundings) {}

  async search(request: LibrarySearch): Promise<LibraryAnswer> {
    const { query, filter = {}, score_threshold = 0, boost_by_score = true, signal } = request;
    checkText(query, { name: sentence('query'), max: LIMITS.query });
    const limit = Math.min(LIMITS.results, Math.max(1, Math.trunc(request.n_results ?? DEFAULTS.results)));
    const keeper = await this.surroundings.keeper();
    const { learned } = this.surroundings;
    const ranking = new Ranking(learned, boost_by_score, {
      score: score_threshold,
      effectiveness: filter.min_score ?? 0,
    });
    const { hits, total, message } = await keeper.search(query, {
      limit: ranking.looksFurther ? furtherThan(limit) : limit,
      filter: chunkFilter(filter),
      choose: (candidates) => ranking.best(candidates, limit),
      signal,
    });
    const results: FoundChunk[] = [];
    const turns = new Turns(signal);
    for (const hit of hits) {
      results.push(foundChunk(hit, query, ranking));
      await turns.pause();
    }
    return {
      query,
      total_results: ranking.leftOut > 0 ? ranking.passed : total,
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

/** One search's order, and what it leaves out. */
class Ranking {
  /** Candidates that were good enough, and that were not. */
  passed = 0;
  leftOut = 0;
  private readonly boosts: boolean;

  constructor(
    readonly learned: Learned,
    boosted: boolean,
    private readonly least: { score: number; effectiveness: number },
  ) {
    this.boosts = boosted && learned.isRanking;
  }

  /** Whether something that was found further down may be among the best. */
  get looksFurther(): boolean {
    return (this.boosts || this.least.effectiveness > 0) && this.learned.ratedPassages().size > 0;
  }

  best(candidates: readonly ChunkCandidate[], limit: number): ChunkCandidate[] {
    const ranked = candidates.map((candidate) => {
      const learned = this.learned.effectivenessOf(candidate.uri);
      return { candidate, learned, rank: this.rank(candidate.score, learned) };
    });
    const good = ranked.filter(
      ({ learned, rank }) => shown(rank) >= this.least.score && learned.score >= this.least.effectiveness,
    );
    this.passed = good.length;
    this.leftOut = ranked.length - good.length;
    good.sort((a, b) => b.rank - a.rank);
    return good.slice(0, limit).map(({ candidate }) => candidate);
  }

  rank(semantic: number, learned: LearnedScore): number {
    return this.boosts ? this.learned.combinedScore(semantic, learned) : semantic;
  }
}

function furtherThan(limit: number): number {
  return Math.max(limit, Math.min(LIMITS.candidates, limit * LIMITS.candidatesEach));
}

/** The order goes on above 1; a score does not. */
function shown(rank: number): number {
  return Math.min(1, rank);
}

function foundChunk({ chunk, score, matched }: ChunkHit, query: string, ranking: Ranking): FoundChunk {
  const uri = libraryUri(chunk.document_id, chunk.id);
  const learned = ranking.learned.effectivenessOf(uri);
  return {
    id: chunk.id,
    uri,
    content: chunk.content,
    semantic_score: score,
    effectiveness_score: learned.score,
    combined_score: shown(ranking.rank(score, learned)),
    score_confidence: learned.confidence,
    snippet: snippetOf(chunk.content, query, { matched }),
    matched: matched.map(({ word }) => word),
    chunk,
  };
}
