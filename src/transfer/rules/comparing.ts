import { inTurns, Turns } from '../../core/turns';
import { withPlainLineEnds } from './line-ends';
import type { RuleDraft } from './model';

/** An entry that is stored already, where the drafts are to go or in a scope that they inherit from. */
export interface StoredText {
  scope_id: string;
  category: string;
  keyword: string;
  content: string;
  metaknowledge: Readonly<Record<string, string>>;
}

/** How a draft stands to what is stored: at its own place, and elsewhere. */
export const STANDINGS = ['new', 'same', 'differs', 'duplicate'] as const;
export type Standing = (typeof STANDINGS)[number];

/** What looks alike: a stored entry, or an earlier draft, which has no scope. */
export interface Likeness {
  scope_id?: string;
  category: string;
  keyword: string;
  /** From 0.9 to 1, where the texts are the same but for case, marks and white space. */
  similarity: number;
}

export interface ComparedDraft {
  draft: RuleDraft;
  /** `duplicate`: nothing is stored at its place, but the same text, or nearly the same, under another name. */
  standing: Standing;
  /** What stands at its place; there when it differs. */
  stored?: StoredText;
  like?: Likeness;
  /** An entry with the same keyword in another category, or inherited: of the two, who asks for the keyword is given one. */
  hides?: { scope_id: string; category: string };
}

const ALIKE = 0.9;
/** Words in a row that are compared. */
const SHINGLE = 3;
/** Of shorter texts every word counts, and one that differs says something else. */
const FEWEST_WORDS = 8;
/**
 * Texts of about the same length that are known by a run of words, and texts found by a draft's rarest runs before no
 * further run is looked at: far more than have a rare run in common, where they are not of one mould. As three lengths
 * are looked at, one draft is compared with up to four times as many.
 */
const MOST_COMPARED = 250;
/** Buckets of lengths, beyond what any text has. */
const BUCKETS = 256;
/** Runs of words that are looked up before others have their turn. */
const PROBES_AT_ONCE = 20_000;
/** Maps that all runs are spread over (`inParts`). */
const PARTS = 127;
/** Runs of words that are made or stored before others have their turn. */
const RUNS_AT_ONCE = 2_000;

/**
 * Compares drafts with each other and with what is stored: the share of all runs of three words that both have (Jaccard),
 * counted exactly. Takes time in proportion to the texts, whatever all of them repeat; yields to the event loop. Where
 * hundreds share even a draft's rarest runs of words, it is compared with some of them (`MOST_COMPARED`): it may then be
 * said to be like one when another is more like it, or be new although one is alike.
 */
export async function compareDrafts(
  drafts: readonly RuleDraft[],
  stored: readonly StoredText[],
  scopeId: string,
  signal?: AbortSignal,
): Promise<ComparedDraft[]> {
  const turns = new Turns(signal);
  const corpus = new Corpus<StoredText | RuleDraft>();
  const places = new Map<string, StoredText>();
  const keywords = new Map<string, StoredText>();
  for (const entry of stored) {
    await turns.pause();
    await inTurns(corpus.add(entry, await inTurns(worded(entry.content), turns)), turns);
    if (entry.scope_id === scopeId) places.set(placeOf(entry), entry);
    if (!keywords.has(entry.keyword)) keywords.set(entry.keyword, entry);
  }
  const compared: ComparedDraft[] = [];
  const parts = new OpenText();
  for (const draft of drafts) {
    await turns.pause();
    const text = await inTurns(worded(draft.content), turns);
    for (const [part, worded] of parts.before(draft)) await inTurns(corpus.add(part, worded), turns);
    const there = places.get(placeOf(draft));
    if (there) {
      const isSame = sameText(there.content, draft.content) && sameLabels(there.metaknowledge, draft.metaknowledge);
      compared.push(isSame ? { draft, standing: 'same' } : { draft, standing: 'differs', stored: there });
    } else {
      const alike = await inTurns(corpus.mostLike(text), turns);
      const hidden = keywords.get(draft.keyword);
      compared.push({
        draft,
        standing: alike ? 'duplicate' : 'new',
        ...(alike ? { like: likeness(alike) } : {}),
        ...(hidden && !alike ? { hides: { scope_id: hidden.scope_id, category: hidden.category } } : {}),
      });
    }
    parts.add(draft, text);
  }
  return compared;
}

/** The parts of a text that was cut, which are compared with what stands before the text, and not with each other. */
class OpenText {
  private parts: [RuleDraft, Worded][] = [];

  /** What a draft is compared with beside all others: what was open, unless it is a part of the same text. */
  before({ partOf }: RuleDraft): [RuleDraft, Worded][] {
    const [last] = this.parts.at(-1) ?? [];
    return last && (partOf === undefined || last.partOf !== partOf) ? this.parts.splice(0) : [];
  }

  add(draft: RuleDraft, text: Worded): void {
    this.parts.push([draft, text]);
  }
}

function placeOf({ category, keyword }: { category: string; keyword: string }): string {
  return `${category}\0${keyword}`;
}

function likeness({ of, similarity }: { of: StoredText | RuleDraft; similarity: number }): Likeness {
  const { category, keyword } = of;
  return { ...('scope_id' in of ? { scope_id: of.scope_id } : {}), category, keyword, similarity };
}

function sameLabels(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameText(a[key]!, b[key]!))
  );
}

/** What an editor or git does to the ends of lines is no other text. */
function sameText(a: string, b: string): boolean {
  return a === b || withPlainLineEnds(a) === withPlainLineEnds(b);
}

/** A text as it is compared. */
interface Worded {
  /** All of its words. */
  whole: string;
  shingles: ReadonlySet<string>;
}

