import { inspect } from 'node:util';
import type { Disposable } from '../../../core/disposable';
import { describeError, isKaizenError, KaizenError } from '../../../core/errors';
import { libraryUri } from '../../../core/knowledge-uri';
import { Turns } from '../../../core/turns';
import {
  Connections,
  type DatabaseOptions,
  readAddress,
  type Session,
  schemaVersion,
  setUpTables,
} from '../../../postgres';
import { type EmbeddingOptions, type EmbeddingState, fuse } from '../../../search';
import type { DocumentMetadata, DocumentRequest, KnowledgeChunk } from '../../model';
import { checkContent, checkedDocument, checkedRequest } from '../checks';
import { chosenOf } from '../choosing';
import { KEEPING_LIMITS } from '../limits';
import type {
  ChunkAnswer,
  ChunkFilter,
  DocumentContent,
  KeeperChange,
  KeeperCounts,
  KeeperSurroundings,
  LibraryKeeper,
} from '../model';
import { choosePassages } from './choosing';
import { Following } from './following';
import { Frequencies } from './frequencies';
import { POSTGRES_LIMITS } from './limits';
import { Meaning } from './meaning';
import { putDocument, putRequest, removeDocuments } from './putting';
import { chunkOfPassage, type RankedPassage, rankPassages, readPassages, type StoredPassage } from './ranking';
import { LIBRARY, LIBRARY_TABLES } from './schema';
import * as shelf from './shelf';
import { queryStems } from './words';

/** Opens and asks once, so that what is wrong is said now; the tables are made where they are missing. */
export async function openKeeper(options: DatabaseOptions, surroundings: KeeperSurroundings): Promise<LibraryKeeper> {
  const keeper = new PostgresKeeper(new Connections(readAddress(options, LIBRARY), LIBRARY), surroundings);
  try {
    await keeper.open();
  } catch (error) {
    await keeper.close();
    throw error;
  }
  return keeper;
}

/** Makes the tables or brings them forward. Answers the versions before and after. */
export async function initialise(options: DatabaseOptions): Promise<{ from: number; to: number }> {
  const connections = new Connections(readAddress(options, LIBRARY), LIBRARY);
  try {
    return await setUp(connections);
  } finally {
    await connections.close();
  }
}

function setUp(connections: Connections): Promise<{ from: number; to: number }> {
  return setUpTables(connections, LIBRARY_TABLES, { patience: POSTGRES_LIMITS.reading });
}

/** See `LibraryKeeper`. Nothing is kept in memory but a few numbers; its fields hold no secret that could be printed. */
class PostgresKeeper implements LibraryKeeper {
  readonly kind = 'postgres';
  readonly place: string;
  readonly indexed = undefined;
  readonly #connections: Connections;
  readonly #surroundings: KeeperSurroundings;
  readonly #frequencies = new Frequencies();
  readonly #following: Following;
  readonly #meaning: Meaning;
  private readonly listeners = new Set<(change: KeeperChange) => void>();
  private readonly progressListeners = new Set<() => void>();
  private isThere = false;
  private isClosed = false;

  constructor(connections: Connections, surroundings: KeeperSurroundings) {
    this.#connections = connections;
    this.#surroundings = surroundings;
    this.place = connections.label;
    const { log, modelsDirectory, mayCreate = true } = surroundings;
    this.#following = new Following(connections, (change) => this.changed(change), log);
    this.#meaning = new Meaning({ connections, modelsDirectory, mayCreate, log, changed: () => this.progressed() });
  }

  async open(): Promise<void> {
    await this.begin(true);
  }

  get embeddings(): EmbeddingState {
    return this.#meaning.state;
  }

  async ready(_ms: number, signal?: AbortSignal): Promise<boolean> {
    signal?.throwIfAborted();
    return true;
  }

  counts(): Promise<KeeperCounts> {
    return this.read(shelf.count, { documents: 0, chunks: 0, tokens: 0, size: 0 });
  }

  async documents(): Promise<DocumentMetadata[]> {
    const turns = new Turns();
    const documents: DocumentMetadata[] = [];
    for (let after = ''; ; ) {
      const page = await this.read((session) => shelf.documentsAfter(session, after), []);
      for (const metadata of page) {
        documents.push(shelf.readMetadata(metadata));
        await turns.pause();
      }
      if (page.length < POSTGRES_LIMITS.documentsAtOnce) return documents;
      after = documents.at(-1)!.document_id;
    }
  }

  async document(documentId: string): Promise<DocumentMetadata | undefined> {
    if (!shelf.isStorable(documentId)) return undefined;
    return this.read((session) => shelf.findDocument(session, documentId), undefined);
  }

