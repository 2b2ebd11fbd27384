import { isoTime } from '../../core/clock';
import { describeError, isKaizenError, KaizenError } from '../../core/errors';
import { realPath } from '../../core/locations';
import { Turns } from '../../core/turns';
import { isInside } from '../../files';
import type { DocumentRequests } from '../acquiring/document-requests';
import { relevanceOf } from '../assessing/relevance';
import type { FetchedPage } from '../fetching/model';
import type { DocumentContent, LibraryKeeper } from '../keeping/model';
import type {
  AcquiredPage,
  DocumentMetadata,
  Extracted,
  IngestRequest,
  IngestResult,
  LibraryChange,
  MetadataOverrides,
  Relevance,
} from '../model';
import type { Surroundings } from '../surroundings';
import { chunksOfDocument } from './chunks';
import { headingOf } from './heading';
import { hashInTurns } from './identity';
import { LIMITS } from './limits';
import { checkedOverrides, later, optional, type Particulars, told, unreadDocument } from './metadata';
import { type Origin, originOf } from './origin';
import { duplicate, skipped } from './outcomes';
import { MissingFile, type ReadOrigin, readOrigin, readPage } from './reading-origins';
import { type Asked, checkedRequest } from './request';

/** A request as it is carried out. */
interface Task extends Asked {
  origin: Origin;
  /** The page was fetched already. */
  page: FetchedPage | undefined;
  /** Whether a source that cannot be read is kept with its error. */
  keepFailure: boolean;
}

/** How a source is brought in, beyond what was asked. */
export interface IngestHelp {
  /** The page behind the source, where it was fetched already. */
  page?: FetchedPage | undefined;
  /** False: a source that cannot be read leaves nothing behind; true unless told. */
  keepFailure?: boolean | undefined;
}

/** Brings sources in, keeps them up to date, and takes them out. */
export class Ingesting {
  constructor(
    private readonly surroundings: Surroundings,
    private readonly requests: DocumentRequests,
  ) {}

  /** See `LibraryPart.ingest`. */
  async ingest(request: IngestRequest, change: LibraryChange, help: IngestHelp = {}): Promise<IngestResult> {
    const { workspace } = this.surroundings;
    const asked = checkedRequest(request);
    const origin = await originOf(request.source, { workspace, byAgent: change.by_agent ?? false });
    return this.perform({ ...asked, origin, page: help.page, keepFailure: help.keepFailure ?? true }, change);
  }

  async refresh(documentIds: readonly string[] | undefined, change: LibraryChange): Promise<AcquiredPage[]> {
    const keeper = await this.surroundings.keeper();
    const documents = documentIds ? await existing(keeper, documentIds) : await keeper.documents();
    const pages: AcquiredPage[] = [];
    for (const [at, document] of documents.entries()) {
      change.signal?.throwIfAborted();
      const { title, document_id, source_path: url } = document;
      change.onProgress?.({ message: `Looking at "${title}"`, done: at / documents.length });
      pages.push({ url, document_id, title, ...(await this.refreshed(document, change)) });
    }
    return pages;
  }

  async describe(documentId: string, overrides: MetadataOverrides, change: LibraryChange): Promise<DocumentMetadata> {
    const keeper = await this.surroundings.keeper();
    return onceMore(async () => {
      const [before] = await existing(keeper, [documentId]);
      return this.described(keeper, before!, checkedOverrides(overrides, before!.overrides), {}, change);
    });
  }

  async remove(documentIds: readonly string[], change: LibraryChange): Promise<void> {
    const keeper = await this.surroundings.keeper();
    const documents = await existing(keeper, documentIds);
    change.signal?.throwIfAborted();
    await keeper.remove(documents.map(({ document_id }) => document_id));
  }

  private async perform(task: Task, change: LibraryChange): Promise<IngestResult> {
    try {
      // Another process may bring in the same source: what it made of it is looked at, once.
      return await onceMore(() => this.attempt(task, change));
    } catch (error) {
      if (change.signal?.aborted && !isKaizenError(error)) {
        throw new KaizenError('cancelled', `Adding "${task.origin.name.slice(0, 120)}" was cancelled.`, undefined, {
          cause: error,
        });
      }
      throw error;
    }
  }

