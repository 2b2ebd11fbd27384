import { inspect } from 'node:util';
import type { Disposable } from '../../../core/disposable';
import { KaizenError } from '../../../core/errors';
import { sentence } from '../../../core/sentence';
import { Turns } from '../../../core/turns';
import type { Connections, DatabaseOptions, Session } from '../../../postgres';
import type { EmbeddingOptions, EmbeddingState } from '../../../search';
import type { DocumentMetadata, DocumentRequest, KnowledgeChunk } from '../../model';
import { checkContent, checkedDocument, checkedRequest } from '../checks';
import { KeeperListeners } from '../listeners';
import type {
  ChunkAnswer,
  DocumentContent,
  KeeperChange,
  KeeperCounts,
  KeeperSurroundings,
  LibraryKeeper,
  SeenAgain,
} from '../model';
import { Following } from './following';
import { Frequencies } from './frequencies';
import { POSTGRES_LIMITS } from './limits';
import { Meaning } from './meaning';
import { connectionsOf, findTables } from './opening';
import { PassageSearch } from './passage-search';
import { putDocument, putRequest, putSeen, removeDocuments } from './putting';
import { LIBRARY } from './schema';
import * as shelf from './shelf';

/** Opens and asks once, so that what is wrong is said now; the tables are made where they are missing. */
export async function openKeeper(options: DatabaseOptions, surroundings: KeeperSurroundings): Promise<LibraryKeeper> {
  const keeper = new PostgresKeeper(connectionsOf(options), surroundings);
  try {
    await keeper.open();
  } catch (error) {
    await keeper.close();
    throw error;
  }
  return keeper;
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
  readonly #finding: PassageSearch;
  private readonly listeners = new KeeperListeners();
  private isThere = false;
  private isClosed = false;

  constructor(connections: Connections, surroundings: KeeperSurroundings) {
    this.#connections = connections;
    this.#surroundings = surroundings;
    this.place = connections.label;
    const { log, modelsDirectory, mayCreate = true } = surroundings;
    this.#following = new Following(connections, (change) => this.changed(change), log);
    this.#meaning = new Meaning({
      connections,
      modelsDirectory,
      mayCreate,
      log,
      changed: () => this.listeners.progressed(),
    });
    this.#finding = new PassageSearch(connections, this.#frequencies, this.#meaning);
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

  async putSeen(seen: readonly SeenAgain[]): Promise<string[]> {
    if (seen.length === 0) return [];
    const checked = seen.map(({ document, expected }) => ({ document, expected, metadata: checkedDocument(document) }));
    let noted: string[] = [];
    const transaction = await this.write(async (session) => {
      const put = await putSeen(session, checked);
      noted = put.noted;
      return put.transaction;
    });
    if (transaction !== undefined) this.changed({ documents: noted, requests: false });
    const isNoted = new Set(noted);
    return seen.flatMap(({ document: { document_id } }) => (isNoted.has(document_id) ? [] : [document_id]));
  }

  async remove(documentIds: readonly string[]): Promise<void> {
    const ids = documentIds.filter(shelf.isStorable);
    if (ids.length === 0 || !(await this.begin())) return;
    const transaction = await this.write((session) => removeDocuments(session, ids));
    if (transaction === undefined) return;
    this.changed({ documents: ids, requests: false });
  }

  async search(query: string, options: Parameters<LibraryKeeper['search']>[1]): Promise<ChunkAnswer> {
    const { limit, filter, signal } = options;
    signal?.throwIfAborted();
    if (limit < 1 || filter?.documents?.length === 0 || !(await this.begin())) return { hits: [], total: 0 };
    return this.#finding.search(query, options);
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
    this.listeners.progressed();
  }

  onDidChange(listener: (change: KeeperChange) => void): Disposable {
    return this.listeners.onDidChange(listener);
  }

  onDidProgress(listener: () => void): Disposable {
    return this.listeners.onDidProgress(listener);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.listeners.clear();
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
    if (!(await findTables(this.#connections, this.#surroundings.mayCreate !== false))) return false;
    if (this.isThere) return true;
    await this.#following.start();
    this.isThere = true;
    this.#meaning.use(this.#surroundings.embeddings);
    if (!isFirst) this.changed({ documents: undefined, requests: true });
    return true;
  }

  private async read<T>(work: (session: Session) => Promise<T>, empty: T): Promise<T> {
    if (!(await this.begin())) return empty;
    return this.#connections.call(work, { reads: true, patience: POSTGRES_LIMITS.reading });
  }

  private async write<T extends string | undefined>(work: (session: Session) => Promise<T>): Promise<T> {
    if (!(await this.begin())) {
      const hint = sentence('Somebody who may create tables runs "{0}" once.', LIBRARY.init);
      throw new KaizenError(
        'read_only',
        sentence('There is no library at {0}, and none may be made.', this.place),
        hint,
      );
    }
    const transaction = await this.#connections.call(work, { patience: POSTGRES_LIMITS.writing });
    if (transaction !== undefined) this.#following.made(transaction);
    return transaction;
  }

  private changed(change: KeeperChange): void {
    this.#frequencies.forget();
    this.#meaning.wake();
    this.listeners.changed(change);
  }
}