  async documentWithHash(contentHash: string): Promise<DocumentMetadata | undefined> {
    if (!shelf.isStorable(contentHash)) return undefined;
    return this.read((session) => shelf.findByHash(session, contentHash), undefined);
  }

  async content(documentId: string): Promise<DocumentContent | undefined> {
    if (!shelf.isStorable(documentId)) return undefined;
    const turns = new Turns();
    return this.read((session) => shelf.findContent(session, documentId, turns), undefined);
  }

  async text(documentId: string): Promise<string | undefined> {
    if (!shelf.isStorable(documentId)) return undefined;
    return this.read((session) => shelf.findText(session, documentId), undefined);
  }

  async chunk(documentId: string, chunkId: string): Promise<KnowledgeChunk | undefined> {
    if (!shelf.isStorable(documentId)) return undefined;
    return this.read((session) => shelf.findChunk(session, documentId, chunkId), undefined);
  }

  async documentOf(chunkId: string): Promise<string | undefined> {
    return this.read((session) => shelf.findDocumentOf(session, chunkId), undefined);
  }

  async put(document: DocumentMetadata, content?: DocumentContent, expected?: string | null): Promise<void> {
    const { document_id } = document;
    const metadata = checkedDocument(document);
    const turns = new Turns();
    if (content) await checkContent(content, document_id, turns);
    await this.write((session) => putDocument(session, { document, metadata }, content, expected, turns));
    this.changed({ documents: [document_id], requests: false });
  }

  async remove(documentIds: readonly string[]): Promise<void> {
    const ids = documentIds.filter(shelf.isStorable);
    if (ids.length === 0 || !(await this.begin())) return;
    const transaction = await this.write((session) => removeDocuments(session, ids));
    if (transaction === undefined) return;
    this.changed({ documents: ids, requests: false });
  }

  async search(
    query: string,
    { limit, filter = {}, choose, signal }: Parameters<LibraryKeeper['search']>[1],
  ): Promise<ChunkAnswer> {
    signal?.throwIfAborted();
    if (limit < 1 || filter.documents?.length === 0 || !(await this.begin())) return { hits: [], total: 0 };
    const most = Math.min(limit, KEEPING_LIMITS.hits);
    const narrowed = {
      ...filter,
      ...(filter.documents ? { documents: filter.documents.filter(shelf.isStorable) } : {}),
    };
    const { passages, ranked, total } = await this.byWords(query, narrowed, most, signal);
    const remarks: string[] = [];
    let near: { key: string; score: number }[] = [];
    const missing = this.#meaning.whyNot();
    if (this.#meaning.isThere) {
      try {
        near = await this.#meaning.search(query, { limit: most, filter: narrowed, signal });
        if (missing) remarks.push(`Searched by meaning ${missing.reason}`);
      } catch (error) {
        signal?.throwIfAborted();
        if (!isKaizenError(error)) throw error;
        remarks.push(`Searched by words only: ${describeError(error)}`);
      }
    } else if (missing) remarks.push(`Searched by words only: ${missing.reason}`);
    const best = await this.withPassages(fused(ranked, near).slice(0, most), passages, signal);
    const hits = [...chosenOf(best, ({ chunk }) => libraryUri(chunk.document_id, chunk.id), choose)];
    return {
      hits,
      total: Math.max(total, hits.length),
      ...(remarks.length > 0 ? { message: remarks.join(' ') } : {}),
    };
  }

  requests(): Promise<DocumentRequest[]> {
    return this.read(shelf.allRequests, []);
  }

  async putRequest(request: DocumentRequest): Promise<void> {
    const json = checkedRequest(request);
    await this.write((session) => putRequest(session, request, json));
    this.changed({ documents: [], requests: true });
  }

  useEmbeddings(options: EmbeddingOptions | undefined): void {
    if (this.isClosed) return;
    this.#surroundings.embeddings = options;
    if (this.isThere) this.#meaning.use(options);
    this.progressed();
  }

