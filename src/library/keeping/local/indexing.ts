import { createHash } from 'node:crypto';
import { describeError } from '../../../core/errors';
import { Turns } from '../../../core/turns';
import type { Passages } from '../../../search';
import { recordOf } from '../chunk-record';
import type { DocumentContent } from '../model';
import type { Shelfmark } from './catalogue';
import { chunkPassage, fingerprintOf } from './chunk-passages';
import { LOCAL_LIMITS } from './limits';
import { documentOf, parsePassageUri } from './passage-uri';

export interface IndexingOptions {
  passages: Passages;
  /** What sources in the index begin with. */
  name: string;
  shelfmarks(turns: Turns): Promise<Shelfmark[]>;
  shelfmark(documentId: string): Shelfmark | undefined;
  /** What the document says now; undefined where it is gone. */
  content(documentId: string, turns: Turns): Promise<Indexable | undefined>;
  /** The text of a passage that is indexed, for the index of meaning: asked for when it is needed, if ever. */
  textOf(uri: string): { uri: string; text: string };
  onProgress(): void;
  log(message: string): void;
}

export interface Indexable extends DocumentContent {
  document: { document_id: string; title: string; standard_id?: string | undefined };
  stamp: string;
}

/**
 * Brings the index up to date, a document after the other, in short turns. What was kept of it on the disk is compared by
 * the documents' stamps, without a look at what they say.
 */
export class ChunkIndexing {
  /** By document, the addresses of what is indexed of it. */
  private readonly indexed = new Map<string, readonly string[]>();
  private readonly waiting = new Set<string>();
  private readonly failed = new Set<string>();
  private readonly stopped = new AbortController();
  /** Everything is to be looked at. */
  private all = true;
  /** Everything was looked at once. */
  private complete = false;
  private restored = false;
  private working: Promise<void> | undefined;
  private saveTimer: NodeJS.Timeout | undefined;
  private saving: Promise<void> | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private toldAt = 0;

  constructor(private readonly options: IndexingOptions) {}

  start(): void {
    this.work();
  }

  get isSettled(): boolean {
    return this.complete && !this.working && !this.hasWork;
  }

  /** Documents that are others now, or all of them. */
  note(documentIds: Iterable<string> | undefined): void {
    if (documentIds) for (const id of documentIds) this.waiting.add(id);
    else this.all = true;
    this.work();
  }

  /**
   * The document that has a chunk of this id in the index; undefined where none has. What is not indexed yet is not
   * known here.
   */
  async documentWith(chunkId: string, turns: Turns): Promise<string | undefined> {
    let steps = 0;
    for (const [documentId, uris] of this.indexed) {
      // Taken apart is only what may be it.
      const found = uris.find((uri) => uri.includes(chunkId) && parsePassageUri(uri).chunk_id === chunkId);
      if (found !== undefined) return documentId;
      steps += uris.length;
      if (steps < LOCAL_LIMITS.passagesAtOnce) continue;
      steps = 0;
      await turns.pause();
    }
    return undefined;
  }

  /** Waits until nothing is left to do or the time is over. True when all is indexed. */
  async settled(ms: number, signal?: AbortSignal): Promise<boolean> {
    const until = performance.now() + ms;
    while (!this.isSettled && !this.stopped.signal.aborted) {
      signal?.throwIfAborted();
      const left = until - performance.now();
      if (left <= 0) break;
      await this.pause(left, signal);
    }
    signal?.throwIfAborted();
    return this.isSettled;
  }

  /** Puts on the disk what is not there yet, and stops. */
  async close(): Promise<void> {
    this.stopped.abort();
    clearTimeout(this.saveTimer);
    clearTimeout(this.retryTimer);
    await this.working;
    await this.saving;
    await this.options.passages.save();
  }

