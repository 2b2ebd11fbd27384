import type { Turns } from '../core/turns';
import { ANALYSIS, type Analysis } from './analysis';
import { calibration } from './calibration';
import { gateOf } from './gate';
import { InvertedIndex } from './inverted/inverted-index';
import { occurrences, together } from './inverted/occurrences';
import type { PostingList } from './inverted/postings';
import {
  FIELDS,
  type MatchedWord,
  type SearchAnswer,
  type SearchHit,
  type SearchIndex,
  type SearchOptions,
  type Segment,
  type WholeCollection,
} from './model';
import { CLOSELY, Proximity } from './proximity';
import { parseQuery } from './query';
import { type QueryTerm, type QueryWord, queryWords } from './query-words';
import { RANKING, Ranker, type Ranking, type Statistics } from './ranking';
import { firstByUri, Retrieval } from './retrieve';
import { MemorySegment } from './segment';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 1_000;
/** How long after the last segment was restored, or a source dropped, what was postponed is begun. */
const SETTLED_AFTER_MS = 300;
/** How long it is worked on at a time, and how long others have then. */
const SETTLING_MS = 4;

/** How texts become words, and how passages are ranked by them; the product's own unless told. */
export interface IndexOptions {
  analysis?: Analysis;
  ranking?: Ranking;
  whole?: WholeCollection | undefined;
}

export class MemorySearchIndex implements SearchIndex {
  private readonly analysis: Analysis;
  private readonly ranking: Ranking;
  private readonly whole: WholeCollection | undefined;
  private readonly index: InvertedIndex;
  private readonly segments = new Map<string, MemorySegment>();
  private readonly retrieval = new Retrieval();
  private readonly proximity: Proximity;
  private restoring = 0;
  private settling: NodeJS.Timeout | undefined;
  private ranker: { ranker: Ranker; version: number } | undefined;

  constructor({ analysis = ANALYSIS, ranking = RANKING, whole }: IndexOptions = {}) {
    this.analysis = analysis;
    this.ranking = ranking;
    this.whole = whole;
    this.index = new InvertedIndex(analysis);
    this.proximity = new Proximity(this.index);
  }

  get size(): number {
    return this.index.passages.size;
  }

  segment(source: string): Segment {
    return this.ownSegment(source);
  }

  async restore(source: string, bytes: Uint8Array): Promise<boolean> {
    this.restoring++;
    try {
      return await this.ownSegment(source).replace(bytes);
    } finally {
      this.restoring--;
      this.settleLater(SETTLED_AFTER_MS);
    }
  }

  async settle(turns: Turns): Promise<void> {
    while (!this.index.isSettled) {
      this.index.settleSome();
      await turns.pause();
    }
  }

  drop(source: string): void {
    this.segments.get(source)?.drop();
    this.segments.delete(source);
    this.settleLater(SETTLED_AFTER_MS);
  }

  search(text: string, options: SearchOptions = {}): SearchAnswer {
    this.index.tidy(0);
    if (this.settling === undefined) this.settleLater(SETTLED_AFTER_MS);
    const { index, analysis } = this;
    const query = parseQuery(text, options.syntax ?? 'words');
    const ranker = this.currentRanker();
    const words = queryWords(query, index, ranker, analysis);
    const gate = gateOf(query, options.filter ?? {}, index, analysis);
    const limit = Math.max(1, Math.min(options.limit ?? DEFAULT_LIMIT, MAX_LIMIT));
    if (words.length === 0) return this.listed(gate, limit);
    const terms = [...new Set(words.flatMap(({ terms }) => terms))];
    const { uris, end } = index.passages;
    const ranked = this.retrieval.best(terms, { end, limit: Math.max(limit, CLOSELY), gate, ranker, uris });
    const { docs, ranks, total } = this.proximity.weigh(ranked, terms, ranker);
    const best = { ranks, occurrences: ({ list }: QueryTerm) => packedIn(list, docs[0]!) };
    const scoreOf = calibration(words, best, ranker);
    return { hits: this.hits(docs.slice(0, limit), ranks, words, scoreOf), total };
  }

