import { describeError } from '../../core/errors';
import { Turns } from '../../core/turns';
import type { DocumentRequests } from '../acquiring/document-requests';
import type { DocumentContent } from '../keeping/model';
import type { DocumentMetadata, Extracted, IngestResult, LibraryChange, Relevance } from '../model';
import { chunksOfDocument } from './chunks';
import type { Versions } from './describing';
import { readable } from './kept';
import { checkedOverrides, later, optional, told, whereFrom } from './metadata';
import { addressOf, withoutSecrets } from './redacting';
import type { Task, Work } from './work';

/** What is known of a source that was read, beside what it says. */
export interface ReadSource {
  /** Bytes. */
  size: number;
  hash: string;
  versions: Versions;
  /** Of a page: where it was in the end. */
  url: string | undefined;
  relevance: Relevance | undefined;
}

/** Stores what was read of a source, as a document that is new or replaces `before`. Throws `conflict`. */
export async function store(
  work: Work,
  requests: DocumentRequests,
  task: Task,
  before: DocumentMetadata | undefined,
  extracted: Extracted,
  source: ReadSource,
): Promise<IngestResult> {
  const { keeper, change } = work;
  // Under the names of what a person would look at: the document's text, then what is said of it.
  const { document: read, chunks: drafts } = await withoutSecrets(work, extracted);
  const turns = new Turns(change.signal);
  const content = before ? await readable(keeper, before.document_id) : undefined;
  const url = task.origin.kind === 'web' ? await addressOf(work, task.origin.source_path, read, source.url) : undefined;
  const document = documentOf(work, task, before, { document: read, chunks: drafts }, { ...source, url });
  const chunked = await chunksOfDocument(document, drafts, content?.chunks ?? [], document.updated_at, turns);
  const count = drafts.length.toLocaleString('en');
  change.onProgress?.({ message: `Storing ${count} ${drafts.length === 1 ? 'passage' : 'passages'}`, done: 0.95 });
  change.signal?.throwIfAborted();
  const { kept, added, removed } = chunked;
  // A page's bytes change with every visit, what it says does not.
  const saysTheSame = content?.text === read.text && added === 0 && removed === 0 && !task.force;
  const put: DocumentContent | undefined = saysTheSame ? undefined : { text: read.text, chunks: chunked.chunks };
  await keeper.put(document, put, before?.updated_at ?? null);
  const requests_closed = await closeRequests(work, requests, document, read.text, change);
  return {
    status: before?.processing_status !== 'complete' ? 'added' : saysTheSame ? 'unchanged' : 'updated',
    document,
    chunks: { total: drafts.length, added, kept, removed },
    ...optional('relevance', source.relevance),
    requests_closed,
    ...(read.remarks.length === 0 ? {} : { message: read.remarks.join(' ') }),
  };
}

function documentOf(
  { surroundings, change }: Work,
  { origin, overrides: given }: Task,
  before: DocumentMetadata | undefined,
  { document: read, chunks }: Extracted,
  source: ReadSource,
): DocumentMetadata {
  const now = later(surroundings.clock.now(), before);
  const { url } = source;
  const domain = url === undefined ? undefined : new URL(url).hostname;
  const overrides = checkedOverrides(given, before?.overrides);
  const { relevance } = source;
  const particulars = { ...whereFrom(origin, surroundings, change.by_agent), title: read.title, version: read.version };
  return {
    document_id: origin.document_id,
    ...told({ ...particulars, chunks }, overrides, domain),
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
    chunk_count: chunks.length,
    token_count: chunks.reduce((sum, { token_count }) => sum + token_count, 0),
    processing_status: 'complete',
    remarks: read.remarks,
    ...optional('relevance', relevance ? { score: relevance.score, topic: relevance.topic } : before?.relevance),
    added_by: before?.added_by ?? change.author,
    created_at: before?.created_at ?? now,
    overrides,
    updated_at: now,
  };
}

async function closeRequests(
  { surroundings }: Work,
  requests: DocumentRequests,
  document: DocumentMetadata,
  text: string,
  change: LibraryChange,
): Promise<string[]> {
  try {
    return await requests.closeBy(document, text, change);
  } catch (error) {
    // The document is in: what it answers can be said later, by a person.
    surroundings.log(`The library: requests that "${document.title}" may answer stay open: ${describeError(error)}`);
    return [];
  }
}