  private async attempt(task: Task, change: LibraryChange): Promise<IngestResult> {
    const { origin, force } = task;
    const { signal } = change;
    signal?.throwIfAborted();
    const keeper = await this.surroundings.keeper();
    const before = await keeper.document(origin.document_id);
    const complete = before?.processing_status === 'complete' ? before : undefined;
    const turns = new Turns(signal);
    try {
      const known = force ? undefined : complete;
      change.onProgress?.({ message: `${origin.kind === 'web' ? 'Fetching' : 'Reading'} ${origin.name}` });
      const read = task.page
        ? readPage(task.page, origin.source_path)
        : await readOrigin(origin, known, this.surroundings, change);
      if (read === 'unchanged') {
        if (complete) return await this.unchanged(keeper, complete, task, {}, change);
        throw new KaizenError(
          'fetch_failed',
          `What ${origin.name.slice(0, 120)} says is not here any more.`,
          'Try again.',
        );
      }
      // Before the worker takes the bytes away.
      const size = read.bytes.length;
      const hash = await hashInTurns(read.bytes, turns);
      const versions = versionsOf(read, this.now());
      if (known?.content_hash === hash) return await this.unchanged(keeper, known, task, versions, change);
      const twin = complete ? undefined : await keeper.documentWithHash(hash);
      if (twin && twin.document_id !== origin.document_id) return await duplicate(keeper, twin, before);
      const extracted = await this.extract(task, read, change);
      const relevance = await this.relevance(task, extracted, change);
      if (relevance && relevance.score < task.relevance!.threshold) return skipped(relevance, extracted);
      const source = { size, hash, versions, url: read.url, relevance };
      return await this.store(keeper, task, before, extracted, source, change);
    } catch (error) {
      if (task.keepFailure) await this.keepFailure(keeper, task, before, error, change);
      throw error;
    }
  }

  private async extract(task: Task, read: Exclude<ReadOrigin, 'unchanged'>, change: LibraryChange): Promise<Extracted> {
    const { origin, format } = task;
    return this.surroundings.extractor.extract(
      {
        bytes: read.bytes,
        name: origin.name,
        ...optional('format', format ?? (origin.kind === 'content' ? 'markdown' : undefined)),
        ...optional('mediaType', read.mediaType),
        ...(origin.kind === 'web' ? { url: read.url ?? origin.source_path } : {}),
      },
      {
        signal: change.signal,
        onProgress: (page, pages) => {
          const message = `Reading page ${page.toLocaleString('en')} of ${pages.toLocaleString('en')}`;
          change.onProgress?.({ message, done: pages === 0 ? 0 : (0.8 * page) / pages });
        },
      },
    );
  }

  private async relevance(
    { relevance }: Task,
    { document }: Extracted,
    change: LibraryChange,
  ): Promise<Relevance | undefined> {
    if (!relevance) return undefined;
    change.onProgress?.({ message: 'Comparing it with what is wanted', done: 0.85 });
    return relevanceOf(document.text, relevance.topic, { title: document.title, signal: change.signal });
  }

