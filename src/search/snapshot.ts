import { createHash } from 'node:crypto';
import { Turns } from '../core/turns';
import { ByteReader, ByteWriter, DamagedBytes } from './inverted/bytes';
import { atLeast } from './inverted/growing';
import {
  type Described,
  INVERTED_AT_ONCE,
  type InvertedIndex,
  MAX_WORDS,
  type ReadPassages,
} from './inverted/inverted-index';
import type { Lexicon } from './inverted/lexicon';
import { SINGLE_FACETS } from './inverted/passages';
import { type Facets, FIELDS } from './model';

/** Goes up whenever the format, or how texts become words, changes: older snapshots are then made anew. */
const VERSION = 3;
const MAGIC = [0x4b, 0x5a, 0x53, 0x58, VERSION];
const CHECKSUM_BYTES = 32;
/** Words have 64 UTF-16 code units at most, each of three bytes at most. */
const MAX_WORD_BYTES = 64 * 3;
/** Address, title and fingerprint. */
const PASSAGE_TEXTS = 3;
/** How much is hashed between two looks at the clock: some milliseconds. */
const SLICE = 1 << 20;
/** How many words, texts or passages are read between two looks at the clock. */
const STEP = 64;

/**
 * A source on the disk, in short turns: magic and version, SHA-256 of what follows; then the words with their stems, the
 * values of facets, and each passage with the numbers of its words. All numbers are read byte by byte, so no machine's
 * byte order matters. `numberOf` tells the passage's number at that moment, or undefined when it is gone.
 */
