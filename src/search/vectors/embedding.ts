import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorSaid } from '../../core/errors';
import type { Sentence } from '../../core/sentence';
import { Turns } from '../../core/turns';
import type { Embedder } from '../model';
import { type Quantised, quantise } from './quantised';
import type { VectorCache } from './vector-cache';
import type { TextHolder, VectorRows } from './vector-rows';
import type { WaitingTexts } from './waiting-texts';

/** Texts that are looked up in the cache in one go: some 20 ms with 4,096 dimensions. */
const LOOKED_UP = 64;
/** Texts that the embedder is given at once. */
const EMBEDDED = 96;

export interface EmbeddingWork {
  embedder: Embedder;
  cache: VectorCache;
  rows: VectorRows;
  waiting: WaitingTexts;
  /** In milliseconds, after the first, second, … failure in a row; the last for all further ones. */
  pauses: readonly number[];
  /** Lets go of all vectors: they have another length than those that the embedder makes now. */
  startOver(): void;
  /** Called when `waiting` or the problem has changed. */
  changed(): void;
  log(message: string): void;
}

/** Gives the waiting texts of an index their vectors, in the background: from the cache, or by one embedder. */
export class Embedding {
  /** Why it does not go on. */
  problem: Sentence | string | undefined;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private failures = 0;
  private pausing: AbortController | undefined;
  /** Of the vectors that the embedder makes; known once it made one. */
  private length: number | undefined;

  constructor(private readonly work: EmbeddingWork) {}

  /** Begins, unless it is under way or pauses after a failure. */
  wake(): void {
    if (this.stopping.signal.aborted) return;
    // Later in the same turn: texts often come in several pieces.
    this.running ??= Promise.resolve()
      .then(() => this.run(this.stopping.signal))
      .finally(() => {
        this.running = undefined;
        if (this.work.waiting.size > 0) this.wake();
      });
  }

  /** The embedder works again: a pause after a failure ends at once. */
  retry(): void {
    this.pausing?.abort();
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Vectors of another length, which a server makes that has exchanged its model, are worth nothing any more. */
  takeLength(length: number): void {
    this.length = length;
    const { rows, startOver } = this.work;
    if (rows.dimensions === undefined || rows.dimensions === length) return;
    startOver();
    this.wake();
  }

  private async run(signal: AbortSignal): Promise<void> {
    const { cache, waiting, changed } = this.work;
    await cache.tidy();
    while (waiting.size > 0 && !signal.aborted) {
      try {
        await cache.refresh(signal);
        await this.lookUp(signal);
        await this.embed(signal);
        changed();
      } catch (error) {
        if (signal.aborted) return;
        this.problem = errorSaid(error);
        changed();
        await this.pause(signal);
      }
    }
    if (signal.aborted) return;
    this.problem = undefined;
    changed();
  }

  private async pause(signal: AbortSignal): Promise<void> {
    const { pauses } = this.work;
    const milliseconds = pauses[Math.min(this.failures++, pauses.length - 1)];
    this.pausing = new AbortController();
    const either = AbortSignal.any([signal, this.pausing.signal]);
    await sleep(milliseconds, undefined, { signal: either, ref: false }).catch(() => {});
    this.pausing = undefined;
  }

  /** Takes what there is already. */
  private async lookUp(signal: AbortSignal): Promise<void> {
    const { rows, waiting, cache, changed } = this.work;
    const turns = new Turns(signal);
    for (let texts = [...waiting.firstFresh(LOOKED_UP)]; texts.length > 0; texts = [...waiting.firstFresh(LOOKED_UP)]) {
      // From here to the pause nothing else runs: once another embedder is in use, its vectors do not belong here.
      signal.throwIfAborted();
      const unknown: TextHolder[] = [];
      for (const text of texts) {
        const body = text.given.text;
        if (body.trim() === '') this.leave(text);
        else {
          text.hash ??= createHash('sha256').update(body).digest('base64');
          if (rows.hold(text, text.hash)) waiting.delete(text);
          else unknown.push(text);
        }
      }
      const hashes = unknown.map(({ hash }) => Buffer.from(hash!, 'base64'));
      const cached = cache.read(hashes, this.length ?? rows.dimensions);
      for (const [index, text] of unknown.entries()) this.take(text, cached[index]);
      changed();
      await turns.pause();
    }
  }

  private take(text: TextHolder, vector: Quantised | undefined): void {
    const { rows, waiting } = this.work;
    // Of several in one look into the cache, the first decides how long they are.
    if (!vector || vector.values.length !== (rows.dimensions ?? vector.values.length)) waiting.miss(text);
    else {
      if (!rows.hold(text, text.hash!)) {
        rows.add(text.hash!, vector);
        rows.hold(text, text.hash!);
      }
      waiting.delete(text);
    }
  }

  /** Makes the next vectors. The texts may change meanwhile: vectors are given by the hash that they were made for. */
  private async embed(signal: AbortSignal): Promise<void> {
    const { embedder, cache, waiting } = this.work;
    const groups = waiting.nextMissing(EMBEDDED);
    if (groups.size === 0 || this.takeOthers(groups)) return;
    const hashes = [...groups.keys()];
    const texts = [...groups.values()].map(([first]) => first!.given.text);
    const vectors = await embedder.embed(texts, { use: 'passage', signal });
    signal.throwIfAborted();
    this.failures = 0;
    this.problem = undefined;
    const length = vectors.find((vector) => vector.length > 0)?.length;
    if (length !== undefined) this.takeLength(length);
    const turns = new Turns(signal);
    const made: (Quantised | undefined)[] = [];
    for (const vector of vectors) {
      made.push(vector.length === 0 ? undefined : quantise(vector));
      await turns.pause();
    }
    cache.append(
      made.flatMap((vector, index) => (vector ? [{ hash: Buffer.from(hashes[index]!, 'base64'), vector }] : [])),
    );
    for (const [index, hash] of hashes.entries()) {
      for (const text of groups.get(hash)!) {
        // Changed or gone since; it waits anew, or does not.
        if (text.hash !== hash || !waiting.has(text)) continue;
        if (made[index]) this.take(text, made[index]);
        else this.refused(text);
      }
      await turns.pause();
    }
  }

  /** What another process has made of these since they were looked for. False when it made none. */
  private takeOthers(groups: ReadonlyMap<string, readonly TextHolder[]>): boolean {
    const { rows, cache } = this.work;
    const hashes = [...groups.keys()].map((hash) => Buffer.from(hash, 'base64'));
    const made = cache.read(hashes, this.length ?? rows.dimensions);
    for (const [index, texts] of [...groups.values()].entries()) {
      if (made[index]) for (const text of texts) this.take(text, made[index]);
    }
    return made.some((vector) => vector !== undefined);
  }

  private refused(text: TextHolder): void {
    this.work.log(`The embedder does not take the text of ${text.uri}: it is found by its words only.`);
    this.leave(text);
  }

  /** It has no vector, and waits for none. */
  private leave(text: TextHolder): void {
    this.work.rows.release(text);
    this.work.waiting.delete(text);
  }
}
