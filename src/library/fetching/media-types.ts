import type { IncomingHttpHeaders } from 'node:http';
import { sentence } from '../../core/sentence';
import { refused, shown } from './faults';
import type { FetchingLimits } from './limits';

const PAGES = new Set(['text/html', 'application/xhtml+xml', 'text/markdown', 'text/x-markdown', 'text/plain']);
const DOCUMENTS = new Set([
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
]);
/** What servers say of files that they know nothing of. */
const UNKNOWN = new Set(['application/octet-stream', 'binary/octet-stream', 'application/x-download', '']);

/** What servers are told that is read. */
export const ACCEPTED = [
  'text/html',
  'application/xhtml+xml',
  'text/markdown',
  'text/plain;q=0.9',
  ...[...DOCUMENTS].map((type) => `${type};q=0.9`),
].join(', ');

/** How much of an answer is read, by its media type, and where that says nothing by its name. Throws `fetch_refused`. */
export function planFor(
  url: URL,
  headers: IncomingHttpHeaders,
  limits: FetchingLimits,
): { most: number; time: number } {
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  const ending = /\.([a-z]{2,8})$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? '';
  const isUnknown = UNKNOWN.has(type);
  if (DOCUMENTS.has(type) || (isUnknown && /^(pdf|docx)$/.test(ending))) {
    return { most: limits.document, time: limits.documentTime };
  }
  if (PAGES.has(type) || type === '' || (isUnknown && /^(html?|xhtml|md|markdown|txt)$/.test(ending))) {
    return { most: limits.page, time: limits.pageTime };
  }
  throw refused(
    sentence('{0} is {1}, which is not read.', shown(url), type.slice(0, 80)),
    sentence('Web pages, Markdown, plain text, PDF and Word documents (.docx) are.'),
  );
}
