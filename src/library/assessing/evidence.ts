import type { Sentence } from '../../core/sentence';
import { Turns } from '../../core/turns';
import { ANALYSIS, wordsOf } from '../../search';
import type { ChunkHit, LibraryKeeper } from '../keeping/model';
import type { DocumentMetadata, KnowledgeChunk } from '../model';
import { COVERAGE } from './constants';
import { type TopicWord, topicWords } from './topic-words';

/** A chunk that has to do with the topic. */
export interface Evidence {
  chunk: KnowledgeChunk;
  /** 0 to 1, how far it is about the topic. */
  relevance: number;
  /** The part of one relevant chunk that it counts as, above 0 to 1. */
  weight: number;
}

export interface Gathered {
  /** Most relevant first. */
  evidence: readonly Evidence[];
  /** How well the best of its documents meets the topic, 0 to 1. */
  quality: number;
  documents: ReadonlyMap<string, DocumentMetadata>;
  /** Words of the topic that no chunk holds, heaviest first. */
  missing: readonly string[];
  /** Why not all was searched. */
  message?: Sentence | string | undefined;
}

/** A word of the topic with what it weighs among the topic's: rare ones more. */
type Weighed = TopicWord & { share: number };

/** What the library has on a topic, for `chunks` relevant ones that are asked for. */
export async function gather(
  keeper: LibraryKeeper,
  topic: string,
  chunks: number,
  signal?: AbortSignal,
): Promise<Gathered> {
  const limit = Math.max(COVERAGE.looked, chunks * COVERAGE.lookedForEach);
  const { hits, message } = await keeper.search(topic, { limit, signal });
  const words = weighed(topicWords(topic), hits);
  const { relevances, quality } = await relevancesOf(hits, words, signal);
  const evidence = hits
    .map(({ chunk }, at) => ({ chunk, relevance: relevances[at]!, weight: weightOf(relevances[at]!) }))
    .sort((a, b) => b.relevance - a.relevance);
  const found = evidence.filter(({ weight }) => weight > 0);
  const ids = [...new Set(found.map(({ chunk }) => chunk.document_id))];
  const documents = await Promise.all(ids.map((id) => keeper.document(id)));
  const matched = new Set(hits.flatMap((hit) => hit.matched.map(({ word }) => stemOf(word))));
  return {
    evidence: found,
    quality,
    documents: new Map(documents.flatMap((each) => (each ? [[each.document_id, each] as const] : []))),
    missing: words
      .filter(({ term }) => !matched.has(term))
      .sort((a, b) => b.share - a.share)
      .map(({ word }) => word),
    ...(message === undefined ? {} : { message }),
  };
}

function weightOf(relevance: number): number {
  const { from, whole } = COVERAGE.relevant;
  return Math.min(1, Math.max(0, (relevance - from) / (whole - from)));
}

/**
 * By what search weighs them: a word's share of the query's weight, which the hits tell; the words that no hit holds have
 * the rest. Its root, so that the rarest word alone does not decide.
 */
function weighed(words: readonly TopicWord[], hits: readonly ChunkHit[]): Weighed[] {
  const told = new Map<string, number>();
  for (const { matched } of hits) {
    for (const { word, weight } of matched) told.set(stemOf(word), Math.max(weight, told.get(stemOf(word)) ?? 0));
  }
  const unknown = words.filter(({ term }) => !told.has(term)).length;
  const known = words.reduce((sum, { term }) => sum + (told.get(term) ?? 0), 0);
  const rest = unknown === 0 ? 0 : Math.max(0, 1 - known) / unknown;
  // Found by meaning alone, nothing is told: then all weigh the same.
  const even = known === 0 ? 1 : undefined;
  const all = words.map((word) => ({ ...word, share: Math.sqrt(even ?? told.get(word.term) ?? rest) * word.weight }));
  const sum = all.reduce((total, { share }) => total + share, 0) || 1;
  return all.map((word) => ({ ...word, share: word.share / sum }));
}

/** How often each word of the topic stands in a text, and which stand in its headings. */
interface Counts {
  body: number[];
  heading: boolean[];
}

/**
 * How far each hit is about the topic: how well the library answers it by the search's best scores, and how much of its words
 * the chunk and what was found of its document hold. The scores of the hits further down say how far they fall behind the
 * best one, which is another question.
 */
async function relevancesOf(
  hits: readonly ChunkHit[],
  words: readonly Weighed[],
  signal?: AbortSignal,
): Promise<{ relevances: number[]; quality: number }> {
  const turns = new Turns(signal);
  const places = new Map(words.map(({ term }, at) => [term, at]));
  const counts: Counts[] = [];
  const documents = new Map<string, Counts>();
  for (const { chunk } of hits) {
    const own = countsOf(chunk, places, words.length);
    counts.push(own);
    const all = documents.get(chunk.document_id) ?? { body: words.map(() => 0), heading: words.map(() => false) };
    documents.set(chunk.document_id, all);
    own.body.forEach((count, at) => {
      all.body[at]! += count;
      all.heading[at] ||= own.heading[at]!;
    });
    await turns.pause();
  }
  const { often, answers } = COVERAGE;
  const mean = hits.slice(0, answers).reduce((sum, { score }) => sum + score, 0) / answers;
  // A narrow topic is answered by one chunk alone.
  const answered = ((hits[0]?.score ?? 0) + mean) / 2;
  const met = (held: number) => answered ** (1 - COVERAGE.words) * held ** COVERAGE.words;
  const byDocument = new Map([...documents].map(([id, each]) => [id, heldOf(each, words, often.document)]));
  const relevances = hits.map(({ chunk, score, byMeaning, matched }, at) => {
    const own = heldOf(counts[at]!, words, often.chunk);
    const byWords = met(Math.sqrt(own * byDocument.get(chunk.document_id)!));
    // By meaning it may say the same in other words: of that only the search can tell how well.
    return byMeaning && matched.length === 0 ? Math.max(score, byWords) : byWords;
  });
  const best = met(Math.max(0, ...byDocument.values()));
  const byMeaning = hits.filter((hit) => hit.byMeaning).slice(0, answers);
  const meant = byMeaning.reduce((sum, { score }) => sum + score, 0) / answers;
  return { relevances, quality: Math.max(best, meant * COVERAGE.full) };
}

function countsOf(chunk: KnowledgeChunk, places: ReadonlyMap<string, number>, words: number): Counts {
  const body: number[] = Array.from({ length: words }, () => 0);
  const heading: boolean[] = Array.from({ length: words }, () => false);
  for (const { word } of wordsOf(chunk.content, ANALYSIS)) {
    const at = places.get(ANALYSIS.stem(word));
    if (at !== undefined) body[at]!++;
  }
  const { document_title, section_title, section_hierarchy, clause_number = '' } = chunk;
  for (const { word } of wordsOf(
    [document_title, section_title, clause_number, ...section_hierarchy].join('\n'),
    ANALYSIS,
  )) {
    const at = places.get(ANALYSIS.stem(word));
    if (at !== undefined) heading[at] = true;
  }
  return { body, heading };
}

/** The share of the topic that is held: a word in a heading whole, one in the text the more the more often it occurs. */
function heldOf({ body, heading }: Counts, words: readonly Weighed[], often: number): number {
  const held = (at: number) => (heading[at] ? 1 : COVERAGE.unheaded * (1 - Math.exp(-body[at]! / often)));
  return words.reduce((sum, { share }, at) => sum + share * held(at), 0);
}

function stemOf(word: string): string {
  return ANALYSIS.stem(wordsOf(word, { ...ANALYSIS, names: false })[0]?.word ?? word.toLowerCase());
}
