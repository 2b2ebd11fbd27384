import {
  type AcquiredPage,
  type AcquisitionRecommendation,
  type Citation,
  citationOf,
  type DocumentMetadata,
  type DocumentRequest,
  type KnowledgeGap,
} from '../../../library';
import { indent, type Terminal, table } from '../../terminal';

/** A score with a bar beside it, as long as it is high. */
export function bar(score: number): string {
  const full = Math.round(Math.min(Math.max(score, 0), 1) * 10);
  return `${score.toFixed(2)}  ${'█'.repeat(full)}${'░'.repeat(10 - full)}`;
}

export function citationLine(citation: Citation): string[] {
  const { score, uri } = citation;
  return [score.toFixed(2), citationOf(citation), uri];
}

/** `added  IEEE 15288:2023  (ieee-15288-2023-1a2b3c4d)` */
export function documentName({ title, document_id }: Pick<DocumentMetadata, 'title' | 'document_id'>): string {
  return `${title} (${document_id})`;
}

/** What became of each page, and why. */
export function pageLines(pages: readonly AcquiredPage[], terminal: Terminal): string {
  return table(
    pages.map(({ url, status, title, relevance, reason }) => {
      const good = status === 'added' || status === 'updated';
      const bad = status === 'failed' || status === 'refused';
      const painted = good ? terminal.paint('green', status) : bad ? terminal.paint('red', status) : status;
      const score = relevance === undefined ? '' : relevance.toFixed(2);
      return [painted, score, [title, url].filter(Boolean).join('  '), reason ?? ''];
    }),
  );
}

/** What is missing, how much it matters, and where it may be found. */
export function gapLines(gaps: readonly KnowledgeGap[], terminal: Terminal): string {
  return gaps
    .map(({ importance, description, suggested_sources, search_queries }) => {
      const colour = importance === 'critical' ? 'red' : importance === 'important' ? 'yellow' : 'dim';
      const more = [
        ...(suggested_sources.length > 0 ? [`look at: ${suggested_sources.join(', ')}`] : []),
        ...(search_queries.length > 0 ? [`search for: ${search_queries.join('; ')}`] : []),
      ];
      const head = `${terminal.paint(colour, importance.replaceAll('_', ' '))}: ${description}`;
      return [head, ...more.map((line) => indent(line, '    '))].join('\n');
    })
    .join('\n');
}

const ACTIONS: Record<AcquisitionRecommendation['action'], string> = {
  web_search: 'search the web',
  web_crawl: 'fetch pages',
  request_document: 'ask for a document',
  none: 'nothing to do',
};

/** Of what could be done, the first: `--json` has all. */
const MAX_RECOMMENDATIONS = 6;

export function recommendationLines(recommendations: readonly AcquisitionRecommendation[]): string {
  return [...recommendations]
    .sort((a, b) => a.priority - b.priority)
    .slice(0, MAX_RECOMMENDATIONS)
    .map(({ action, priority, rationale, suggested_queries, suggested_urls, suggested_domains, example_documents }) => {
      const more = [
        ...suggested_queries.map((query) => `search for ${query}`),
        ...[...suggested_urls, ...suggested_domains, ...example_documents].map((each) => `look at ${each}`),
      ];
      return [`${priority}. ${ACTIONS[action]}: ${rationale}`, ...more.map((each) => indent(each, '     '))].join('\n');
    })
    .join('\n');
}

export function requestLine(request: DocumentRequest, terminal: Terminal): string {
  const { id, status, topic, document_type, urgency, rationale, requested_by, created_at, answered_by } = request;
  const colour = urgency === 'blocking' ? 'red' : urgency === 'important' ? 'yellow' : 'dim';
  const state =
    status === 'open' ? terminal.paint(colour, urgency.replaceAll('_', ' ')) : terminal.paint('dim', status);
  const kind = document_type === 'any' ? '' : `  ${terminal.paint('dim', document_type)}`;
  return [
    `${state}  ${terminal.paint('bold', topic)}${kind}`,
    indent(rationale),
    ...request.example_documents.map((each) => indent(`for example ${each}`)),
    ...(request.workaround_if_unavailable ? [indent(`without it: ${request.workaround_if_unavailable}`)] : []),
    ...(answered_by ? [indent(`answered by ${answered_by}`)] : []),
    indent(terminal.paint('dim', `${id}  by ${requested_by}, ${created_at.slice(0, 10)}`)),
  ].join('\n');
}
