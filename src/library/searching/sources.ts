import { KaizenError } from '../../core/errors';
import { libraryUri, parseLibraryUri } from '../../core/knowledge-uri';
import { sentence } from '../../core/sentence';
import { compareText } from '../../core/text';
import { Turns } from '../../core/turns';
import { freshnessOf } from '../assessing/freshness';
import type { LibraryKeeper } from '../keeping/model';
import type { DocumentMetadata, Freshness, LibraryStats, SourceListing, SourcesRequest } from '../model';
import { remarkSaid } from '../reading/remarks';
import type { Surroundings } from '../surroundings';
import { healthOf } from './health';
import { DEFAULTS } from './limits';

/** Lists and counts what the library has. */
export class Sources {
  constructor(private readonly surroundings: Surroundings) {}

  async sources({
    source_type = 'all',
    document_type,
    sort_by = 'title',
    limit,
  }: SourcesRequest): Promise<SourceListing[]> {
    const most = Math.max(1, Math.trunc(limit ?? DEFAULTS.sources));
    const documents = await (await this.surroundings.keeper()).documents();
    return documents
      .filter((each) => source_type === 'all' || each.source_type === source_type)
      .filter((each) => !document_type?.length || document_type.includes(each.document_type))
      .map((each) => this.listed(each))
      .sort(ORDERS[sort_by])
      .slice(0, most);
  }

  /** Throws `unknown_document`. */
  async source(documentId: string): Promise<SourceListing> {
    const document = await (await this.surroundings.keeper()).document(documentId);
    if (document) return this.listed(document);
    throw new KaizenError(
      'unknown_document',
      sentence('The library has no document "{0}".', documentId.slice(0, 120)),
      sentence('knowledge_sources lists the documents that there are.'),
    );
  }

  async stats(include: { domains?: boolean; freshness?: boolean; scores?: boolean }): Promise<LibraryStats> {
    const keeper = await this.surroundings.keeper();
    const [documents, counts, requests] = await Promise.all([keeper.documents(), keeper.counts(), keeper.requests()]);
    const listed = documents.map((each) => this.listed(each));
    const dates = listed.flatMap(({ freshness }) => (freshness.date === undefined ? [] : [freshness.date])).sort();
    return {
      documents: counts.documents,
      chunks: counts.chunks,
      tokens: counts.tokens,
      ...(counts.size === undefined ? {} : { size: counts.size }),
      by_source_type: countedBy(documents, ({ source_type }) => source_type),
      by_document_type: countedBy(documents, ({ document_type }) => document_type),
      by_authority: countedBy(documents, ({ authority_level }) => authority_level),
      by_status: countedBy(documents, ({ processing_status }) => processing_status),
      open_requests: requests.filter(({ status }) => status === 'open').length,
      health: healthOf(listed, keeper),
      ...(include.domains ? { domains: domainsOf(documents) } : {}),
      ...(include.freshness
        ? {
            freshness: { ...NO_FRESHNESS, ...countedBy(listed, ({ freshness }) => freshness.level) },
            ...(dates.length === 0 ? {} : { oldest_source_date: dates[0], newest_source_date: dates.at(-1) }),
          }
        : {}),
      ...(include.scores ? { score_distribution: await this.scoreBands(keeper, counts.chunks) } : {}),
    };
  }

  /** How many passages are in which band. */
  private async scoreBands(keeper: LibraryKeeper, chunks: number): Promise<Record<string, number>> {
    const { learned } = this.surroundings;
    const bands: Record<string, number> = { ...NO_SCORES };
    const turns = new Turns();
    let rated = 0;
    for (const uri of learned.ratedPassages()) {
      await turns.pause();
      const address = parseLibraryUri(uri);
      // What was re-read since says something else, and has another id: its feedback is of nothing that is there.
      if (address?.chunk === undefined || !(await keeper.chunk(address.document_id, address.chunk))) continue;
      const { level } = learned.effectivenessOf(uri);
      bands[level] = (bands[level] ?? 0) + 1;
      rated++;
    }
    return { ...bands, [NEUTRAL_BAND]: bands[NEUTRAL_BAND]! + Math.max(0, chunks - rated) };
  }

  private listed(document: DocumentMetadata): SourceListing {
    const uri = libraryUri(document.document_id);
    const { score, confidence } = this.surroundings.learned.effectivenessOf(uri);
    const freshness = freshnessOf(document, this.surroundings.clock.now());
    const remarks = document.remarks.map(remarkSaid);
    return { ...document, remarks, uri, freshness, score, score_confidence: confidence };
  }
}

const byTitle = (a: SourceListing, b: SourceListing) =>
  compareText(a.title.toLowerCase(), b.title.toLowerCase()) || compareText(a.document_id, b.document_id);

/** Most, newest or highest first; equals by title. */
const ORDERS: Record<NonNullable<SourcesRequest['sort_by']>, (a: SourceListing, b: SourceListing) => number> = {
  title: byTitle,
  date_added: (a, b) => compareText(b.created_at, a.created_at) || byTitle(a, b),
  chunk_count: (a, b) => b.chunk_count - a.chunk_count || byTitle(a, b),
  authority: (a, b) => b.authority_score - a.authority_score || byTitle(a, b),
  score: (a, b) => b.score - a.score || byTitle(a, b),
};

const NO_FRESHNESS: Record<Freshness['level'], number> = { current: 0, recent: 0, ageing: 0, stale: 0, unknown: 0 };
/** The bands of seed 003, 4.8, SCORE_INTERPRETATION. */
const NO_SCORES = { highly_effective: 0, effective: 0, moderate: 0, limited: 0, poor: 0 };
const NEUTRAL_BAND = 'moderate';

function countedBy<Each>(all: readonly Each[], key: (each: Each) => string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const each of all) counts.set(key(each), (counts.get(key(each)) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => compareText(a, b)));
}

/** Most documents first. */
function domainsOf(documents: readonly DocumentMetadata[]): { domain: string; documents: number; chunks: number }[] {
  const domains = new Map<string, { domain: string; documents: number; chunks: number }>();
  for (const { source_domain: domain, chunk_count } of documents) {
    if (domain === undefined) continue;
    const counted = domains.get(domain) ?? { domain, documents: 0, chunks: 0 };
    counted.documents++;
    counted.chunks += chunk_count;
    domains.set(domain, counted);
  }
  return [...domains.values()].sort((a, b) => b.documents - a.documents || compareText(a.domain, b.domain));
}