  private async store(
    keeper: LibraryKeeper,
    task: Task,
    before: DocumentMetadata | undefined,
    { document: read, chunks: drafts }: Extracted,
    source: {
      size: number;
      hash: string;
      versions: Versions;
      url: string | undefined;
      relevance: Relevance | undefined;
    },
    change: LibraryChange,
  ): Promise<IngestResult> {
    const { origin } = task;
    const turns = new Turns(change.signal);
    const now = later(this.now(), before);
    const content = before ? await readable(keeper, before.document_id) : undefined;
    const url = origin.kind === 'web' ? (read.canonical_url ?? source.url ?? origin.source_path) : undefined;
    const domain = url === undefined ? undefined : new URL(url).hostname;
    const overrides = checkedOverrides(task.overrides, before?.overrides);
    const { relevance } = source;
    const document: DocumentMetadata = {
      document_id: origin.document_id,
      ...told(
        { ...this.particulars(origin, change), title: read.title, version: read.version, chunks: drafts },
        overrides,
        domain,
      ),
      source_path: origin.source_path,
      format: read.format,
      ...optional('publication_date', read.publication_date),
      ...optional('language', read.language),
      source_type: origin.kind === 'web' ? 'web' : 'document',
      ...optional('source_url', url),
      ...optional('source_domain', domain),
      ...source.versions,
      content_hash: source.hash,
      size: source.size,
      ...(read.pages.length === 0 ? {} : { pages: read.pages.length }),
      chunk_count: drafts.length,
      token_count: drafts.reduce((sum, { token_count }) => sum + token_count, 0),
      processing_status: 'complete',
      remarks: read.remarks,
      ...optional('relevance', relevance ? { score: relevance.score, topic: relevance.topic } : before?.relevance),
      added_by: before?.added_by ?? change.author,
      created_at: before?.created_at ?? now,
      overrides,
      updated_at: now,
    };
    const chunked = await chunksOfDocument(document, drafts, content?.chunks ?? [], now, turns);
    const count = drafts.length.toLocaleString('en');
    change.onProgress?.({ message: `Storing ${count} ${drafts.length === 1 ? 'passage' : 'passages'}`, done: 0.95 });
    change.signal?.throwIfAborted();
    const { kept, added, removed } = chunked;
    // A page's bytes change with every visit, what it says does not.
    const saysTheSame = content?.text === read.text && added === 0 && removed === 0 && !task.force;
    const put: DocumentContent | undefined = saysTheSame ? undefined : { text: read.text, chunks: chunked.chunks };
    await keeper.put(document, put, before?.updated_at ?? null);
    const requests_closed = await this.closeRequests(document, read.text, change);
    return {
      status: before?.processing_status !== 'complete' ? 'added' : saysTheSame ? 'unchanged' : 'updated',
      document,
      chunks: { total: drafts.length, added, kept, removed },
      ...optional('relevance', relevance),
      requests_closed,
      ...(read.remarks.length === 0 ? {} : { message: read.remarks.join(' ') }),
    };
  }

  /** It says what it said; it was looked at now, and may be called something else. */
  private async unchanged(
    keeper: LibraryKeeper,
    before: DocumentMetadata,
    task: Task,
    versions: Partial<Versions>,
    change: LibraryChange,
  ): Promise<IngestResult> {
    const overrides = checkedOverrides(task.overrides, before.overrides);
    const looked = { ...versions, last_verified_at: isoTime(this.now()), processing_error: undefined };
    const document = await this.described(keeper, before, overrides, looked, change);
    return {
      status: 'unchanged',
      document,
      chunks: { total: document.chunk_count, added: 0, kept: document.chunk_count, removed: 0 },
      requests_closed: [],
      message: 'It has not changed since it was read.',
    };
  }

  private async described(
    keeper: LibraryKeeper,
    before: DocumentMetadata,
    overrides: MetadataOverrides,
    more: Partial<DocumentMetadata>,
    change: LibraryChange,
  ): Promise<DocumentMetadata> {
    const now = later(this.now(), before);
    const isSame = JSON.stringify(overrides) === JSON.stringify(before.overrides);
    if (isSame) {
      const document = without({ ...before, ...more, updated_at: now });
      await keeper.put(document, undefined, before.updated_at);
      return document;
    }
    const content = await readable(keeper, before.document_id);
    const origin = { kind: kindOf(before), name: nameOf(before), source_path: before.source_path };
    const own =
      (content && headingOf(content.text, 1)) ?? (before.overrides.title === undefined ? before.title : undefined);
    const byAgent = before.authority_level === 'unverified';
    const particulars = { ...this.particulars(origin, { by_agent: byAgent }), title: own };
    const document = without({
      ...before,
      version: before.overrides.version === undefined ? before.version : undefined,
      standard_id: undefined,
      ...told({ ...particulars, chunks: content?.chunks ?? [] }, overrides, before.source_domain),
      ...more,
      updated_at: now,
    });
    change.signal?.throwIfAborted();
    // What chunks say of their document, the keeper takes from the document.
    await keeper.put(document, undefined, before.updated_at);
    return document;
  }

  private async refreshed(
    document: DocumentMetadata,
    change: LibraryChange,
  ): Promise<Pick<AcquiredPage, 'status' | 'reason'>> {
    if (document.source_path === 'content:')
      return { status: 'unchanged', reason: 'It was given as text: there is no source to look at.' };
    try {
      const { status, message } = await this.ingest(
        { source: document.source_path },
        { ...change, onProgress: undefined },
      );
      // A source that is there is never skipped: nothing was asked of it.
      return { status: status === 'skipped' ? 'unchanged' : status, ...optional('reason', message) };
    } catch (error) {
      if (change.signal?.aborted) throw error;
      const isRefused = isKaizenError(error) && (error.code === 'fetch_refused' || error.code === 'outside_root');
      return { status: isRefused ? 'refused' : 'failed', reason: describeError(error) };
    }
  }