  private async pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let stop: (() => void) | undefined;
    await Promise.race([
      new Promise<void>((resolve) => {
        stop = resolve;
        timer = setTimeout(resolve, ms);
        signal?.addEventListener('abort', stop);
      }),
      this.working,
    ]);
    clearTimeout(timer);
    if (stop) signal?.removeEventListener('abort', stop);
  }

  private get hasWork(): boolean {
    return this.all || this.waiting.size > 0;
  }

  private work(): void {
    if (this.working || this.stopped.signal.aborted) return;
    this.working = this.workAll().finally(() => {
      this.working = undefined;
      this.tell(true);
      if (this.options.passages.isDirty) this.saveLater();
      if (this.hasWork) this.work();
    });
  }

  private async workAll(): Promise<void> {
    const turns = new Turns(this.stopped.signal);
    // The call that told of a change goes on first, and others that come with it are noted.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      if (!this.restored) await this.restore(turns);
      while (this.hasWork && !this.stopped.signal.aborted) {
        if (this.all) await this.compareAll(turns);
        for (const id of this.waiting) {
          this.waiting.delete(id);
          await this.sync(id, turns);
          this.tell(false);
        }
        this.complete = true;
      }
    } catch (error) {
      if (this.stopped.signal.aborted) return;
      this.options.log(`The library could not be indexed: ${describeError(error)}`);
      this.all = false;
      this.complete = true;
    }
  }

  /** Takes what was kept. */
  private async restore(turns: Turns): Promise<void> {
    const { passages } = this.options;
    const found = new Map<string, string[]>();
    for (let shard = 0; shard < LOCAL_LIMITS.shards; shard++) {
      const source = this.sourceAt(shard);
      await passages.restore(source);
      let steps = 0;
      for (const uri of passages.segment(source).uris()) {
        const id = documentOf(uri);
        const known = found.get(id);
        if (known) known.push(uri);
        else found.set(id, [uri]);
        if (++steps % LOCAL_LIMITS.passagesAtOnce === 0) await turns.pause();
      }
      this.tell(false);
    }
    for (const [id, uris] of found) this.indexed.set(id, uris);
    this.restored = true;
  }

  /** Notes what is indexed otherwise than the library has it. */
  private async compareAll(turns: Turns): Promise<void> {
    this.all = false;
    const marks = await this.options.shelfmarks(turns);
    const there = new Set<string>();
    for (const mark of marks) {
      there.add(mark.document_id);
      if (!this.isCurrent(mark)) this.waiting.add(mark.document_id);
      await turns.pause();
    }
    for (const id of this.indexed.keys()) if (!there.has(id)) this.waiting.add(id);
    await this.giveTexts(turns);
  }

  /** Of all that is indexed, where an embedder is new. */
  private async giveTexts(turns: Turns): Promise<void> {
    const { passages, textOf } = this.options;
    for (let shard = 0; shard < LOCAL_LIMITS.shards; shard++) {
      const source = this.sourceAt(shard);
      if (!passages.needsTexts(source)) continue;
      const uris = [...passages.segment(source).uris()];
      for (let from = 0; from < uris.length; from += LOCAL_LIMITS.passagesAtOnce) {
        passages.giveTexts(source, uris.slice(from, from + LOCAL_LIMITS.passagesAtOnce).map(textOf));
        await turns.pause();
      }
      passages.gaveTexts(source);
    }
  }

  private isCurrent({ document_id, stamp, chunks }: Shelfmark): boolean {
    const uris = this.indexed.get(document_id) ?? [];
    if (uris.length !== chunks) return false;
    const segment = this.options.passages.segment(this.sourceOf(document_id));
    const wanted = fingerprintOf(stamp);
    // All of them: a process may have ended when only some were indexed anew and kept.
    return uris.every((uri) => segment.fingerprint(uri) === wanted);
  }

  private async sync(documentId: string, turns: Turns): Promise<void> {
    try {
      const mark = this.options.shelfmark(documentId);
      if (mark && this.isCurrent(mark)) return;
      const content = await this.options.content(documentId, turns);
      await this.set(documentId, content, turns);
    } catch (error) {
      if (this.stopped.signal.aborted) throw error;
      this.options.log(`The document ${documentId} could not be indexed: ${describeError(error)}`);
      await this.set(documentId, undefined, turns);
      this.retryLater(documentId);
    }
  }

  private async set(documentId: string, content: Indexable | undefined, turns: Turns): Promise<void> {
    const source = this.sourceOf(documentId);
    const { passages } = this.options;
    const before = this.indexed.get(documentId) ?? [];
    const now = new Set<string>();
    const chunks = content?.chunks ?? [];
    for (let from = 0; from < chunks.length; from += LOCAL_LIMITS.passagesAtOnce) {
      const some = chunks
        .slice(from, from + LOCAL_LIMITS.passagesAtOnce)
        .map((chunk) => chunkPassage(recordOf(chunk), chunk.content, content!.document, content!.stamp));
      for (const { uri } of some) now.add(uri);
      await passages.set(source, some, turns);
    }
    const gone = before.filter((uri) => !now.has(uri));
    for (let from = 0; from < gone.length; from += LOCAL_LIMITS.passagesAtOnce) {
      passages.remove(source, gone.slice(from, from + LOCAL_LIMITS.passagesAtOnce));
      await turns.pause();
    }
    if (now.size > 0) this.indexed.set(documentId, [...now]);
    else this.indexed.delete(documentId);
  }

  /** The disk may only have been away for a while. */
  private retryLater(documentId: string): void {
    this.failed.add(documentId);
    this.retryTimer ??= setTimeout(() => {
      this.retryTimer = undefined;
      const failed = [...this.failed];
      this.failed.clear();
      this.note(failed);
    }, LOCAL_LIMITS.retryAfter).unref();
  }

  private sourceAt(shard: number): string {
    return `${this.options.name}/${shard}`;
  }

  private sourceOf(documentId: string): string {
    const hash = createHash('sha256').update(documentId).digest();
    return this.sourceAt(hash.readUInt16BE() % LOCAL_LIMITS.shards);
  }

  private tell(always: boolean): void {
    const now = performance.now();
    if (!always && now - this.toldAt < LOCAL_LIMITS.progressEvery) return;
    this.toldAt = now;
    this.options.onProgress();
  }

  private saveLater(): void {
    if (this.saveTimer || this.stopped.signal.aborted) return;
    this.saveTimer = setTimeout(() => {
      this.saveTimer = undefined;
      this.saving ??= this.save();
    }, LOCAL_LIMITS.saveAfter);
    // What is only kept for the next start keeps no process alive.
    this.saveTimer.unref();
  }

  private async save(): Promise<void> {
    await this.working;
    await this.options.passages.save();
    this.saving = undefined;
    if (this.options.passages.isDirty) this.saveLater();
  }
}
