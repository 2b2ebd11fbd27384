import { errorSaid, isKaizenError } from '../core/errors';
import { type Sentence, sentence } from '../core/sentence';
import { fuse } from './hybrid';
import type { FacetFilter, MatchedWord, SearchHit, SearchIndex, SearchType, SemanticIndex } from './model';

/** Something that was found, and how well it fits: 0 to 1, comparable across queries. */
export interface HybridHit {
  uri: string;
  score: number;
  /** Words that it was found by, heaviest first; none when it was found by meaning alone. */
  matched: readonly MatchedWord[];
  /** Whether it was found by meaning, by itself or as well. */
  byMeaning?: boolean;
}

export interface HybridSearchOptions {
  limit: number;
  filter?: FacetFilter | undefined;
  /** Where not all that the filter lets through is asked for: which of it. */
  accept?: ((uri: string) => boolean) | undefined;
  /** What `filter` says, for what is found by meaning: that knows addresses only. */
  near?: ((uri: string) => boolean) | undefined;
  /** Of these, best first, those that may be given. */
  admit(uris: readonly string[]): Iterable<string>;
  /** Other scores for what was found by words, best first. */
  rescore?: ((hits: readonly SearchHit[]) => readonly SearchHit[]) | undefined;
  signal?: AbortSignal | undefined;
}

export interface HybridAnswer {
  hits: HybridHit[];
  /** At least so many there are in all. */
  total: number;
  used: SearchType;
  /** Why it was not searched as was asked, or not among all, in a sentence. */
  note?: Sentence | string;
}

const MOST_HITS = 1_000;

/** By words, by meaning, or both; by words alone where there is no embedder. */
export class HybridSearch {
  constructor(
    private readonly index: SearchIndex,
    private readonly semantic: SemanticIndex,
    /** Why there is no embedder though one was asked for. */
    private readonly problem: () => Sentence | string | undefined,
    /** The source of an address, where filters name sources. */
    private readonly sourceOf: (uri: string) => string = () => '',
  ) {}

  async find(query: string, type: SearchType, options: HybridSearchOptions): Promise<HybridAnswer> {
    if (type === 'keyword') return { ...this.byWords(query, options), used: 'keyword' };
    const missing = this.whyNoMeaning();
    if (missing !== undefined) {
      return { ...this.byWords(query, options), used: 'keyword', note: byWordsOnly(missing) };
    }
    const words = this.byWords(query, options);
    try {
      const meaning = await this.byMeaning(query, options);
      const fused = type === 'semantic' ? fuse([], meaning) : fuse(words.hits, meaning);
      const near = new Set(meaning.map(({ uri }) => uri));
      const matched = new Map(words.hits.map((hit) => [hit.uri, hit.matched]));
      const hits = fused.slice(0, options.limit).map(({ uri, score }) => ({
        uri,
        score,
        matched: matched.get(uri) ?? [],
        byMeaning: near.has(uri),
      }));
      const total = type === 'semantic' ? meaning.length : Math.max(words.total, fused.length);
      const note = this.whyNotAll();
      return { hits, total, used: type, ...(note === undefined ? {} : { note }) };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!isKaizenError(error)) throw error;
      return { ...words, used: 'keyword', note: byWordsOnly(errorSaid(error)) };
    }
  }

  /** Asks for more as long as too few of those that were found may be given. */
  private byWords(
    query: string,
    { limit, filter, accept, admit, rescore = (hits) => hits }: HybridSearchOptions,
  ): { hits: HybridHit[]; total: number } {
    // The index counts what its filter lets through: of a part of that, only what is looked at can be counted.
    for (let wanted = accept ? MOST_HITS : limit; ; wanted *= 4) {
      const most = Math.min(wanted, MOST_HITS);
      const found = this.index.search(query, { limit: most, filter });
      const hits = accept ? found.hits.filter(({ uri }) => accept(uri)) : found.hits;
      const total = accept ? hits.length : found.total;
      // Without a word in the query, whatever the filter lets through would be as good as any other.
      if (hits[0]?.matched.length === 0) return { hits: [], total: 0 };
      const admitted = new Set(admit(hits.map(({ uri }) => uri)));
      const given = hits.filter(({ uri }) => admitted.has(uri));
      if (given.length >= limit || hits.length < most || most === MOST_HITS) {
        return { hits: [...rescore(given.slice(0, limit))], total: total - (hits.length - given.length) };
      }
    }
  }

  /** As by words; the vector of the question is made once. */
  private async byMeaning(query: string, { limit, filter, near, accept: wants, admit, signal }: HybridSearchOptions) {
    const sources = filter?.sources && new Set(filter.sources);
    const isNear = sources ? (uri: string) => sources.has(this.sourceOf(uri)) : near;
    const accept = isNear && ((uri: string) => isNear(uri) && (wants?.(uri) ?? true));
    for (let wanted = limit * 4; ; wanted *= 4) {
      const most = Math.min(wanted, MOST_HITS);
      const hits = await this.semantic.search(query, {
        limit: most,
        ...(accept ? { accept } : {}),
        ...(signal ? { signal } : {}),
      });
      const admitted = new Set(admit(hits.map(({ uri }) => uri)));
      const given = hits.filter(({ uri }) => admitted.has(uri));
      if (given.length >= limit || hits.length < most || most === MOST_HITS) return given.slice(0, limit);
    }
  }

  /** Whether there is an embedder, working or not. */
  get isSetUp(): boolean {
    return 'total' in this.semantic.state || this.problem() !== undefined;
  }

  private whyNoMeaning(): Sentence | string | undefined {
    const { state } = this.semantic;
    if (!('total' in state)) return this.problem() ?? sentence('no embedding model is set up.');
    if (state.done > 0) return undefined;
    if (state.problem !== undefined) return state.problem;
    return state.total > 0 ? sentence('vectors of {0} texts are still being made.', state.total) : undefined;
  }

  private whyNotAll(): Sentence | undefined {
    const { state } = this.semantic;
    if (!('total' in state) || state.done >= state.total) return undefined;
    return sentence(
      'Searched by meaning among {0} of {1} texts: vectors of the others are still being made.',
      state.done,
      state.total,
    );
  }
}

/** @param why a sentence that goes on after a colon */
export function byWordsOnly(why: Sentence | string): Sentence {
  return sentence('Searched by words only: {0}', why);
}
