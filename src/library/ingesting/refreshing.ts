import { describeError, isKaizenError } from '../../core/errors';
import type { LibraryKeeper } from '../keeping/model';
import type { AcquiredPage, DocumentMetadata, IngestResult, LibraryChange } from '../model';
import { optional } from './metadata';
import { SeenTogether } from './seen-together';

/**
 * Reads a document's source again; where it says what it said, that is noted with `seen`, or at once without. Throws
 * `unknown_document` where the document was removed.
 */
type Look = (
  document: DocumentMetadata,
  change: LibraryChange,
  seen: SeenTogether | undefined,
) => Promise<IngestResult>;

type Outcome = Pick<AcquiredPage, 'status' | 'reason'>;

/** Looks at the sources of documents, one after the other; what is wrong with one is told, and the rest goes on. */
export class Refreshing {
  private readonly pages: AcquiredPage[] = [];
  /** Those of which it is still to be kept that they say what they said. */
  private readonly waiting = new Map<string, { document: DocumentMetadata; page: AcquiredPage }>();
  private readonly seen: SeenTogether;
  private readonly quietly: LibraryChange;

  constructor(
    keeper: LibraryKeeper,
    private readonly change: LibraryChange,
    private readonly look: Look,
  ) {
    this.seen = new SeenTogether(keeper);
    this.quietly = { ...change, onProgress: undefined };
  }

  /** Everything it answers is on the disk; what it had looked at when it was cancelled is, too. */
  async refresh(documents: readonly DocumentMetadata[]): Promise<AcquiredPage[]> {
    const { signal, onProgress } = this.change;
    try {
      for (const [at, document] of documents.entries()) {
        signal?.throwIfAborted();
        onProgress?.({ message: `Looking at "${document.title}"`, done: at / documents.length });
        await this.refreshOne(document);
        if (this.seen.isFull) await this.keepSeen();
      }
    } finally {
      await this.keepSeen();
    }
    return this.pages;
  }

  private async refreshOne(document: DocumentMetadata): Promise<void> {
    const { title, document_id, source_path: url } = document;
    const before = this.seen.size;
    const page: AcquiredPage = { url, document_id, title, ...(await this.outcome(document, this.seen)) };
    this.pages.push(page);
    if (this.seen.size > before) this.waiting.set(document_id, { document, page });
  }

  private async outcome(document: DocumentMetadata, seen: SeenTogether | undefined): Promise<Outcome> {
    if (document.source_path === 'content:') {
      return { status: 'unchanged', reason: 'It was given as text: there is no source to look at.' };
    }
    try {
      const { status, message } = await this.look(document, this.quietly, seen);
      // A source that is there is never skipped: nothing was asked of it.
      return { status: status === 'skipped' ? 'unchanged' : status, ...optional('reason', message) };
    } catch (error) {
      if (this.change.signal?.aborted) throw error;
      if (isKaizenError(error) && error.code === 'unknown_document') {
        return { status: 'unchanged', reason: 'It was removed meanwhile.' };
      }
      return failure(error);
    }
  }

  private async keepSeen(): Promise<void> {
    const waiting = new Map(this.waiting);
    this.waiting.clear();
    try {
      for (const id of await this.seen.keep()) {
        const changed = waiting.get(id);
        // Somebody else has changed it since: what they made of it is looked at, once.
        if (changed && !this.change.signal?.aborted) {
          Object.assign(changed.page, await this.outcome(changed.document, undefined));
        }
      }
    } catch (error) {
      if (this.change.signal?.aborted) return;
      for (const { page } of waiting.values()) Object.assign(page, failure(error));
    }
  }
}

function failure(error: unknown): Outcome {
  const isRefused = isKaizenError(error) && (error.code === 'fetch_refused' || error.code === 'outside_root');
  return { status: isRefused ? 'refused' : 'failed', reason: describeError(error) };
}
