import { compareText } from '../../core/text';
import type { EmbeddedText, Embedder, EmbeddingState, SemanticHit, SemanticIndex } from '../model';
import { type Background, standingOut } from './background';
import { Embedding } from './embedding';
import { QueryVectors } from './query-vectors';
import { VectorCache } from './vector-cache';
import { type TextHolder, VectorRows } from './vector-rows';
import { WaitingTexts } from './waiting-texts';

export interface SemanticIndexOptions {
  /** Where vectors are kept by the hash of their text; made when missing. */
  cacheDirectory: string;
  log?: (message: string) => void;
  /** What tests make shorter: pauses after failures of texts, and how long a failed question spares the next ones. */
  patience?: { pauses: readonly number[]; spared: number };
}

const PATIENCE = { pauses: [5_000, 30_000, 120_000, 600_000], spared: 30_000 };
/** How many rows are looked at closely at first, at least, and how many for each hit that is wanted. */
const LEAST_ROWS = 64;
const ROWS_PER_HIT = 4;
/** By how many times more, when too few of them were accepted. */
const MORE_ROWS = 8;

/** Nothing is embedded, hashed or read from the disk before there is an embedder. */
export function createSemanticIndex(options: SemanticIndexOptions): SemanticIndex {
  return new Semantics(options);
}

class Semantics implements SemanticIndex {
  private readonly texts = new Map<string, TextHolder>();
  private readonly rows = new VectorRows();
  private readonly listeners = new Set<() => void>();
  private readonly waiting = new WaitingTexts();
  private embedder: Embedder | undefined;
  /** Of this embedder alone: an answer of the one before comes too late. */
  private queries: QueryVectors | undefined;
  private embedding: Embedding | undefined;
  private announced: NodeJS.Immediate | undefined;
  private ended: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(private readonly options: SemanticIndexOptions) {}

  get state(): EmbeddingState {
    if (!this.embedder) return { provider: 'none' };
    const problem = this.embedding?.problem;
    return {
      provider: this.embedder.id.split('/', 1)[0]!,
      done: this.texts.size - this.waiting.size,
      total: this.texts.size,
      ...(problem === undefined ? {} : { problem }),
    };
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  use(embedder: Embedder | undefined): void {
    if (embedder === this.embedder || this.closed) return;
    this.stop();
    if (embedder?.id !== this.embedder?.id) this.startOver();
    this.embedder?.dispose();
    this.embedder = embedder;
    this.queries = embedder && this.questionsFor(embedder);
    this.embedding = embedder && this.begin(embedder);
    this.changed();
  }

  set(source: string, texts: readonly EmbeddedText[]): void {
    for (const given of texts) {
      let text = this.texts.get(given.uri);
      if (text) {
        text.source = source;
        text.given = given;
        text.hash = undefined;
      } else {
        text = { uri: given.uri, source, given, hash: undefined, row: undefined };
        this.texts.set(given.uri, text);
      }
      this.waiting.add(text);
    }
    if (texts.length > 0) this.changed();
  }

  remove(source: string, uris: Iterable<string>): void {
    for (const uri of uris) {
      const text = this.texts.get(uri);
      if (text?.source === source) this.forget(text);
    }
    this.changed();
  }

  drop(source: string): void {
    const texts = [...this.texts.values()].filter((text) => text.source === source);
    // From the last row on, so that no other has to move into a gap.
    for (const text of texts.sort((a, b) => numberOf(b) - numberOf(a))) this.forget(text);
    this.changed();
  }

  async search(
    query: string,
    { limit, accept = () => true, signal }: Parameters<SemanticIndex['search']>[1],
  ): Promise<SemanticHit[]> {
    const { queries } = this;
    if (!queries || this.rows.size === 0 || limit < 1 || query.trim() === '') return [];
    const vector = await queries.of(query, signal);
    if (queries !== this.queries || vector.length === 0) return [];
    this.embedding?.takeLength(vector.length);
    return this.nearest(vector, limit, accept);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.stop();
    if (this.announced) clearImmediate(this.announced);
    this.listeners.clear();
    this.embedder?.dispose();
    this.embedder = undefined;
    this.queries = undefined;
    await this.ended;
    this.texts.clear();
    this.waiting.clear();
    this.rows.clear();
  }

  private questionsFor(embedder: Embedder): QueryVectors {
    const { spared } = this.options.patience ?? PATIENCE;
    return new QueryVectors(embedder, spared, () => this.embedding?.retry());
  }

  private begin(embedder: Embedder): Embedding {
    const { rows, waiting } = this;
    const { cacheDirectory, log = () => {}, patience = PATIENCE } = this.options;
    return new Embedding({
      embedder,
      cache: new VectorCache(cacheDirectory, embedder.id, { log }),
      rows,
      waiting,
      pauses: patience.pauses,
      startOver: () => this.startOver(),
      changed: () => this.announce(),
      log,
    });
  }

  private startOver(): void {
    this.rows.clear();
    for (const text of this.texts.values()) this.waiting.add(text);
  }

  /** In one go, so that nothing changes meanwhile. */
  private nearest(vector: Float32Array, limit: number, accept: (uri: string) => boolean): SemanticHit[] {
    const looked = this.rows.look(vector);
    const hits: SemanticHit[] = [];
    let wanted = Math.max(LEAST_ROWS, limit * ROWS_PER_HIT);
    const holdsAccepted = (row: number) => this.rows.holdersOf(row).some(({ uri }) => accept(uri));
    for (let near = looked?.next(wanted); near; near = looked?.next(wanted, holdsAccepted)) {
      wanted *= MORE_ROWS;
      for (const { row, similarity } of near) {
        for (const { uri } of sortedByUri(this.rows.holdersOf(row))) {
          if (accept(uri)) hits.push(hitOf(uri, similarity, looked!.background));
          if (hits.length >= limit) return hits;
        }
      }
    }
    return hits;
  }

  private forget(text: TextHolder): void {
    this.texts.delete(text.uri);
    this.waiting.delete(text);
    this.rows.release(text);
  }

  private stop(): void {
    const { embedding } = this;
    this.embedding = undefined;
    if (embedding) this.ended = Promise.all([this.ended, embedding.stop()]);
  }

  private changed(): void {
    this.embedding?.wake();
    this.announce();
  }

  /** Once for all that happens in one turn. */
  private announce(): void {
    if (this.closed) return;
    this.announced ??= setImmediate(() => {
      this.announced = undefined;
      for (const listener of [...this.listeners]) listener();
    });
  }
}

function numberOf({ row }: TextHolder): number {
  return row?.number ?? -1;
}

function sortedByUri<T extends { uri: string }>(holders: readonly T[]): readonly T[] {
  return holders.length === 1 ? holders : [...holders].sort((a, b) => compareText(a.uri, b.uri));
}

function hitOf(uri: string, similarity: number, background: Background): SemanticHit {
  return { uri, similarity, score: standingOut(similarity, background) };
}
