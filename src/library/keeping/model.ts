import type { Clock } from '../../core/clock';
import type { Disposable } from '../../core/disposable';
import type { Sentence } from '../../core/sentence';
import type { EmbeddingOptions, EmbeddingState, MatchedWord } from '../../search';
import type { LockWait } from '../../store';
import type { DocumentMetadata, DocumentRequest, KnowledgeChunk, SourceType } from '../model';

/** A document with all that it says, as it is put into a library. */
export interface DocumentContent {
  /** The stored text, into which the chunks' offsets point. Well-formed, without NUL. */
  text: string;
  /**
   * In the order of the text, pieces of it, each with an id of its own; their `document_id` is the document's. What they
   * say of their document (title, type, source, authority) is the document's, whatever it was when they were put.
   */
  chunks: readonly KnowledgeChunk[];
}

/** By what hits are narrowed before they are ranked. */
export interface ChunkFilter {
  documents?: readonly string[] | undefined;
  document_type?: readonly string[] | undefined;
  source_type?: SourceType | undefined;
  normative_only?: boolean | undefined;
  min_authority?: number | undefined;
}

export interface ChunkHit {
  chunk: KnowledgeChunk;
  /** 0 to 1, comparable across queries: what the search's calibration says (docs/search.md). */
  score: number;
  /** Heaviest first; none when it was found by meaning alone. */
  matched: readonly MatchedWord[];
  /** Found by meaning, by itself or as well. */
  byMeaning: boolean;
}

/** A hit by its address (`knowledge://library/…`). */
export interface ChunkCandidate {
  uri: string;
  score: number;
}

/** Answers those of the candidates (the objects themselves) that are wanted, in the order in which they are. */
export type ChunkChoice = (candidates: readonly ChunkCandidate[]) => readonly ChunkCandidate[];

export interface ChunkAnswer {
  /** Best first, unless somebody chose. */
  hits: ChunkHit[];
  /** At least so many there are. */
  total: number;
  /** Why it was not searched as it might have been, in a sentence. */
  message?: Sentence | string | undefined;
}

export interface KeeperCounts {
  documents: number;
  chunks: number;
  tokens: number;
  /** Bytes on the disk, where that can be told. */
  size?: number | undefined;
}

/** A document that was looked at again and says what it said: only what is known of that look is new. */
export interface SeenAgain {
  /** With the title and all else that it is found by as they are kept. */
  document: DocumentMetadata;
  /** The `updated_at` of the one that is kept. */
  expected: string;
}

export interface KeeperChange {
  /** All may be when it is undefined. */
  documents?: readonly string[] | undefined;
  requests: boolean;
}

/**
 * Where a library's documents are kept and searched: a directory (`local/`) or PostgreSQL (`postgres/`), held by the same
 * tests. A change that was answered is durable and seen by every other process; one that throws has changed nothing.
 */
export interface LibraryKeeper {
  readonly kind: 'directory' | 'postgres';
  /** For people: the directory, or the server without its password. */
  readonly place: string;
  readonly embeddings: EmbeddingState;
  /** Chunks that can be searched by now; all of them when it is undefined. */
  readonly indexed: number | undefined;

  /** Resolves when all chunks can be searched, or the time is over. True when they can. */
  ready(ms: number, signal?: AbortSignal): Promise<boolean>;
  counts(): Promise<KeeperCounts>;
  /** Sorted by id. */
  documents(): Promise<DocumentMetadata[]>;
  document(documentId: string): Promise<DocumentMetadata | undefined>;
  /** The document that has this content (`content_hash`) and of which something was read, whatever its source: the oldest. */
  documentWithHash(contentHash: string): Promise<DocumentMetadata | undefined>;
  /** Undefined where there is no such document, or nothing was read of it. Throws `store_damaged`: read the source again. */
  content(documentId: string): Promise<DocumentContent | undefined>;
  text(documentId: string): Promise<string | undefined>;
  chunk(documentId: string, chunkId: string): Promise<KnowledgeChunk | undefined>;
  /** The document that has a chunk with this id: the first one, should several. */
  documentOf(chunkId: string): Promise<string | undefined>;

  /**
   * Adds a document or replaces the one with its id, in one step. Without content, what it said stays; a document that
   * is new then says nothing. `expected` is the `updated_at` of the one to be replaced (null: there must be none): where
   * it is another by now, throws `conflict`. Throws `invalid_argument` for what could not be kept as it is (checks.ts).
   */
  put(document: DocumentMetadata, content?: DocumentContent, expected?: string | null): Promise<void>;
  /**
   * Keeps what is known of documents that were looked at again, all in one step. What is another by now stays as it is:
   * answers the ids of those.
   */
  putSeen(seen: readonly SeenAgain[]): Promise<string[]>;
  /** Unknown ids are no error. */
  remove(documentIds: readonly string[]): Promise<void>;

  /** Waits a moment for what is still to be indexed; says in `message` where it did not wait for all. */
  search(
    query: string,
    options: {
      limit: number;
      filter?: ChunkFilter | undefined;
      /** Which of the `limit` best are wanted: what they say is read of those alone, as far as it can be. */
      choose?: ChunkChoice | undefined;
      signal?: AbortSignal | undefined;
    },
  ): Promise<ChunkAnswer>;

  /** Oldest first. */
  requests(): Promise<DocumentRequest[]>;
  putRequest(request: DocumentRequest): Promise<void>;

  useEmbeddings(options: EmbeddingOptions | undefined): void;
  onDidChange(listener: (change: KeeperChange) => void): Disposable;
  /** The index or the embeddings have come further. */
  onDidProgress(listener: () => void): Disposable;
  close(): Promise<void>;
}

/** What a keeper is opened with. */
export interface KeeperSurroundings {
  cacheDirectory: string | undefined;
  embeddingsDirectory: string;
  modelsDirectory: string;
  embeddings?: EmbeddingOptions | undefined;
  /** False: one that is not there is empty, and refuses what would be put into it. */
  mayCreate?: boolean | undefined;
  /** A directory that is not there is made by the first write; otherwise when it is opened. */
  createsOnWrite?: boolean | undefined;
  clock: Clock;
  log(message: string): void;
  /** Told when somebody has waited for a second for another process to let go of the directory. */
  onWaiting?: ((wait: LockWait) => void) | undefined;
}