  /** Keeps what went wrong with its source: alone where nothing was read of it, else beside what it says. */
  private async keepFailure(
    keeper: LibraryKeeper,
    { origin, overrides, format }: Task,
    before: DocumentMetadata | undefined,
    error: unknown,
    change: LibraryChange,
  ): Promise<void> {
    if (origin.kind === 'content' || !isKaizenError(error) || change.signal?.aborted) return;
    if (error.code !== 'unreadable_source' && error.code !== 'fetch_failed') return;
    // A slip in a path is no source.
    if (!before && error instanceof MissingFile) return;
    const now = later(this.now(), before);
    const processing_error = describeError(error).slice(0, LIMITS.error);
    const said = { overrides: checkedOverrides(overrides, before?.overrides), format };
    const document: DocumentMetadata = before
      ? { ...before, processing_error, updated_at: now }
      : {
          ...unreadDocument(origin, { ...this.particulars(origin, change), chunks: [] }, said),
          processing_error,
          added_by: change.author,
          created_at: now,
          updated_at: now,
        };
    try {
      await keeper.put(document, undefined, before?.updated_at ?? null);
    } catch (failure) {
      // The error itself is told in any case.
      this.surroundings.log(`The library: ${origin.name} is not listed as failed: ${describeError(failure)}`);
    }
  }

  private async closeRequests(document: DocumentMetadata, text: string, change: LibraryChange): Promise<string[]> {
    try {
      return await this.requests.closeBy(document, text, change);
    } catch (error) {
      // The document is in: what it answers can be said later, by a person.
      this.surroundings.log(
        `The library: requests that "${document.title}" may answer stay open: ${describeError(error)}`,
      );
      return [];
    }
  }

  private particulars(
    origin: Pick<Origin, 'kind' | 'name' | 'source_path'>,
    change: Pick<LibraryChange, 'by_agent'>,
  ): Omit<Particulars, 'chunks'> {
    const { workspace } = this.surroundings;
    const isOurs =
      origin.kind === 'file' && workspace !== undefined && isInside(realPath(workspace), origin.source_path);
    return { origin, isOurs, byAgent: change.by_agent ?? false };
  }

  private now(): number {
    return this.surroundings.clock.now();
  }
}

type Versions = Pick<DocumentMetadata, 'etag' | 'last_modified' | 'crawled_at' | 'last_verified_at'>;

function versionsOf({ etag, last_modified, fetched_at }: Exclude<ReadOrigin, 'unchanged'>, now: number): Versions {
  return {
    ...optional('etag', etag),
    ...optional('last_modified', last_modified),
    ...optional('crawled_at', fetched_at),
    last_verified_at: isoTime(now),
  };
}

async function existing(keeper: LibraryKeeper, ids: readonly string[]): Promise<DocumentMetadata[]> {
  return Promise.all(
    [...new Set(ids)].map(async (id) => {
      const document = await keeper.document(id);
      if (document) return document;
      throw new KaizenError(
        'unknown_document',
        `The library has no document "${id.slice(0, 120)}".`,
        'knowledge_sources lists the documents that there are.',
      );
    }),
  );
}

/** What was read of a document before; undefined as well where that is damaged, since it is about to be replaced. */
async function readable(keeper: LibraryKeeper, documentId: string): Promise<DocumentContent | undefined> {
  try {
    return await keeper.content(documentId);
  } catch (error) {
    if (isKaizenError(error) && error.code === 'store_damaged') return undefined;
    throw error;
  }
}

async function onceMore<Result>(attempt: () => Promise<Result>): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!isKaizenError(error) || error.code !== 'conflict') throw error;
    return attempt();
  }
}

function kindOf({ source_path, source_type }: DocumentMetadata): Origin['kind'] {
  return source_type === 'web' ? 'web' : source_path === 'content:' ? 'content' : 'file';
}

function nameOf({ source_path, document_id }: DocumentMetadata): string {
  return source_path.split(/[\\/]/).filter(Boolean).at(-1) ?? document_id;
}

/** What is undefined is left out: keepers give it back so. */
function without(document: DocumentMetadata): DocumentMetadata {
  // What is left out is optional in the type.
  return Object.fromEntries(
    Object.entries(document).filter(([, value]) => value !== undefined),
  ) as unknown as DocumentMetadata;
}