export async function segmentToBytes(
  index: InvertedIndex,
  uris: readonly string[],
  numberOf: (uri: string) => number | undefined,
): Promise<Uint8Array> {
  const turns = new Turns();
  const words = new Numbering<number>();
  const texts = new Numbering<string>();
  const body = new ByteWriter();
  let count = 0;
  for (const [at, uri] of uris.entries()) {
    if (at % STEP === 0) await turns.pause();
    const doc = numberOf(uri);
    if (doc === undefined) continue;
    count++;
    writePassage(body, index, doc, words, texts);
  }
  const head = new ByteWriter();
  head.number(words.size);
  let written = 0;
  for (const word of words.values()) {
    if (written++ % STEP === 0) await turns.pause();
    writeWord(head, index.lexicon.words[word]!, index.lexicon.stem(index.lexicon.term(word)));
  }
  head.number(texts.size);
  written = 0;
  for (const text of texts.values()) {
    if (written++ % STEP === 0) await turns.pause();
    head.text(text);
  }
  head.number(count);
  const parts = [head.done(), body.done()];
  return joined([Uint8Array.from(MAGIC), await checksum(parts, turns), ...parts]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Numbers things in the order in which they are met. */
class Numbering<T> {
  private readonly numbers = new Map<T, number>();

  get size(): number {
    return this.numbers.size;
  }

  of(value: T): number {
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    this.numbers.set(value, this.numbers.size);
    return this.numbers.size - 1;
  }

  values(): Iterable<T> {
    return this.numbers.keys();
  }
}

function writePassage(
  body: ByteWriter,
  { passages, words: allWords }: InvertedIndex,
  doc: number,
  words: Numbering<number>,
  texts: Numbering<string>,
): void {
  body.text(passages.uris[doc]!);
  body.text(passages.titles[doc]!);
  body.text(passages.fingerprints[doc]!);
  const facets = passages.facets(doc);
  for (const facet of SINGLE_FACETS) {
    const value = facets[facet];
    body.number(value === undefined ? 0 : texts.of(value) + 1);
  }
  body.number(facets.tags ? facets.tags.length + 1 : 0);
  for (const tag of facets.tags ?? []) body.number(texts.of(tag));
  const { words: numbers, ends } = allWords.get(doc);
  let at = 0;
  for (let field = 0; field < FIELDS.length; field++) {
    body.number(ends[field]! - at);
    for (; at < ends[field]!; at++) body.number(words.of(numbers[at]!));
  }
}

/** The word, and of its stem what differs. */
function writeWord(head: ByteWriter, word: string, stem: string): void {
  let same = 0;
  while (same < word.length && word[same] === stem[same]) same++;
  head.text(word);
  head.number(same);
  head.text(stem.slice(same));
}

/**
 * Reads a segment in short turns and hands its passages, many at once, to `add`, until that answers false. False when the
 * bytes are damaged, of another version, or no segment at all; neither `begin` nor `add` was called then.
 */
export async function segmentFromBytes(
  bytes: Uint8Array,
  words: Pick<Lexicon, 'number' | 'add'>,
  begin: () => void,
  add: (read: ReadPassages, turns: Turns) => Promise<boolean>,
): Promise<boolean> {
  const turns = new Turns();
  const start = MAGIC.length + CHECKSUM_BYTES;
  if (bytes.length < start || MAGIC.some((byte, at) => bytes[at] !== byte)) return false;
  const content = bytes.subarray(start);
  const sum = await checksum([content], turns);
  if (sum.compare(bytes, MAGIC.length, start) !== 0) return false;
  try {
    await checkSegment(new ByteReader(content), turns);
  } catch (error) {
    if (error instanceof DamagedBytes) return false;
    throw error;
  }
  begin();
  await readSegment(new ByteReader(content), turns, { words, add });
  return true;
}

interface Taker {
  words: Pick<Lexicon, 'number' | 'add'>;
  add: (read: ReadPassages, turns: Turns) => Promise<boolean>;
}

/** Looks whether everything is as it should be. Throws `DamagedBytes`. */
async function checkSegment(reader: ByteReader, turns: Turns): Promise<void> {
  const words = reader.count();
  for (let at = 0; at < words; at++) {
    if (at % STEP === 0) await turns.pause();
    const length = reader.skipText();
    if (length > MAX_WORD_BYTES) throw new DamagedBytes();
    reader.below(length + 1);
    reader.skipText();
  }
  const texts = reader.count();
  for (let at = 0; at < texts; at++) {
    if (at % STEP === 0) await turns.pause();
    reader.skipText();
  }
  const passages = reader.count();
  for (let at = 0; at < passages; at++) {
    if (at % STEP === 0) await turns.pause();
    for (let text = 0; text < PASSAGE_TEXTS; text++) reader.skipText();
    for (let facet = 0; facet < SINGLE_FACETS.length; facet++) reader.below(texts + 1);
    for (let tags = reader.count(); tags > 1; tags--) reader.below(texts);
    for (let field = 0; field < FIELDS.length; field++) reader.skipNumbers(reader.below(MAX_WORDS + 1), words);
  }
  if (!reader.atEnd) throw new DamagedBytes();
}

/** Reads what `checkSegment` has found in order. */
async function readSegment(reader: ByteReader, turns: Turns, taker: Taker): Promise<void> {
  const numbers = new Uint32Array(reader.count());
  for (let at = 0; at < numbers.length; at++) {
    if (at % STEP === 0) await turns.pause();
    const word = reader.text();
    const same = reader.number();
    const known = taker.words.number(word);
    if (known === undefined) numbers[at] = taker.words.add(word, word.slice(0, same) + reader.text());
    else {
      numbers[at] = known;
      reader.skipText();
    }
  }
  const texts: string[] = [];
  for (let left = reader.count(); left > 0; left--) {
    if (left % STEP === 0) await turns.pause();
    texts.push(reader.text());
  }
  const count = reader.count();
  let words = new Uint32Array(1_024);
  let passages: Described[] = [];
  let ends: number[] = [];
  let end = 0;
  for (let at = 0; at < count; at++) {
    if (at % STEP === 0) await turns.pause();
    passages.push({
      uri: reader.text(),
      title: reader.text(),
      fingerprint: reader.text(),
      facets: readFacets(reader, texts),
    });
    for (let field = 0; field < FIELDS.length; field++) {
      const length = reader.count();
      words = atLeast(words, end + length);
      reader.numbersOf(numbers, words, end, length);
      end += length;
      ends.push(end);
    }
    const isFull = end >= INVERTED_AT_ONCE.words || passages.length === INVERTED_AT_ONCE.passages;
    if (!isFull && at < count - 1) continue;
    if (!(await taker.add({ passages, words: words.subarray(0, end), ends }, turns))) return;
    passages = [];
    ends = [];
    end = 0;
  }
}

function readFacets(reader: ByteReader, texts: readonly string[]): Facets {
  const facets: Facets = { kind: '' };
  for (const facet of SINGLE_FACETS) {
    const text = reader.number();
    if (text > 0) facets[facet] = texts[text - 1]!;
  }
  const tags = reader.count();
  if (tags > 0) facets.tags = Array.from({ length: tags - 1 }, () => texts[reader.number()]!);
  return facets;
}

async function checksum(parts: readonly Uint8Array[], turns: Turns): Promise<Buffer> {
  const hash = createHash('sha256');
  for (const part of parts) {
    for (let at = 0; at < part.length; at += SLICE) {
      hash.update(part.subarray(at, at + SLICE));
      await turns.pause();
    }
  }
  return hash.digest();
}
