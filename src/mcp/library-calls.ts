import { KaizenError } from '../core/errors';
import type { KaizenParts } from '../kaizen';
import type {
  AcquireRequest,
  CoverageRequest,
  DocumentRequest,
  DocumentRequestInput,
  IngestRequest,
  LibraryChange,
  LibraryPart,
  LibrarySearch,
  PreflightRequest,
  SourcesRequest,
} from '../library';
import type { LibraryWrite } from '../review';
import { changeBy, writeOrHold } from './agent-writes';
import type { EnvelopedResult } from './envelope';
import {
  acquisitionResult,
  assessmentResult,
  given,
  ingestResult,
  searchResult,
  sourcesResult,
} from './library-answers';
import type { Held } from './policy';
import type { ToolCall } from './tool';

/** So long a search waits for the index; it says itself what it has not searched. */
const SEARCH_WAIT_MS = 2_000;
/** A judgement on half of the library would be wrong: so long it waits for the whole. */
const ASSESS_WAIT_MS = 20_000;

export async function search({ library, learning }: KaizenParts, request: LibrarySearch, { signal }: ToolCall) {
  await library.ready(SEARCH_WAIT_MS, signal);
  const answer = await library.search({ ...request, signal });
  const { results } = answer;
  const best = results.reduce((most, { semantic_score }) => Math.max(most, semantic_score), 0);
  learning.noteQuery({ tool: 'knowledge_search', query: request.query, results: results.length, best });
  learning.noteUse(
    'retrieved',
    results.map(({ uri }) => uri),
  );
  return searchResult(answer);
}

export interface StatsArguments {
  include_domain_breakdown?: boolean | undefined;
  include_freshness_metrics?: boolean | undefined;
  include_score_distribution?: boolean | undefined;
}

export async function stats(
  { library }: KaizenParts,
  args: StatsArguments,
  { signal }: ToolCall,
): Promise<EnvelopedResult> {
  await library.ready(SEARCH_WAIT_MS, signal);
  const {
    include_domain_breakdown: domains = false,
    include_freshness_metrics: freshness = false,
    include_score_distribution: scores = false,
  } = args;
  return { result: given(await library.stats({ domains, freshness, scores })) };
}

export async function sources(
  { library }: KaizenParts,
  { include_scores = true, ...request }: SourcesRequest & { include_scores?: boolean | undefined },
) {
  return sourcesResult(await library.sources(request), library.state, include_scores);
}

export async function assessCoverage({ library }: KaizenParts, request: CoverageRequest, { signal }: ToolCall) {
  const isWhole = await library.ready(ASSESS_WAIT_MS, signal);
  return assessmentResult(await library.assessCoverage({ ...request, signal }), isWhole ? undefined : waiting(library));
}

export async function preflight({ library }: KaizenParts, request: PreflightRequest, { signal }: ToolCall) {
  const isWhole = await library.ready(ASSESS_WAIT_MS, signal);
  return assessmentResult(await library.preflight({ ...request, signal }), isWhole ? undefined : waiting(library));
}

function waiting({ state: { indexed, chunks } }: LibraryPart): string {
  const far = indexed === undefined ? '' : ` (${indexed} of ${chunks} passages)`;
  return `The library is still being read${far}: scores may be too low. Ask again in a minute.`;
}

export async function ingest(parts: KaizenParts, request: IngestRequest, call: ToolCall) {
  requireContext(request);
  return writing(parts, call, { action: 'ingest', request }, async (change) =>
    ingestResult(await parts.library.ingest(request, change)),
  );
}

/** Said before anything is read or held. */
function requireContext({ assess_relevance, relevance_context }: IngestRequest): void {
  if (!assess_relevance || relevance_context?.trim()) return;
  throw new KaizenError(
    'invalid_argument',
    'assess_relevance needs relevance_context.',
    'Say what the source has to be relevant to, or leave assess_relevance out.',
  );
}

export async function acquire(parts: KaizenParts, request: AcquireRequest, call: ToolCall) {
  return writing(parts, call, { action: 'acquire', request }, async (change) => {
    await parts.library.ready(ASSESS_WAIT_MS, change.signal);
    return acquisitionResult(await parts.library.acquire(request, change));
  });
}

export async function requestDocument(parts: KaizenParts, request: DocumentRequestInput, call: ToolCall) {
  return writing(parts, call, { action: 'request_document', request }, async (change) =>
    requestResult(await parts.library.requestDocument(request, change)),
  );
}

function requestResult({ id: request_id, status, ...request }: DocumentRequest): EnvelopedResult {
  const further = request.can_proceed_without
    ? 'Go on without it, and name what is missing.'
    : 'Do not go on without it: tell the user.';
  const message = `The user sees the request in the library, and a document that answers it closes it. ${further}`;
  return { result: given({ request_id, status, ...request, message }) };
}

function writing(
  parts: KaizenParts,
  call: ToolCall,
  input: LibraryWrite,
  write: (change: LibraryChange) => Promise<EnvelopedResult>,
): Promise<EnvelopedResult | Held> {
  const change: LibraryChange = {
    author: call.author,
    by_agent: true,
    signal: call.signal,
    onProgress: call.onProgress,
  };
  return writeOrHold(parts, call, { operation: 'write_library', input }, changeBy(call), () => write(change));
}
