import * as vscode from 'vscode';
import { numberedTitle } from '../../core/numbered-title';
import type {
  AuthorityLevel,
  Citation,
  DocumentRequest,
  Freshness,
  ProcessingStatus,
  RequestedType,
  SourceFormat,
  Urgency,
  WorkflowType,
} from '../../library';

/** What the library is made of, in the person's language: for every place that shows it. */

export function authorityName(level: AuthorityLevel): string {
  switch (level) {
    case 'normative':
      return vscode.l10n.t('normative');
    case 'authoritative':
      return vscode.l10n.t('authoritative');
    case 'reputable':
      return vscode.l10n.t('reputable');
    case 'informative':
      return vscode.l10n.t('informative');
    case 'unverified':
      return vscode.l10n.t('unverified');
  }
}

export function freshnessName(level: Freshness['level']): string {
  switch (level) {
    case 'current':
      return vscode.l10n.t('current');
    case 'recent':
      return vscode.l10n.t('recent');
    case 'ageing':
      return vscode.l10n.t('ageing');
    case 'stale':
      return vscode.l10n.t('stale');
    case 'unknown':
      return vscode.l10n.t('of unknown age');
  }
}

/** Those that the product gives itself; others are shown as they are. */
export function documentTypeName(type: string): string {
  switch (type) {
    case 'standard':
      return vscode.l10n.t('Standard');
    case 'handbook':
      return vscode.l10n.t('Handbook');
    case 'guide':
      return vscode.l10n.t('Guide');
    case 'web':
      return vscode.l10n.t('Web page');
    case 'report':
      return vscode.l10n.t('Report');
    case 'paper':
      return vscode.l10n.t('Paper');
    case 'internal':
      return vscode.l10n.t('Internal document');
    case 'vendor':
      return vscode.l10n.t('Vendor’s document');
    default:
      return type;
  }
}

export function requestedTypeName(type: RequestedType): string {
  return type === 'any' ? vscode.l10n.t('Any document') : documentTypeName(type);
}

export function formatName(format: SourceFormat): string {
  switch (format) {
    case 'pdf':
      return 'PDF';
    case 'docx':
      return 'Word';
    case 'web':
      return 'HTML';
    case 'markdown':
      return 'Markdown';
  }
}

const FORMAT_ICON: Readonly<Record<SourceFormat, string>> = {
  pdf: 'file-pdf',
  docx: 'file-text',
  web: 'globe',
  markdown: 'markdown',
};

export function sourceIcon({ format, source_type }: { format: SourceFormat; source_type: string }): vscode.ThemeIcon {
  return new vscode.ThemeIcon(source_type === 'web' && format === 'markdown' ? 'globe' : FORMAT_ICON[format]);
}

export function urgencyName(urgency: Urgency): string {
  switch (urgency) {
    case 'blocking':
      return vscode.l10n.t('blocking');
    case 'important':
      return vscode.l10n.t('important');
    case 'nice_to_have':
      return vscode.l10n.t('nice to have');
  }
}

export function statusName(status: ProcessingStatus): string {
  switch (status) {
    case 'pending':
      return vscode.l10n.t('waiting');
    case 'processing':
      return vscode.l10n.t('being read');
    case 'complete':
      return vscode.l10n.t('complete');
    case 'failed':
      return vscode.l10n.t('failed');
  }
}

export function sourceCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 source') : vscode.l10n.t('{0} sources', number(count));
}

export function passageCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 passage') : vscode.l10n.t('{0} passages', number(count));
}

/** `page 12`, `pages 12–14`; empty where the source has none. */
export function pagesInWords(pages: readonly number[]): string {
  const [first, last] = [pages[0], pages.at(-1)];
  if (first === undefined || last === undefined) return '';
  return first === last ? vscode.l10n.t('page {0}', first) : vscode.l10n.t('pages {0}–{1}', first, last);
}

type Cited = Pick<Citation, 'document_title' | 'section_title' | 'clause_number' | 'page_numbers'>;

/** Where a passage stands: section with its number, clause, pages. */
export function placeInDocument({ section_title, clause_number, page_numbers }: Omit<Cited, 'document_title'>): string {
  return [numberedTitle(section_title, clause_number), pagesInWords(page_numbers)].filter(Boolean).join(', ');
}

/** What a request asks for, on one line. */
export function requestInWords({ urgency, document_type, status }: DocumentRequest): string {
  const state = status === 'open' ? urgencyName(urgency) : vscode.l10n.t('answered');
  return [state, requestedTypeName(document_type)].join(' · ');
}

function number(count: number): string {
  return count.toLocaleString(vscode.env.language);
}

export function workflowName(type: WorkflowType): string {
  switch (type) {
    case 'rcca':
      return vscode.l10n.t('Root cause and corrective action');
    case 'trade_study':
      return vscode.l10n.t('Trade study');
    case 'exploration':
      return vscode.l10n.t('Exploration');
    case 'planning':
      return vscode.l10n.t('Planning');
    case 'gap_analysis':
      return vscode.l10n.t('Gap analysis');
  }
}
