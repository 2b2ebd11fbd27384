import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type {
  AcquiredPage,
  AcquireRequest,
  DocumentRequestInput,
  IngestRequest,
  LibraryChange,
  LibraryPart,
} from '../library';
import { document, field, list, text } from './markdown';
import type { LibraryWrite, ProposalPreview } from './model';

const CONTENT = 'content:';
const MAX_TITLE = 120;

/** What a write is about, on one line: the source, or the topic. */
export function libraryTitle({ action, request }: LibraryWrite): string {
  if (action === 'refresh') return onOneLine(request.titles.join(', '));
  if (action !== 'ingest') return onOneLine(request.topic);
  const { source, metadata_overrides } = request;
  return onOneLine(metadata_overrides?.title ?? (isContent(source) ? source.slice(CONTENT.length) : source));
}

/** What would be done, for a person to read; nothing is read or fetched for it. */
export function libraryPreview(write: LibraryWrite): ProposalPreview {
  return { title: libraryTitle(write), before: '', after: textOf(write) };
}

/**
 * Does what was accepted. Doing it once more after it was cut off adds nothing twice: a source that is there already is
 * recognised, and so is an open request for the same.
 */
export async function performLibraryWrite(
  library: LibraryPart,
  { action, request }: LibraryWrite,
  change: LibraryChange,
): Promise<void> {
  switch (action) {
    case 'ingest': {
      const { status, message } = await library.ingest(request, change);
      if (status !== 'skipped') return;
      throw new KaizenError(
        'conflict',
        message ?? sentence('The source has too little to do with the topic.'),
        NOTHING_ADDED,
      );
    }
    case 'acquire': {
      const { pages, message } = await library.acquire(request, change);
      if (pages.some(({ status }) => IS_THERE.has(status))) return;
      const why =
        pages.find(({ reason }) => reason !== undefined)?.reason ?? message ?? sentence('No page was relevant.');
      throw new KaizenError('conflict', sentence('Nothing came in. {0}', why), NOTHING_ADDED);
    }
    case 'request_document':
      await library.requestDocument(request, change);
      return;
    case 'refresh': {
      const pages = await library.refresh(request.sources, change);
      if (pages.length === 0 || pages.some(({ status }) => IS_THERE.has(status))) return;
      throw new KaizenError(
        'conflict',
        pages[0]!.reason
          ? sentence('No source could be read again. {0}', pages[0]!.reason)
          : sentence('No source could be read again.'),
        NOTHING_READ,
      );
    }
  }
}

const IS_THERE: ReadonlySet<AcquiredPage['status']> = new Set(['added', 'updated', 'unchanged', 'duplicate']);
const NOTHING_READ = sentence('They say what they said before: reject the proposal, or try again later.');
const NOTHING_ADDED = sentence('Nothing was added: reject the proposal, or add the source yourself.');

function textOf({ action, request }: LibraryWrite): string {
  switch (action) {
    case 'ingest':
      return sourceText(request);
    case 'acquire':
      return acquisitionText(request);
    case 'request_document':
      return requestText(request);
    case 'refresh':
      return document('Look at web sources again', [list('Sources', request.titles)]);
  }
}

function sourceText({ source, source_type, metadata_overrides = {}, ...relevance }: IngestRequest): string {
  const { title, document_type, authority_level, standard_id, version } = metadata_overrides;
  const given = isContent(source);
  return document('Add to the library', [
    given ? '' : field('Source', source),
    field('Read as', source_type === 'auto' ? undefined : source_type),
    field('Title', title),
    field('Document type', document_type),
    field('Authority', authority_level),
    field('Standard', standard_id),
    field('Version', version),
    relevance.assess_relevance ? field('Only if it has to do with', relevance.relevance_context) : '',
    relevance.assess_relevance ? field('Relevance at least', relevance.relevance_threshold) : '',
    given ? text('Text', source.slice(CONTENT.length)) : '',
  ]);
}

function acquisitionText(request: AcquireRequest): string {
  return document('Fetch from the web', [
    field('Topic', request.topic),
    list('Pages', request.urls ?? []),
    list('Searches', request.search_queries ?? []),
    list('Only from', request.domain_allowlist ?? []),
    field('Pages at most', request.max_pages),
    field('Relevance at least', request.relevance_threshold),
  ]);
}

function requestText(request: DocumentRequestInput): string {
  return document('Ask for a document', [
    field('Topic', request.topic),
    field('Document type', request.document_type),
    field('Urgency', request.urgency),
    field('For', request.workflow_context),
    text('Why', request.rationale),
    list('For example', request.example_documents ?? []),
    field('Goes on without it', request.can_proceed_without === undefined ? undefined : yesOrNo(request)),
    text('If it cannot be had', request.workaround_if_unavailable),
  ]);
}

function yesOrNo({ can_proceed_without }: DocumentRequestInput): string {
  return can_proceed_without ? 'yes' : 'no';
}

function isContent(source: string): boolean {
  return source.startsWith(CONTENT);
}

function onOneLine(words: string): string {
  const line = words.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE - 1).trimEnd()}…`;
}
