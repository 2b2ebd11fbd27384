import type { Analysis } from '../analysis';
import { atLeast } from './growing';

/** So many code units of words are what they are grouped by. */
const BEGINNINGS = [1, 2];

/**
 * The words that passages hold, each with a number, and the terms that they are found by: words with one stem share a
 * term. Words are never forgotten; how many there are is bounded by what a person writes.
 */
export class Lexicon {
  readonly words: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly terms = new Map<string, number>();
  private readonly stems: string[] = [];
  /** The term of each word. */
  termOf = new Uint32Array(64);
  /** The words of each term as chains, newest first: of a term the head, of a word the next; one more than the number, 0 at the end. */
  private heads = new Uint32Array(64);
  private nexts = new Uint32Array(64);
  /** Which letters each word has, one bit for several: words that are alike differ in few bits. */
  letters = new Uint32Array(64);
  lengths = new Uint8Array(64);
  /** How often each word stands in passages that are there. */
  uses = new Uint32Array(64);
  /** By their first code units, for words that are asked for by their beginning. */
  private readonly beginnings = new Map<string, number[]>();

  constructor(readonly analysis: Analysis) {}

  get termCount(): number {
    return this.terms.size;
  }

  /** The word's number; a new one when nobody knew it. The word must be folded; its stem is found when it is not told. */
  add(word: string, itsStem?: string): number {
    const known = this.numbers.get(word);
    if (known !== undefined) return known;
    const number = this.words.length;
    this.words.push(word);
    this.numbers.set(word, number);
    const stem = itsStem ?? this.analysis.stem(word);
    let term = this.terms.get(stem);
    if (term === undefined) {
      term = this.terms.size;
      this.terms.set(stem, term);
      this.stems.push(stem);
    }
    this.termOf = atLeast(this.termOf, number + 1);
    this.termOf[number] = term;
    this.heads = atLeast(this.heads, term + 1);
    this.nexts = atLeast(this.nexts, number + 1);
    this.nexts[number] = this.heads[term]!;
    this.heads[term] = number + 1;
    this.letters = atLeast(this.letters, number + 1);
    this.letters[number] = lettersOf(word);
    this.lengths = atLeast(this.lengths, number + 1);
    this.lengths[number] = word.length;
    this.uses = atLeast(this.uses, number + 1);
    for (const length of BEGINNINGS) {
      if (word.length < length) break;
      const beginning = word.slice(0, length);
      const list = this.beginnings.get(beginning);
      if (list) list.push(number);
      else this.beginnings.set(beginning, [number]);
    }
    return number;
  }

  number(word: string): number | undefined {
    return this.numbers.get(word);
  }

  /** The term that a word of a query is found by, whether or not the word itself occurs. */
  termOfText(word: string): number | undefined {
    return this.terms.get(this.analysis.stem(word));
  }

  term(number: number): number {
    return this.termOf[number]!;
  }

  /** Numbers of all words that the term stands for. */
  wordsOf(term: number): number[] {
    const words: number[] = [];
    for (let next = this.heads[term]!; next !== 0; next = this.nexts[next - 1]!) words.push(next - 1);
    return words;
  }

  stem(term: number): string {
    return this.stems[term]!;
  }

  /** Numbers of the words that stand in passages and begin so, in the order in which they were met. */
  beginningWith(prefix: string): number[] {
    const alike = this.beginnings.get(prefix.slice(0, BEGINNINGS.at(-1))) ?? [];
    return alike.filter((number) => this.uses[number]! > 0 && this.words[number]!.startsWith(prefix));
  }
}

/** One bit for each letter that occurs, five bits of its code telling which. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters >>> 0;
}