  private hits(
    docs: readonly number[],
    ranks: readonly number[],
    words: QueryWord[],
    scoreOf: (rank: number) => number,
  ): SearchHit[] {
    const heaviest = words.reduce((sum, { idf, times }) => sum + idf * times, 0);
    return docs.map((doc, at) => {
      const rank = ranks[at]!;
      return this.hit(doc, { score: scoreOf(rank), rank, matched: matchedIn(doc, words, heaviest) });
    });
  }

  /** Without words all that may be found is as good as any other: by uri. */
  private listed(gate: Uint8Array | undefined, limit: number): SearchAnswer {
    if (!gate) return { hits: [], total: 0 };
    const docs: number[] = [];
    for (let doc = 0; doc < gate.length; doc++) if (gate[doc] === 1) docs.push(doc);
    const first = firstByUri(docs, limit, this.index.passages.uris);
    const hits = first.map((doc) => this.hit(doc, { score: 1, rank: 0, matched: [] }));
    return { hits, total: docs.length };
  }

  private hit(doc: number, found: Pick<SearchHit, 'score' | 'rank' | 'matched'>): SearchHit {
    const { passages } = this.index;
    return {
      uri: passages.uris[doc]!,
      source: passages.sources[doc]!,
      title: passages.titles[doc]!,
      facets: passages.facets(doc),
      ...found,
    };
  }

  private ownSegment(source: string): MemorySegment {
    let segment = this.segments.get(source);
    if (!segment) {
      segment = new MemorySegment(source, this.index);
      this.segments.set(source, segment);
    }
    return segment;
  }

  /** Once all segments have been restored, that is: each list would otherwise grow with every one. Keeps no process alive. */
  private settleLater(ms: number): void {
    clearTimeout(this.settling);
    this.settling = undefined;
    if (this.index.isSettled) return;
    this.settling = setTimeout(() => {
      const until = performance.now() + SETTLING_MS;
      while (this.restoring === 0 && !this.index.isSettled && performance.now() < until) this.index.settleSome();
      this.settleLater(this.restoring === 0 ? SETTLING_MS : SETTLED_AFTER_MS);
    }, ms).unref();
  }

  private currentRanker(): Ranker {
    const { version, passages } = this.index;
    if (this.ranker?.version !== version) {
      const statistics = statisticsOf(passages, this.whole);
      this.ranker = { ranker: new Ranker(this.ranking, statistics, passages.lengths), version };
    }
    return this.ranker.ranker;
  }
}

/** Of the whole, lengths are taken to be those of the part. */
function statisticsOf({ size, totals }: InvertedIndex['passages'], whole: WholeCollection | undefined): Statistics {
  if (!whole) return { passages: size, totals: [...totals] };
  const passages = Math.max(size, whole.passages);
  const times = size === 0 ? 0 : passages / size;
  return {
    passages,
    totals: [...totals].map((total) => total * times),
    frequency: (stem) => whole.frequency(stem),
  };
}

function matchedIn(doc: number, words: readonly QueryWord[], heaviest: number): MatchedWord[] {
  const matched: MatchedWord[] = [];
  for (const { word, corrected, terms, idf, times } of words) {
    const packed = terms.reduce((sum, { list }) => together(sum, packedIn(list, doc)), 0);
    if (packed === 0) continue;
    const fields = FIELDS.filter((_, field) => occurrences(packed, field) > 0);
    matched.push({ word, ...(corrected ? { corrected } : {}), fields, weight: (idf * times) / heaviest });
  }
  return matched.sort((a, b) => b.weight - a.weight);
}

/** How often the list's term occurs in a passage, packed. */
function packedIn({ docs, counts, from, to }: PostingList, doc: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low < to && docs[low] === doc ? counts[low]! : 0;
}
