import { join } from 'node:path';
import type { Disposable } from '../../../core/disposable';
import { describeError, KaizenError } from '../../../core/errors';
import { sentence } from '../../../core/sentence';
import { Turns } from '../../../core/turns';
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
import * as catalogue from './catalogue';
import { ChunkSearch } from './chunk-search';
import { ContentFiles } from './content-files';
import { DocumentReading } from './document-reading';
import { DocumentStore, type StoreChange } from './document-store';

const CONTENT = 'content';

/** A library in a directory. Throws `store_*`. */
export async function openDirectory(directory: string, surroundings: KeeperSurroundings): Promise<LibraryKeeper> {
  const keeper = new DirectoryKeeper(directory, surroundings);
  try {
    await keeper.open();
  } catch (error) {
    await keeper.close();
    throw error;
  }
  return keeper;
}

/**
 * Metadata and document requests are in a store; what a document says is in a file of its own, written before the store
 * names it and deleted once the store does not any more. So a process may end at any moment: what is left over then is
 * an orphan, and is deleted when somebody opens the library. In memory there is the index alone.
 */
class DirectoryKeeper implements LibraryKeeper {
  readonly kind = 'directory';
  private readonly listeners = new KeeperListeners();
  private readonly contents: ContentFiles;
  private readonly store: DocumentStore;
  private readonly reading: DocumentReading;
  private readonly finding: ChunkSearch;
  private tidying: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    readonly place: string,
    private readonly surroundings: KeeperSurroundings,
  ) {
    const { mayCreate, createsOnWrite, clock, log, onWaiting } = surroundings;
    this.contents = new ContentFiles(join(place, CONTENT));
    this.store = new DocumentStore(place, {
      mayCreate,
      createsOnWrite,
      clock,
      log,
      onWaiting,
      onOpen: () => this.begin(),
      onChange: (change) => this.changed(change),
    });
    this.reading = new DocumentReading(this.store, this.contents, log);
    const onProgress = () => this.listeners.progressed();
    this.finding = new ChunkSearch({ place, store: this.store, reading: this.reading, surroundings, onProgress });
  }

  async open(): Promise<void> {
    await this.store.opened();
  }

  get embeddings(): EmbeddingState {
    return this.finding.embeddings;
  }

  get indexed(): number | undefined {
    return this.store.isOpen ? this.finding.indexed : undefined;
  }

  async ready(ms: number, signal?: AbortSignal): Promise<boolean> {
    if (!(await this.store.opened())) return true;
    await this.store.look();
    return this.finding.settled(ms, signal);
  }

  async counts(): Promise<KeeperCounts> {
    const store = await this.store.opened();
    if (!store) return { documents: 0, chunks: 0, tokens: 0, size: 0 };
    const { size, ...counts } = catalogue.count(store.read());
    return { ...counts, size: size + this.store.size() };
  }

  async documents(): Promise<DocumentMetadata[]> {
    if (!(await this.store.opened())) return [];
    return catalogue.allDocuments(() => this.store.reader(), new Turns());
  }

  async document(documentId: string): Promise<DocumentMetadata | undefined> {
    const store = await this.store.opened();
    return store && catalogue.shelved(store.read(), documentId)?.document;
  }

  async documentWithHash(contentHash: string): Promise<DocumentMetadata | undefined> {
    const store = await this.store.opened();
    return store && catalogue.documentWithHash(store.read(), contentHash);
  }

  content(documentId: string): Promise<DocumentContent | undefined> {
    return this.reading.content(documentId, new Turns());
  }

  text(documentId: string): Promise<string | undefined> {
    return this.reading.text(documentId, new Turns());
  }

  chunk(documentId: string, chunkId: string): Promise<KnowledgeChunk | undefined> {
    return this.reading.chunk(documentId, chunkId);
  }

  async documentOf(chunkId: string): Promise<string | undefined> {
    if (!(await this.store.opened())) return undefined;
    await this.store.look();
    const turns = new Turns();
    const indexed = await this.finding.documentWith(chunkId, turns);
    if (indexed !== undefined && (await this.reading.chunk(indexed, chunkId))) return indexed;
    // Where all is indexed, there is no other.
    if (indexed === undefined && this.finding.indexed === undefined) return undefined;
    for (const { document_id, chunks } of await catalogue.allShelfmarks(() => this.store.reader(), turns)) {
      if (chunks > 0 && (await this.reading.chunk(document_id, chunkId))) return document_id;
      await turns.pause();
    }
    return undefined;
  }

  async put(document: DocumentMetadata, content?: DocumentContent, expected?: string | null): Promise<void> {
    const { document_id } = document;
    const metadata = checkedDocument(document);
    const turns = new Turns();
    if (content) await checkContent(content, document_id, turns);
    const store = await this.store.writable();
    if (content) store.makeDirectory();
    const written = content && (await this.contents.write(document_id, content, turns));
    const file = written && {
      ...written,
      chunks: content.chunks.length,
      tokens: content.chunks.reduce((sum, { token_count }) => sum + token_count, 0),
    };
    let old: string | undefined;
    try {
      old = await store.write((transaction) => {
        if (file && !this.contents.has(file.file)) {
          throw new KaizenError(
            'store_io',
            sentence('The file {0} is gone before it was used.', file.file),
            sentence('Try again.'),
          );
        }
        return catalogue.shelve(transaction, { document, metadata }, file, expected);
      });
    } catch (error) {
      if (file) await this.contents.remove([file.file]);
      throw error;
    }
    this.finding.note([document_id]);
    if (old !== undefined) await this.contents.remove([old]);
  }

  async putSeen(seen: readonly SeenAgain[]): Promise<string[]> {
    if (seen.length === 0) return [];
    const checked = seen.map(({ document, expected }) => ({ document, expected, metadata: checkedDocument(document) }));
    const store = await this.store.writable();
    return store.write((transaction) =>
      checked.flatMap((each) => (catalogue.seeAgain(transaction, each) ? [] : [each.document.document_id])),
    );
  }

  async remove(documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0 || !(await this.store.opened())) return;
    const store = await this.store.writable();
    const files = await store.write((transaction) => catalogue.unshelve(transaction, documentIds));
    this.finding.note(documentIds);
    await this.contents.remove(files);
  }

  async search(query: string, options: Parameters<LibraryKeeper['search']>[1]): Promise<ChunkAnswer> {
    if (!(await this.store.opened()) || options.limit < 1) return { hits: [], total: 0 };
    return this.finding.search(query, options);
  }

  async requests(): Promise<DocumentRequest[]> {
    const store = await this.store.opened();
    return store ? catalogue.allRequests(store.read()) : [];
  }

  async putRequest(request: DocumentRequest): Promise<void> {
    const json = checkedRequest(request);
    const store = await this.store.writable();
    await store.write((transaction) => catalogue.putRequest(transaction, request, json));
  }

  useEmbeddings(options: EmbeddingOptions | undefined): void {
    if (!this.isClosed) this.finding.useEmbeddings(options);
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
    await this.store.end();
    await this.finding.close();
    await this.tidying;
    this.contents.close();
    await this.store.close();
  }

  private begin(): void {
    this.finding.start();
    if (this.surroundings.mayCreate !== false) this.tidying = this.tidy();
  }

  private changed({ documents, requests }: StoreChange): void {
    if (documents === undefined || documents.length > 0) this.finding.note(documents);
    this.listeners.changed({ documents, requests });
  }

  /** Never rejects: what stays is found the next time. */
  private async tidy(): Promise<void> {
    const isNamed = (file: string) => {
      // Who is closed deletes nothing.
      if (this.isClosed) return true;
      return catalogue.isNamed(this.store.reader(), file.slice(0, file.indexOf('.')), file);
    };
    await this.contents.tidy(isNamed).catch((error) => {
      if (!this.isClosed) this.surroundings.log(`The library could not be tidied: ${describeError(error)}`);
    });
  }
}
