import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from '../../../core/disposable';
import { KaizenError } from '../../../core/errors';
import { sentence } from '../../../core/sentence';
import { type Reader, Store } from '../../../store';
import type { KeeperSurroundings } from '../model';
import * as catalogue from './catalogue';
import { librarySchema } from './schema';

/** Which documents are others by now (all may be when it is undefined), and whether requests are. */
export interface StoreChange {
  documents: readonly string[] | undefined;
  requests: boolean;
}

export interface DocumentStoreOptions
  extends Pick<KeeperSurroundings, 'mayCreate' | 'createsOnWrite' | 'clock' | 'log' | 'onWaiting'> {
  /** It is open, for the first time. */
  onOpen(): void;
  onChange(change: StoreChange): void;
}

/** The store of a library in a directory: rows of documents and requests. Opened when it is first asked for. */
export class DocumentStore {
  private store: Store | undefined;
  private opening: Promise<Store | undefined> | undefined;
  private listening: Disposable | undefined;
  private isEnded = false;

  constructor(
    private readonly place: string,
    private readonly options: DocumentStoreOptions,
  ) {}

  get isOpen(): boolean {
    return this.store !== undefined;
  }

  /** Undefined where there is no library, and none may be made. Throws `store_*`; the next call tries again. */
  async opened(): Promise<Store | undefined> {
    if (this.isEnded) throw closed();
    if (this.store) return this.store;
    if (this.options.mayCreate === false && !isStoreIn(this.place)) return undefined;
    this.opening ??= this.open().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  /** As `opened`; throws `read_only` where there is none. */
  async writable(): Promise<Store> {
    const store = await this.opened();
    if (store) return store;
    const hint = sentence('Choose a folder that has one, or open it where one may be made.');
    throw new KaizenError('read_only', sentence('There is no library in {0}.', this.place), hint);
  }

  /** Of the store that was opened before. */
  reader(): Reader {
    if (!this.store) throw closed();
    return this.store.read();
  }

  /** What other processes have written is told when this resolves. */
  async look(): Promise<void> {
    this.reader();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Bytes of its own files; 0 as long as nothing was written. */
  size(): number {
    if (!isStoreIn(this.place)) return 0;
    let bytes = 0;
    for (const entry of readdirSync(this.place, { withFileTypes: true })) {
      if (entry.isFile()) bytes += statSync(join(this.place, entry.name), { throwIfNoEntry: false })?.size ?? 0;
    }
    return bytes;
  }

  /** Opens nothing and tells nothing any more; who is reading goes on. */
  async end(): Promise<void> {
    this.isEnded = true;
    this.listening?.dispose();
    await this.opening?.catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.store?.close();
  }

  private async open(): Promise<Store> {
    const { createsOnWrite = false, clock, log, onWaiting, onOpen } = this.options;
    const store = await Store.open(this.place, {
      ...{ schemas: [librarySchema], createsOnWrite, clock, onReport: log },
      ...(onWaiting ? { onWaiting } : {}),
    });
    if (this.isEnded) {
      await store.close();
      throw closed();
    }
    this.store = store;
    this.listening = store.onDidChange((topics) => this.changed(topics));
    onOpen();
    return store;
  }

  private changed(topics: ReadonlySet<string>): void {
    const ids = [...topics].flatMap((topic) => catalogue.documentOfTopic(topic) ?? []);
    const isAny = topics.has('*');
    this.options.onChange({
      documents: isAny ? undefined : ids,
      requests: isAny || topics.has(catalogue.REQUESTS_TOPIC),
    });
  }
}

function closed(): KaizenError {
  return new KaizenError('store_closed', sentence('The library was closed.'));
}

/** Whether a store is there: one is as soon as it has a journal. */
function isStoreIn(directory: string): boolean {
  try {
    return readdirSync(directory).some((name) => /^journal-\d+$/.test(name));
  } catch {
    return false;
  }
}
