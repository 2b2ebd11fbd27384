import { type Analysis, fold, wordsOf } from './analysis';
import type { InvertedIndex } from './inverted/inverted-index';
import { SINGLE_FACETS } from './inverted/passages';
import type { FacetFilter } from './model';
import type { Query, QueryField } from './query';

type Test = (doc: number) => boolean;

/**
 * Passages that are read for the phrases of one query, unless the first needs more: one of stop words may stand in any.
 * What would take more than is left narrows nothing.
 */
const MOST_READ = 150_000;

/** Which passages may be found, 1 for each: undefined when all may. */
export function gateOf(
  query: Query,
  filter: FacetFilter,
  index: InvertedIndex,
  analysis: Analysis,
): Uint8Array | undefined {
  const tests = [
    ...facetTests(filter, index),
    ...query.filters.map(({ field, value }) => fieldTest(field, value, index)),
  ];
  if (tests.length === 0 && query.phrases.length === 0 && query.excluded.length === 0) return undefined;
  const { alive, end } = index.passages;
  const gate = alive.slice(0, end);
  for (const test of tests) {
    for (let doc = 0; doc < end; doc++) if (gate[doc] === 1 && !test(doc)) gate[doc] = 0;
  }
  const phrases = new Phrases(index, analysis, gate);
  for (const phrase of query.phrases) phrases.keep(phrase);
  for (const excluded of query.excluded) phrases.exclude(excluded);
  return gate;
}

function facetTests(filter: FacetFilter, index: InvertedIndex): Test[] {
  const { passages } = index;
  const tests: Test[] = [];
  for (const facet of SINGLE_FACETS) {
    const wanted = filter[facet];
    if (!wanted) continue;
    const values = new Set(wanted);
    const chosen = facet === 'path' ? (value: string) => wanted.some((path) => value.startsWith(path)) : undefined;
    tests.push(passages.withFacet(facet, chosen ?? ((value) => values.has(value))));
  }
  if (filter.tags) {
    const tags = new Set(filter.tags);
    tests.push(passages.withTag((tag) => tags.has(tag)));
  }
  if (filter.sources) {
    const sources = new Set(filter.sources);
    tests.push((doc) => sources.has(passages.sources[doc]!));
  }
  return tests;
}

/** As people write it: without regard to case. */
function fieldTest(field: QueryField, value: string, index: InvertedIndex): Test {
  const { passages } = index;
  const wanted = fold(value);
  const same = (other: string) => fold(other) === wanted;
  if (field === 'tag') return passages.withTag(same);
  if (field !== 'in') return passages.withFacet(field, same);
  const below = passages.withFacet('path', (path) => fold(path).startsWith(wanted));
  const inSpace = passages.withFacet('space', same);
  const inScope = passages.withFacet('scope', same);
  return (doc) => below(doc) || inSpace(doc) || inScope(doc);
}

/** Narrows a gate by words that stand one after another. */
class Phrases {
  private left = MOST_READ;

  constructor(
    private readonly index: InvertedIndex,
    private readonly analysis: Analysis,
    private readonly gate: Uint8Array,
  ) {}

  keep(phrase: string): void {
    const words = this.wordsOf(phrase);
    if (words.length === 0) return;
    const docs = this.withPhrase(words);
    if (!docs) return;
    this.gate.fill(0);
    for (const doc of docs) this.gate[doc] = 1;
  }

  exclude(text: string): void {
    const words = this.wordsOf(text);
    const docs = words.length > 1 ? this.withPhrase(words) : this.withWord(words[0]);
    for (const doc of docs ?? []) this.gate[doc] = 0;
  }

  private wordsOf(text: string): string[] {
    return wordsOf(text, this.analysis).map(({ word }) => word);
  }

  /** In any of its inflections. */
  private withWord(word: string | undefined): Iterable<number> {
    const term = word === undefined ? undefined : this.index.lexicon.termOfText(word);
    if (term === undefined) return [];
    const { docs, from, to } = this.index.postings.list(term);
    return docs.subarray(from, to);
  }

  /** Passages of the gate in which the words stand in one field, exactly as they are; undefined when that is too much to read. */
  private withPhrase(words: readonly string[]): number[] | undefined {
    const numbers = words.map((word) => this.index.lexicon.number(word));
    if (!numbers.every((number) => number !== undefined)) return [];
    const lists = numbers.map((number) => this.index.postings.list(this.index.lexicon.term(number)));
    const rarest = lists.reduce((a, b) => (b.to - b.from < a.to - a.from ? b : a));
    const candidates: number[] = [];
    for (let at = rarest.from; at < rarest.to; at++) {
      const doc = rarest.docs[at]!;
      if (this.gate[doc] === 1) candidates.push(doc);
    }
    if (this.left < MOST_READ && candidates.length > this.left) return undefined;
    this.left -= candidates.length;
    return candidates.filter(this.index.words.finder(numbers));
  }
}
