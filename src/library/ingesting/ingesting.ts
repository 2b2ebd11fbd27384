import { isoTime } from '../../core/clock';
import { isKaizenError, KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { Turns } from '../../core/turns';
import type { DocumentRequests } from '../acquiring/document-requests';
import { relevanceOf } from '../assessing/relevance';
import type { FetchedPage } from '../fetching/model';
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
import { describe, unchanged, type Versions } from './describing';
import { keepFailure } from './failing';
import { hashInTurns } from './identity';
import { existing, onceMore } from './kept';
import { checkedOverrides, optional } from './metadata';
import { originOf } from './origin';
import { duplicate, skipped } from './outcomes';
import { type ReadOrigin, readOrigin, readPage } from './reading-origins';
import { Refreshing } from './refreshing';
import { checkedRequest } from './request';
import type { SeenTogether } from './seen-together';
import { store } from './storing';
import type { Task, Work } from './work';

/** How a source is brought in, beyond what was asked. */
export interface IngestHelp {
  /** The page behind the source, where it was fetched already. */
  page?: FetchedPage | undefined;
  /** False: a source that cannot be read leaves nothing behind; true unless told. */
  keepFailure?: boolean | undefined;
  /** Where it is noted that a source says what it said; at once unless told. */
  seen?: SeenTogether | undefined;
  /** Id of the document that is looked at again: throws `unknown_document` once it is removed. */
  again?: string | undefined;
}

type ReadBytes = Exclude<ReadOrigin, 'unchanged'>;

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
    const { page, keepFailure = true, seen, again } = help;
    const task = { ...asked, origin, page, keepFailure, seen, again };
    return this.perform(task, change);
  }

  async refresh(documentIds: readonly string[] | undefined, change: LibraryChange): Promise<AcquiredPage[]> {
    const keeper = await this.surroundings.keeper();
    const documents = documentIds ? await existing(keeper, documentIds) : await keeper.documents();
    const refreshing = new Refreshing(keeper, change, ({ source_path, document_id }, quietly, seen) =>
      this.ingest({ source: source_path }, quietly, { seen, again: document_id }),
    );
    return refreshing.refresh(documents);
  }

  async describe(documentId: string, overrides: MetadataOverrides, change: LibraryChange): Promise<DocumentMetadata> {
    const work = await this.work(change);
    return onceMore(async () => {
      const [before] = await existing(work.keeper, [documentId]);
      return describe(work, before!, checkedOverrides(overrides, before!.overrides), {});
    });
  }

  async remove(documentIds: readonly string[], change: LibraryChange): Promise<void> {
    const keeper = await this.surroundings.keeper();
    const documents = await existing(keeper, documentIds);
    change.signal?.throwIfAborted();
    await keeper.remove(documents.map(({ document_id }) => document_id));
  }

  private async work(change: LibraryChange): Promise<Work> {
    const { surroundings } = this;
    return { keeper: await surroundings.keeper(), surroundings, change };
  }

  private async perform(task: Task, change: LibraryChange): Promise<IngestResult> {
    try {
      return await onceMore(() => this.attempt(task, change));
    } catch (error) {
      if (change.signal?.aborted && !isKaizenError(error)) {
        throw new KaizenError(
          'cancelled',
          sentence('Adding "{0}" was cancelled.', task.origin.name.slice(0, 120)),
          undefined,
          { cause: error },
        );
      }
      throw error;
    }
  }

  private async attempt(task: Task, change: LibraryChange): Promise<IngestResult> {
    change.signal?.throwIfAborted();
    const work = await this.work(change);
    const before = await work.keeper.document(task.origin.document_id);
    // Looking at many takes long, and who takes one out meanwhile does not want it back.
    if (!before && task.again !== undefined) await existing(work.keeper, [task.again]);
    try {
      return await this.bringIn(task, work, before);
    } catch (error) {
      if (task.keepFailure) await keepFailure(work, task, before, error);
      throw error;
    }
  }

  /** Reads as little as tells that nothing is new; then all, and stores it. */
  private async bringIn(task: Task, work: Work, before: DocumentMetadata | undefined): Promise<IngestResult> {
    const { origin, force } = task;
    const { keeper, change } = work;
    const complete = before?.processing_status === 'complete' ? before : undefined;
    const known = force ? undefined : complete;
    change.onProgress?.({ message: `${origin.kind === 'web' ? 'Fetching' : 'Reading'} ${origin.name}` });
    const read = task.page
      ? readPage(task.page, origin.source_path)
      : await readOrigin(origin, known, this.surroundings, change);
    if (read === 'unchanged') {
      if (complete) return unchanged(work, complete, task, {});
      const name = origin.name.slice(0, 120);
      throw new KaizenError(
        'fetch_failed',
        sentence('What {0} says is not here any more.', name),
        sentence('Try again.'),
      );
    }
    const size = read.bytes.length;
    const hash = await hashInTurns(read.bytes, new Turns(change.signal));
    const versions = versionsOf(read, this.surroundings.clock.now());
    if (known?.content_hash === hash) return unchanged(work, known, task, versions);
    const twin = complete ? undefined : await keeper.documentWithHash(hash);
    if (twin && twin.document_id !== origin.document_id) return duplicate(keeper, twin, before);
    const extracted = await this.extract(task, read, change);
    const relevance = await relevanceFor(task, extracted, change);
    if (relevance && relevance.score < task.relevance!.threshold) return skipped(relevance, extracted);
    return store(work, this.requests, task, before, extracted, { size, hash, versions, url: read.url, relevance });
  }

  private extract({ origin, format }: Task, read: ReadBytes, change: LibraryChange): Promise<Extracted> {
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
}

async function relevanceFor(
  { relevance }: Task,
  { document }: Extracted,
  change: LibraryChange,
): Promise<Relevance | undefined> {
  if (!relevance) return undefined;
  change.onProgress?.({ message: 'Comparing it with what is wanted', done: 0.85 });
  return relevanceOf(document.text, relevance.topic, { title: document.title, signal: change.signal });
}

function versionsOf({ etag, last_modified, fetched_at }: ReadBytes, now: number): Versions {
  return {
    ...optional('etag', etag),
    ...optional('last_modified', last_modified),
    ...optional('crawled_at', fetched_at),
    last_verified_at: isoTime(now),
  };
}
