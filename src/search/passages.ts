import type { Turns } from '../core/turns';
import type { EmbeddedText, Passage, SearchIndex, Segment, SemanticIndex } from './model';
import type { SegmentCache } from './segment-cache';

/** Passages that are indexed in one go, within a turn, and their characters: a single one may have more. */
const AT_ONCE = 50;
const CHARACTERS_AT_ONCE = 20_000;

/** Models read a few hundred words; what goes beyond would only be sent. */
const LONGEST_EMBEDDED = 8_000;

/** What is embedded of a passage: where it stands, and what it says. */
export function embeddedText({
  uri,
  title,
  headings,
  body,
}: Omit<Passage, 'facets' | 'fingerprint' | 'keywords'>): EmbeddedText {
  const text = `${[...headings, title].join(' › ')}\n${body}`;
  return { uri, text: text.slice(0, LONGEST_EMBEDDED) };
}

/** The passages of all sources: in the index of words, by meaning when there is an embedder, and on the disk. */
export class Passages {
  private readonly known = new Set<string>();
  /** Sources whose segment is another one than the disk has. */
  private readonly dirty = new Set<string>();
  /** Sources whose texts the index of meaning has. */
  private readonly embedded = new Set<string>();
  private embeds = false;

  constructor(
    private readonly index: SearchIndex,
    private readonly semantic: SemanticIndex,
    private readonly cache: SegmentCache | undefined,
    /** What is embedded of a passage, which is kept as it is given. */
    private readonly textOf: (passage: Passage) => EmbeddedText = embeddedText,
  ) {}

  get sources(): Iterable<string> {
    return this.known;
  }

  segment(source: string): Segment {
    this.known.add(source);
    return this.index.segment(source);
  }

  /** Takes the source's segment from the disk, the first time that it is asked for. */
  async restore(source: string): Promise<void> {
    if (this.known.has(source)) return;
    const bytes = await this.cache?.read(source);
    // A damaged one is made anew from what there is.
    if (bytes) await this.index.restore(source, bytes);
    this.known.add(source);
  }

  /** Whether texts are to be found by meaning: every source then has to give all of its texts once. */
  embed(wanted: boolean): void {
    this.embeds = wanted;
    if (wanted) return;
    for (const source of this.embedded) this.semantic.drop(source);
    this.embedded.clear();
  }

  /** Whether the source has to give all of its texts, not only those that have changed. */
  needsTexts(source: string): boolean {
    return this.embeds && !this.embedded.has(source);
  }

  /** Texts to be found by meaning of passages that are indexed already. */
  giveTexts(source: string, texts: readonly EmbeddedText[]): void {
    if (this.embeds) this.semantic.set(source, texts);
  }

  /** The source has given all of its texts. */
  gaveTexts(source: string): void {
    if (this.embeds) this.embedded.add(source);
  }

  async set(source: string, passages: readonly Passage[], turns: Turns): Promise<void> {
    const segment = this.segment(source);
    for (const some of batches(passages)) {
      const changed = some.filter(({ uri, fingerprint }) => segment.fingerprint(uri) !== fingerprint);
      if (changed.length > 0) {
        await this.index.settle(turns);
        segment.set(changed);
        this.dirty.add(source);
      }
      if (this.embeds) this.semantic.set(source, some.map(this.textOf));
      await turns.pause();
    }
  }

  remove(source: string, uris: readonly string[]): void {
    if (uris.length === 0) return;
    this.segment(source).remove(uris);
    this.semantic.remove(source, uris);
    this.dirty.add(source);
  }

  /** Forgets all of the source's passages that are not among these. */
  async keepOnly(source: string, uris: ReadonlySet<string>, turns: Turns): Promise<void> {
    const segment = this.segment(source);
    if (segment.size === uris.size) return;
    const gone = [...segment.uris()].filter((uri) => !uris.has(uri));
    for (let from = 0; from < gone.length; from += AT_ONCE) {
      this.remove(source, gone.slice(from, from + AT_ONCE));
      await turns.pause();
    }
  }

  async drop(source: string): Promise<void> {
    this.index.drop(source);
    this.semantic.drop(source);
    for (const set of [this.known, this.dirty, this.embedded]) set.delete(source);
    await this.cache?.forget(source);
  }

  get isDirty(): boolean {
    return this.dirty.size > 0;
  }

  /** Puts on the disk what has changed since. What is indexed meanwhile is there the next time. Never rejects. */
  async save(): Promise<void> {
    for (const source of [...this.dirty]) {
      // Some may be gone by now.
      if (this.dirty.delete(source)) await this.cache?.write(source, () => this.index.segment(source).toBytes());
    }
  }
}

function* batches(passages: readonly Passage[]): Generator<readonly Passage[]> {
  let from = 0;
  let characters = 0;
  for (const [at, { body }] of passages.entries()) {
    const isFull = at - from === AT_ONCE || characters + body.length > CHARACTERS_AT_ONCE;
    if (isFull && at > from) {
      yield passages.slice(from, at);
      from = at;
      characters = 0;
    }
    characters += body.length;
  }
  if (from < passages.length) yield passages.slice(from);
}
