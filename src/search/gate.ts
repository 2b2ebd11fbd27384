import { type Analysis, fold, wordsOf } from './analysis';
import type { InvertedIndex } from './inverted/inverted-index';
import { bytesOfWords } from './inverted/passage-words';
import { SINGLE_FACETS } from './inverted/passages';
import type { PostingList } from './inverted/postings';
import { type FacetFilter, FIELDS } from './model';
import type { Query, QueryField } from './query';

type Test = (doc: number) => boolean;

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
  for (const phrase of query.phrases) {
    const words = wordsOf(phrase, analysis).map(({ word }) => word);
    if (words.length > 0) keepOnly(gate, withPhrase(words, gate, index));
  }
  for (const excluded of query.excluded) {
    const words = wordsOf(excluded, analysis).map(({ word }) => word);
    for (const doc of words.length > 1 ? withPhrase(words, gate, index) : withWord(words[0], index)) gate[doc] = 0;
  }
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

function keepOnly(gate: Uint8Array, docs: Iterable<number>): void {
  const kept = [...docs];
  gate.fill(0);
  for (const doc of kept) gate[doc] = 1;
}

function* withWord(word: string | undefined, index: InvertedIndex): Generator<number> {
  const term = word === undefined ? undefined : index.lexicon.termOfText(word);
  if (term === undefined) return;
  const { docs, from, to } = index.postings.list(term);
  for (let at = from; at < to; at++) yield docs[at]!;
}

/** Passages of the gate in which the words stand one after another, in one field and exactly as they are. */
function* withPhrase(words: readonly string[], gate: Uint8Array, index: InvertedIndex): Generator<number> {
  const numbers = words.map((word) => index.lexicon.number(word));
  if (!numbers.every((number) => number !== undefined)) return;
  let rarest: PostingList | undefined;
  for (const number of numbers) {
    const list = index.postings.list(index.lexicon.term(number));
    if (!rarest || list.to - list.from < rarest.to - rarest.from) rarest = list;
  }
  if (!rarest) return;
  const { docs, from, to } = rarest;
  const pattern = bytesOfWords(numbers);
  for (let at = from; at < to; at++) {
    const doc = docs[at]!;
    if (gate[doc] === 0 || !index.words.mayHold(doc, pattern)) continue;
    if (holds(index.words.get(doc), numbers)) yield doc;
  }
}

function holds({ words, ends }: { words: Uint32Array; ends: readonly number[] }, phrase: readonly number[]): boolean {
  const [first] = phrase;
  let at = 0;
  for (let field = 0; field < FIELDS.length; field++) {
    const last = ends[field]! - phrase.length;
    for (; at <= last; at++) {
      if (words[at] !== first) continue;
      let next = 1;
      while (next < phrase.length && words[at + next] === phrase[next]) next++;
      if (next === phrase.length) return true;
    }
    at = ends[field]!;
  }
  return false;
}
