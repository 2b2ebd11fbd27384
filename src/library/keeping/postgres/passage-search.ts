import { errorSaid, isKaizenError } from '../../../core/errors';
import { libraryUri } from '../../../core/knowledge-uri';
import type { Sentence } from '../../../core/sentence';
import { Turns } from '../../../core/turns';
import type { Connections } from '../../../postgres';
import { byWordsOnly, fuse } from '../../../search';
import { chosenOf } from '../choosing';
import { KEEPING_LIMITS } from '../limits';
import type { ChunkAnswer, ChunkFilter, LibraryKeeper } from '../model';
import { choosePassages } from './choosing';
import type { Frequencies } from './frequencies';
import type { Meaning } from './meaning';
import { chunkOfPassage, type RankedPassage, rankPassages, readPassages, type StoredPassage } from './ranking';
import { isStorable } from './shelf';
import { queryStems } from './words';

/** Searches a library on a server: by words, and by meaning where that is there; both are made one order. */
export class PassageSearch {
  constructor(
    private readonly connections: Connections,
    private readonly frequencies: Frequencies,
    private readonly meaning: Meaning,
  ) {}

  async search(
    query: string,
    { limit, filter = {}, choose, signal }: Parameters<LibraryKeeper['search']>[1],
  ): Promise<ChunkAnswer> {
    const most = Math.min(limit, KEEPING_LIMITS.hits);
    const narrowed = {
      ...filter,
      ...(filter.documents ? { documents: filter.documents.filter(isStorable) } : {}),
    };
    const { passages, ranked, total } = await this.byWords(query, narrowed, most, signal);
    const { near, remark } = await this.byMeaning(query, narrowed, most, signal);
    const best = await this.withPassages(fused(ranked, near).slice(0, most), passages, signal);
    const hits = [...chosenOf(best, ({ chunk }) => libraryUri(chunk.document_id, chunk.id), choose)];
    return { hits, total: Math.max(total, hits.length), ...(remark === undefined ? {} : { message: remark }) };
  }

  private async byWords(query: string, filter: ChunkFilter, limit: number, signal: AbortSignal | undefined) {
    const turns = new Turns(signal);
    const stems = queryStems(query);
    const none = { passages: [] as StoredPassage[], ranked: [] as RankedPassage[], total: 0 };
    if (stems.length === 0) return none;
    const chosen = await this.connections.call(
      async (session) => {
        const whole = await this.frequencies.of(session, stems);
        if (whole.found.size === 0) return undefined;
        const weighed = [...whole.found].map(([stem, passages]) => ({ stem, weight: idf(passages, whole.passages) }));
        const { keys, total } = await choosePassages(session, weighed, filter, limit);
        return { whole, total, passages: await readPassages(session, keys) };
      },
      { reads: true, signal },
    );
    if (!chosen) return none;
    const { whole, passages, total } = chosen;
    return { passages, ranked: await rankPassages(query, passages, whole, limit, turns), total };
  }

  /** None where it cannot be asked; then, or where not all can be found so, it says why. */
  private async byMeaning(
    query: string,
    filter: ChunkFilter,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<{ near: { key: string; score: number }[]; remark?: Sentence }> {
    const missing = this.meaning.whyNot();
    if (!this.meaning.isThere) {
      return { near: [], ...(missing ? { remark: missing } : {}) };
    }
    try {
      const near = await this.meaning.search(query, { limit, filter, signal });
      return { near, ...(missing ? { remark: missing } : {}) };
    } catch (error) {
      signal?.throwIfAborted();
      if (!isKaizenError(error)) throw error;
      return { near: [], remark: byWordsOnly(errorSaid(error)) };
    }
  }

  /** With what was found by meaning alone read as well; what is gone meanwhile is left out. */
  private async withPassages(
    found: readonly (RankedPassage & { byMeaning: boolean })[],
    passages: readonly StoredPassage[],
    signal: AbortSignal | undefined,
  ): Promise<ChunkAnswer['hits']> {
    const known = new Map(passages.map((passage) => [passage.key, passage]));
    const unknown = found.flatMap(({ key }) => (known.has(key) ? [] : [key]));
    if (unknown.length > 0) {
      const others = await this.connections.call((session) => readPassages(session, unknown), { reads: true, signal });
      for (const passage of others) known.set(passage.key, passage);
    }
    return found.flatMap(({ key, score, matched, byMeaning }) => {
      const passage = known.get(key);
      return passage ? [{ chunk: chunkOfPassage(passage), score, matched, byMeaning }] : [];
    });
  }
}

function fused(
  words: readonly RankedPassage[],
  near: readonly { key: string; score: number }[],
): (RankedPassage & { byMeaning: boolean })[] {
  const matched = new Map(words.map((hit) => [hit.key, hit.matched]));
  const byMeaning = new Set(near.map(({ key }) => key));
  const uris = (hits: readonly { key: string; score: number }[]) => hits.map(({ key, score }) => ({ uri: key, score }));
  return fuse(uris(words), uris(near)).map(({ uri, score }) => ({
    key: uri,
    score,
    matched: matched.get(uri) ?? [],
    byMeaning: byMeaning.has(uri),
  }));
}

/** As in the ranking (src/search/ranking.ts): only the order of words matters here. */
function idf(frequency: number, passages: number): number {
  return Math.log(1 + Math.max(0, passages - frequency + 0.5) / (frequency + 0.5));
}