  onDidChange(listener: (change: KeeperChange) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  onDidProgress(listener: () => void): Disposable {
    this.progressListeners.add(listener);
    return { dispose: () => void this.progressListeners.delete(listener) };
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.listeners.clear();
    this.progressListeners.clear();
    this.#following.stop();
    await this.#meaning.close();
    await this.#connections.close();
  }

  [inspect.custom](): string {
    return `Library ${this.place}`;
  }

  /** Whether there is a library: one that may be made is made. Throws where there is one of another version. */
  private async begin(isFirst = false): Promise<boolean> {
    if (this.isThere) return true;
    const version = await this.#connections.call((session) => schemaVersion(session, LIBRARY), {
      reads: true,
      anySchema: true,
    });
    if (version < LIBRARY.version) {
      if (this.#surroundings.mayCreate === false && version === 0) return false;
      if (this.#surroundings.mayCreate !== false) await this.create();
    }
    if (this.isThere) return true;
    await this.#following.start();
    this.isThere = true;
    this.#meaning.use(this.#surroundings.embeddings);
    if (!isFirst) this.changed({ documents: undefined, requests: true });
    return true;
  }

  private async create(): Promise<void> {
    try {
      await setUp(this.#connections);
    } catch (error) {
      if (!isKaizenError(error) || error.code !== 'registry_refused') throw error;
      throw new KaizenError(
        'registry_not_initialised',
        `The library at ${this.place} has no tables that this version of Kaizen works with, and this role may not make them.`,
        `Somebody who may create tables runs "${LIBRARY.init}" once.`,
      );
    }
  }

  private async read<T>(work: (session: Session) => Promise<T>, empty: T): Promise<T> {
    if (!(await this.begin())) return empty;
    return this.#connections.call(work, { reads: true, patience: POSTGRES_LIMITS.reading });
  }

  private async write<T extends string | undefined>(work: (session: Session) => Promise<T>): Promise<T> {
    if (!(await this.begin())) {
      const hint = `Somebody who may create tables runs "${LIBRARY.init}" once.`;
      throw new KaizenError('read_only', `There is no library at ${this.place}, and none may be made.`, hint);
    }
    const transaction = await this.#connections.call(work, { patience: POSTGRES_LIMITS.writing });
    if (transaction !== undefined) this.#following.made(transaction);
    return transaction;
  }

  private async byWords(query: string, filter: ChunkFilter, limit: number, signal: AbortSignal | undefined) {
    const turns = new Turns(signal);
    const stems = queryStems(query);
    const none = { passages: [] as StoredPassage[], ranked: [] as RankedPassage[], total: 0 };
    if (stems.length === 0) return none;
    const chosen = await this.#connections.call(
      async (session) => {
        const whole = await this.#frequencies.of(session, stems);
        if (whole.found.size === 0) return undefined;
        const weighed = [...whole.found].map(([stem, passages]) => ({ stem, weight: idf(passages, whole.passages) }));
        const { keys, total } = await choosePassages(session, weighed, filter, limit);
        return { whole, total, passages: await readPassages(session, keys) };
      },
      { reads: true, signal },
    );
    if (!chosen) return none;
    const { whole, passages, total } = chosen;
    return { passages, ranked: await rankPassages(query, passages, whole, limit, turns), total };
  }

  /** With what was found by meaning alone read as well; what is gone meanwhile is left out. */
  private async withPassages(
    found: readonly (RankedPassage & { byMeaning: boolean })[],
    passages: readonly StoredPassage[],
    signal: AbortSignal | undefined,
  ): Promise<ChunkAnswer['hits']> {
    const known = new Map(passages.map((passage) => [passage.key, passage]));
    const unknown = found.flatMap(({ key }) => (known.has(key) ? [] : [key]));
    if (unknown.length > 0) {
      const others = await this.#connections.call((session) => readPassages(session, unknown), { reads: true, signal });
      for (const passage of others) known.set(passage.key, passage);
    }
    return found.flatMap(({ key, score, matched, byMeaning }) => {
      const passage = known.get(key);
      return passage ? [{ chunk: chunkOfPassage(passage), score, matched, byMeaning }] : [];
    });
  }

  private changed(change: KeeperChange): void {
    this.#frequencies.forget();
    this.#meaning.wake();
    for (const listener of [...this.listeners]) listener(change);
  }

  private progressed(): void {
    for (const listener of [...this.progressListeners]) listener();
  }
}

function fused(
  words: readonly RankedPassage[],
  near: readonly { key: string; score: number }[],
): (RankedPassage & { byMeaning: boolean })[] {
  const matched = new Map(words.map((hit) => [hit.key, hit.matched]));
  const byMeaning = new Set(near.map(({ key }) => key));
  const uris = (hits: readonly { key: string; score: number }[]) => hits.map(({ key, score }) => ({ uri: key, score }));
  return fuse(uris(words), uris(near)).map(({ uri, score }) => ({
    key: uri,
    score,
    matched: matched.get(uri) ?? [],
    byMeaning: byMeaning.has(uri),
  }));
}

/** As in the ranking (src/search/ranking.ts): only the order of words matters here. */
function idf(frequency: number, passages: number): number {
  return Math.log(1 + Math.max(0, passages - frequency + 0.5) / (frequency + 0.5));
}