/** Texts by the runs of words that they hold. */
class Corpus<T> {
  private readonly texts: { of: T; shingles: Int32Array }[] = [];
  /** Numbers of the runs of words, and how many texts hold each. */
  private readonly numbers = inParts<string>();
  private readonly held: number[] = [];
  /** Of each run, the first text that holds it: of most there is no other. */
  private readonly first: number[] = [];
  /** Of each run, by how long texts are, the next texts that hold it. */
  private readonly next = inParts<number, number[]>();
  /** Texts with the same words, in their order: the first of them stands for all. */
  private readonly whole = new Map<string, T>();

  /** In steps. */
  *add(of: T, { whole, shingles }: Worded): Generator<void, void> {
    if (this.whole.has(whole)) return;
    this.whole.set(whole, of);
    const numbers = new Int32Array(shingles.size);
    const index = this.texts.push({ of, shingles: numbers }) - 1;
    const bucket = bucketOf(shingles.size);
    let count = 0;
    for (const shingle of shingles) {
      const number = this.numberOf(shingle, index);
      numbers[count++] = number;
      if (this.held[number]!++ > 0) {
        const place = number * BUCKETS + bucket;
        const next = this.next[number % PARTS]!;
        const list = next.get(place);
        if (!list) next.set(place, [index]);
        else if (list.length < MOST_COMPARED) list.push(index);
      }
      if (count % RUNS_AT_ONCE === 0) yield;
    }
  }

  /** The text with the greatest similarity that counts as the same; the first of several. In steps. */
  *mostLike({ whole, shingles }: Worded): Generator<void, { of: T; similarity: number } | undefined> {
    const same = this.whole.get(whole);
    if (same) return { of: same, similarity: 1 };
    const { size } = shingles;
    const known: number[] = [];
    let looked = 0;
    for (const shingle of shingles) {
      const number = this.numbers[partOf(shingle)]!.get(shingle);
      if (number !== undefined) known.push(number);
      if (++looked % RUNS_AT_ONCE === 0) yield;
    }
    const wanted = new Set(known);
    let best: { of: T; similarity: number } | undefined;
    let probes = 0;
    for (const index of this.candidates(known, size)) {
      const { of, shingles: others } = this.texts[index]!;
      // What is no more alike than the best so far is given up once so many are missing.
      const least = best?.similarity ?? ALIKE;
      let missing = others.length - Math.floor((least * (others.length + size)) / (1 + least));
      let count = 0;
      for (const shingle of others) {
        if (wanted.has(shingle)) count++;
        else if (--missing < 0) break;
      }
      probes += others.length;
      const similarity = count / (others.length + size - count);
      if (similarity >= ALIKE && similarity > (best?.similarity ?? 0)) best = { of, similarity };
      if (probes < PROBES_AT_ONCE) continue;
      probes = 0;
      yield;
    }
    return best;
  }

  /**
   * Texts that may be alike, ascending: all of them, or some that share the rarest runs where they are too many. A text
   * that is alike has nine tenths of the runs, so one at least of any tenth and one more.
   */
  private candidates(known: number[], size: number): number[] {
    const tenth = size - Math.ceil(ALIKE * size) + 2;
    // What nobody holds is the rarest of all.
    const led = Math.max(0, tenth - (size - known.length));
    const rarest = known.sort((a, b) => this.held[a]! - this.held[b]!).slice(0, led);
    const candidates = new Set<number>();
    const bucket = bucketOf(size);
    const consider = (index: number) => {
      const length = this.texts[index]!.shingles.length;
      if (Math.min(size, length) >= ALIKE * Math.max(size, length)) candidates.add(index);
    };
    for (const shingle of rarest) {
      consider(this.first[shingle]!);
      for (const near of this.held[shingle]! > 1 ? [bucket - 1, bucket, bucket + 1] : []) {
        this.next[shingle % PARTS]!.get(shingle * BUCKETS + near)?.forEach(consider);
      }
      if (candidates.size >= MOST_COMPARED) break;
    }
    return [...candidates].sort((a, b) => a - b);
  }

  private numberOf(shingle: string, index: number): number {
    const numbers = this.numbers[partOf(shingle)]!;
    const known = numbers.get(shingle);
    if (known !== undefined) return known;
    const number = this.held.push(0) - 1;
    this.first.push(index);
    numbers.set(shingle, number);
    return number;
  }
}

/** A map that grows is written anew: of millions of runs each part by itself, which others do not notice. */
function inParts<Key, Value = number>(): readonly Map<Key, Value>[] {
  return Array.from({ length: PARTS }, () => new Map<Key, Value>());
}

function partOf(shingle: string): number {
  const { length } = shingle;
  if (length === 0) return 0;
  const [start, middle] = [shingle.charCodeAt(0), shingle.charCodeAt(length >> 1)];
  return (start + 7 * middle + 31 * shingle.charCodeAt(length - 1) + 5 * length) % PARTS;
}

/** Texts that are alike stand in the same bucket or in the next one. */
function bucketOf(size: number): number {
  return 1 + Math.floor(Math.log(size) / -Math.log(ALIKE));
}

/** A text without a word is its own. */
function wordsOf(text: string): string[] {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words ?? [text.trim()];
}

/** In steps. */
function* worded(text: string): Generator<void, Worded> {
  const words = wordsOf(text);
  const whole = words.join(' ');
  if (words.length < FEWEST_WORDS) return { whole, shingles: new Set([whole]) };
  const shingles = new Set<string>();
  for (let at = 0; at + SHINGLE <= words.length; at++) {
    if (at % RUNS_AT_ONCE === 0) yield;
    shingles.add(words.slice(at, at + SHINGLE).join(' '));
  }
  return { whole, shingles };
}
