import { describeError, isKaizenError, KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import type { Assessing } from '../assessing/assessing';
import { isUnreachable } from '../fetching';
import type { FetchedPage, KnownVersion } from '../fetching/model';
import type { Ingesting } from '../ingesting/ingesting';
import { originOf } from '../ingesting/origin';
import type {
  AcquiredPage,
  AcquireRequest,
  AcquireResult,
  CoverageAssessment,
  IngestResult,
  LibraryChange,
} from '../model';
import type { Surroundings } from '../surroundings';
import { byAuthority, type Candidate, Candidates, interleaved } from './candidates';
import { LIMITS } from './limits';
import { proposedQueries, proposedSites } from './proposals';
import { type Acquisition, checkedRequest } from './request';

/** What comes of a page, beside what is told of it. */
interface Outcome {
  page: AcquiredPage;
  /** Whether its server was asked for it. */
  asked: boolean;
  chunks: number;
  links: readonly string[];
}

/** How long what came in may take until it can be searched, before the coverage is told. */
const INDEX_PATIENCE_MS = 10_000;

/** Fetches what is missing from the web, as far as it has to do with the topic (seed 003, 5.3.3). */
export class Acquiring {
  constructor(
    private readonly surroundings: Surroundings,
    private readonly parts: { ingesting: Ingesting; assessing: Assessing },
  ) {}

  /**
   * Fetches the pages that are named, then those that a search finds, then what the named ones link to on their own sites,
   * nearest first, until `max_pages` were asked for; brings in those that have enough to do with the topic. A page that
   * cannot be had is told and the rest goes on. Throws `invalid_argument`, `cancelled` (what came in until then stays),
   * and what the library itself throws when nothing has come in yet.
   */
  async acquire(request: AcquireRequest, change: LibraryChange): Promise<AcquireResult> {
    const acquisition = checkedRequest(request);
    const progress = { done: 0, of: acquisition.maxPages };
    change.onProgress?.({ message: 'Looking at what there is', done: 0 });
    const before = await this.coverage(acquisition, change);
    const found = await this.search(acquisition, before, change);
    const { pages, chunks, fetched, stopped } = await this.fetchAll(acquisition, found.pages, change, progress);
    const added = pages.filter(({ status }) => status === 'added').length;
    const changed = added > 0 || pages.some(({ status }) => status === 'updated');
    if (changed) change.onProgress?.({ message: 'Looking at what there is now', done: 0.98 });
    // What has come in stays in, whoever waits for the rest.
    const after = changed ? await this.coverage(acquisition, change).catch(() => before) : before;
    const messages = [found.message, stopped].filter((message) => message !== undefined);
    return {
      topic: acquisition.topic,
      pages,
      pages_fetched: fetched,
      documents_added: added,
      chunks_added: chunks,
      coverage_before: before.coverage_score,
      coverage_after: after.coverage_score,
      coverage_improvement: after.coverage_score - before.coverage_score,
      proposed_queries: found.unasked ? proposedQueries(acquisition.topic, acquisition.queries, before) : [],
      proposed_sites: found.unasked ? proposedSites(acquisition.topic, acquisition.domains, before) : [],
      ...(messages.length === 0 ? {} : { message: messages.join(' ') }),
    };
  }

  private async coverage({ topic }: Acquisition, { signal }: LibraryChange): Promise<CoverageAssessment> {
    const keeper = await this.surroundings.keeper();
    await keeper.ready(INDEX_PATIENCE_MS, signal);
    return this.parts.assessing.assess({ topic, signal });
  }

  /** Asks for what is to be searched. `unasked`: there is a question, and nobody to ask. */
  private async search(
    acquisition: Acquisition,
    before: CoverageAssessment,
    change: LibraryChange,
  ): Promise<{ pages: Candidate[]; unasked: boolean; message?: string }> {
    const { topic, urls, maxPages } = acquisition;
    const { web } = this.surroundings;
    // Who names neither pages nor queries wants what there is about the topic.
    const queries =
      acquisition.queries.length > 0 || urls.length > 0
        ? acquisition.queries
        : proposedQueries(topic, [], before).slice(0, 2);
    if (queries.length === 0) return { pages: [], unasked: false };
    if (!web.settings.search || !web.settings.enabled) {
      const message = web.settings.enabled
        ? 'No search endpoint is set up, so that nothing was searched for: ask the proposed queries elsewhere, and give the pages as urls.'
        : 'Fetching from the web is switched off, so that nothing was searched for: a person can look for it by the proposed queries, and add what they find as files.';
      return { pages: [], unasked: true, message };
    }
    const answers: { url: string; title: string }[][] = [];
    const failed: string[] = [];
    for (const query of queries) {
      change.onProgress?.({ message: `Searching the web for "${query}"`, done: 0 });
      try {
        answers.push(await web.search(query, maxPages, change.signal));
      } catch (error) {
        this.throwIfCancelled(change, error, 0);
        failed.push(`"${query}" could not be searched for: ${describeError(error)}`);
      }
    }
    const pages = interleaved(answers).map(({ url, title }) => ({ url, title, crawl: false, depth: 0 }));
    const nothing = pages.length === 0 && failed.length === 0 ? ['The search found nothing.'] : [];
    const told = [...new Set([...failed, ...nothing])];
    return {
      pages,
      unasked: failed.length === queries.length,
      ...(told.length === 0 ? {} : { message: told.join(' ') }),
    };
  }

  private async fetchAll(
    acquisition: Acquisition,
    found: readonly Candidate[],
    change: LibraryChange,
    progress: { done: number; of: number },
  ): Promise<{ pages: AcquiredPage[]; chunks: number; fetched: number; stopped?: string }> {
    const { urls, maxPages, preferAuthoritative, threshold } = acquisition;
    const ordered = preferAuthoritative ? byAuthority : <Page>(pages: readonly Page[]) => [...pages];
    const candidates = new Candidates(LIMITS.candidates);
    candidates.add(ordered(urls.map((url) => ({ url, crawl: true, depth: 0 }))));
    candidates.add(ordered(found));
    /** Hosts that nobody answers at: each would cost its time again. */
    const silent = new Map<string, string>();
    const pages: AcquiredPage[] = [];
    let [asked, fetched, chunks] = [0, 0, 0];
    for (let next = candidates.take(); next && asked < maxPages; next = candidates.take()) {
      if (pages.length >= LIMITS.toldPages) break;
      change.onProgress?.({ message: `Fetching ${next.url}`, done: (0.95 * progress.done) / progress.of });
      let outcome: Outcome;
      try {
        outcome = await this.fetchOne(next, acquisition, candidates, silent, change);
      } catch (error) {
        this.throwIfCancelled(change, error, pages.filter(isIn).length);
        // The library itself cannot take any more: nothing that follows would come in.
        if (!pages.some(isIn)) throw error;
        return { pages, chunks, fetched, stopped: `It ended early: ${describeError(error)}` };
      }
      pages.push(outcome.page);
      if (outcome.asked) progress.done = ++asked;
      if (outcome.page.status !== 'failed' && outcome.page.status !== 'refused') fetched++;
      chunks += outcome.chunks;
      const isAbout = next.depth === 0 || (outcome.page.relevance ?? threshold) >= threshold;
      if (!next.crawl || !isAbout) continue;
      candidates.add(outcome.links.map((url) => ({ url, crawl: true, depth: next!.depth + 1 })));
    }
    return { pages, chunks, fetched };
  }

  /** Throws only what concerns all pages. */
  private async fetchOne(
    candidate: Candidate,
    { topic, threshold, domains }: Acquisition,
    candidates: Candidates,
    silent: Map<string, string>,
    change: LibraryChange,
  ): Promise<Outcome> {
    const { url, crawl } = candidate;
    const { web } = this.surroundings;
    const told = { url, ...(candidate.title === undefined ? {} : { title: candidate.title.slice(0, LIMITS.told) }) };
    const without = (status: AcquiredPage['status'], reason: string, asked: boolean): Outcome => ({
      page: { ...told, status, reason },
      ...{ asked, chunks: 0, links: [] },
    });
    change.signal?.throwIfAborted();
    const host = URL.canParse(url) ? new URL(url).host : url;
    if (silent.has(host)) return without('failed', silent.get(host)!, false);
    let page: FetchedPage;
    try {
      // A page whose links are followed is wanted whole, also where it has not changed.
      const known = crawl ? undefined : await this.known(url);
      const { signal } = change;
      page = await web.fetch(url, { signal, allowedDomains: domains, ...(known ? { known } : {}) });
    } catch (error) {
      if (change.signal?.aborted) throw error;
      if (isUnreachable(error)) silent.set(host, describeError(error));
      const isRefused = isKaizenError(error) && (error.code === 'fetch_refused' || error.code === 'invalid_argument');
      return without(isRefused ? 'refused' : 'failed', describeError(error), !isRefused);
    }
    if (page.status === 'gone') return without('failed', 'There is no such page (any more).', true);
    if (!candidates.visit(url, page.url)) {
      return without('duplicate', `It leads to ${page.url}, which is looked at by itself.`, true);
    }
    // Before the bytes are handed to the worker.
    const links = crawl && page.status === 'fetched' ? await web.links(page, change.signal) : [];
    try {
      const result = await this.parts.ingesting.ingest(
        { source: page.url, assess_relevance: true, relevance_context: topic, relevance_threshold: threshold },
        { ...change, onProgress: undefined },
        { page, keepFailure: false },
      );
      return { page: { ...told, ...outcomeOf(result) }, asked: true, chunks: result.chunks.added, links };
    } catch (error) {
      if (change.signal?.aborted) throw error;
      if (!isKaizenError(error) || !ABOUT_THE_PAGE.has(error.code)) throw error;
      return { ...without('failed', describeError(error), true), links };
    }
  }

  /** What the library has of a page. */
  private async known(url: string): Promise<KnownVersion | undefined> {
    if (!URL.canParse(url)) return undefined;
    const { document_id } = await originOf(url, { workspace: undefined, byAgent: true });
    const document = await (await this.surroundings.keeper()).document(document_id);
    if (document?.processing_status !== 'complete') return undefined;
    return { etag: document.etag, last_modified: document.last_modified };
  }

  private throwIfCancelled({ signal }: LibraryChange, cause: unknown, added: number): void {
    if (!signal?.aborted) return;
    throw new KaizenError('cancelled', cancelledAfter(added), undefined, { cause });
  }
}

function cancelledAfter(added: number): Sentence {
  if (added === 0) return sentence('Acquiring was cancelled.');
  return added === 1
    ? sentence('Acquiring was cancelled. A page that had come in stays.')
    : sentence('Acquiring was cancelled. {0} pages that had come in stay.', added);
}

const ABOUT_THE_PAGE = new Set(['unreadable_source', 'fetch_failed', 'fetch_refused', 'invalid_argument', 'conflict']);

function outcomeOf({ status, document, relevance, message }: IngestResult): Omit<AcquiredPage, 'url'> {
  return {
    status: status === 'skipped' ? 'not_relevant' : status,
    ...(document ? { document_id: document.document_id, title: document.title } : {}),
    ...(relevance ? { relevance: relevance.score } : {}),
    ...(message === undefined ? {} : { reason: message }),
  };
}

function isIn({ status }: AcquiredPage): boolean {
  return status === 'added' || status === 'updated';
}
