import * as vscode from 'vscode';
import type { DocumentRequest, SourceListing } from '../../library';
import { inWords } from '../in-words';
import type {
  LibraryGroupNode,
  LibraryNode,
  LibraryRequestNode,
  LibrarySectionNode,
  LibrarySourceNode,
} from './library-nodes';
import {
  authorityName,
  documentTypeName,
  formatName,
  freshnessName,
  pagesInWords,
  passageCount,
  requestedTypeName,
  requestInWords,
  sourceCount,
  sourceIcon,
  statusName,
  urgencyName,
} from './library-words';
import { hintItem, moreItem } from './line-items';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** A line of the view *Library*; its tooltip comes later. */
export function libraryItem(node: LibraryNode): vscode.TreeItem {
  const item = describe(node);
  item.id = node.id;
  item.contextValue ??= node.kind;
  // A screen reader would read the tooltip in place of the label otherwise.
  item.accessibilityInformation = { label: [item.label, item.description].filter(Boolean).join(', ') };
  return item;
}

/** What hovering over a line tells, as plain text: nothing of what sources hold is followed or drawn. */
export function libraryTooltip(node: LibraryNode): string | undefined {
  switch (node.kind) {
    case 'libraryRequest':
      return requestFacts(node.request);
    case 'librarySource':
      return sourceFacts(node.source);
    case 'librarySection':
      return [...node.section.path.slice(0, -1), node.section.title].join(' › ');
    case 'hint':
      return node.text === node.tooltip ? node.text : [node.text, node.tooltip].join('\n');
    default:
      return undefined;
  }
}

function describe(node: LibraryNode): vscode.TreeItem {
  switch (node.kind) {
    case 'libraryRequests': {
      const item = new vscode.TreeItem(vscode.l10n.t('Asked for'), Expanded);
      item.iconPath = new vscode.ThemeIcon('inbox');
      item.description = node.requests.length.toLocaleString(vscode.env.language);
      return item;
    }
    case 'libraryRequest':
      return describeRequest(node);
    case 'libraryGroup':
      return describeGroup(node);
    case 'librarySource':
      return describeSource(node);
    case 'librarySection':
      return describeSection(node);
    case 'moreLibrary':
      return moreItem(node);
    case 'hint':
      return hintItem(node);
  }
}

function describeRequest({ request }: LibraryRequestNode): vscode.TreeItem {
  const item = new vscode.TreeItem(request.topic, None);
  const isBlocking = request.urgency === 'blocking';
  item.iconPath = isBlocking
    ? new vscode.ThemeIcon('question', new vscode.ThemeColor('list.warningForeground'))
    : new vscode.ThemeIcon('question');
  item.description = requestInWords(request);
  return item;
}

function describeGroup({ grouping, key, sources }: LibraryGroupNode): vscode.TreeItem {
  const isAuthority = grouping === 'authority';
  const name = isAuthority ? authorityName(key as SourceListing['authority_level']) : documentTypeName(key);
  const item = new vscode.TreeItem(capitalised(name), Expanded);
  item.iconPath = new vscode.ThemeIcon(isAuthority ? 'verified' : 'folder');
  item.description = sourceCount(sources.length);
  return item;
}

function describeSource(node: LibrarySourceNode): vscode.TreeItem {
  const { source } = node;
  const { processing_status: status, chunk_count } = source;
  const item = new vscode.TreeItem(source.title, chunk_count > 0 ? Collapsed : None);
  const isFailed = status === 'failed';
  item.iconPath = isFailed
    ? new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'))
    : status === 'complete'
      ? sourceIcon(source)
      : new vscode.ThemeIcon('loading~spin');
  const facts = [
    // What is not as it should be comes first: the line may be cut.
    status === 'complete' ? '' : isFailed ? failure(source) : statusName(status),
    node.parent?.kind === 'libraryGroup' && node.parent.grouping === 'authority'
      ? documentTypeName(source.document_type)
      : authorityName(source.authority_level),
    // Most files say no date; the tooltip says that.
    source.freshness.level === 'unknown' ? '' : freshnessName(source.freshness.level),
    passageCount(chunk_count),
  ];
  item.description = (isFailed && chunk_count === 0 ? facts.slice(0, 1) : facts).filter(Boolean).join(' · ');
  item.contextValue = `librarySource.${status}.${source.source_path.startsWith('content:') ? 'content' : source.source_type}`;
  item.command = opening(node);
  return item;
}

function describeSection(node: LibrarySectionNode): vscode.TreeItem {
  const { title, sections, pages } = node.section;
  const item = new vscode.TreeItem(title, sections.length > 0 ? Collapsed : None);
  item.iconPath = new vscode.ThemeIcon('bookmark');
  item.description = pagesInWords(pages);
  item.command = opening(node);
  return item;
}

function opening(node: LibraryNode): vscode.Command {
  return { command: 'kaizen.openLibrarySource', title: vscode.l10n.t('Open'), arguments: [node] };
}

function failure({ processing_error }: SourceListing): string {
  return vscode.l10n.t('failed: {0}', processing_error ?? vscode.l10n.t('nobody knows why'));
}

function sourceFacts(source: SourceListing): string {
  const { freshness, overrides, remarks, processing_status: status, pages } = source;
  const date = freshness.date && `${freshnessName(freshness.level)} (${freshness.date})`;
  const facts = [
    ...fact(vscode.l10n.t('Source'), source.source_path.slice(0, MOST_CHARACTERS)),
    ...fact(vscode.l10n.t('Format'), formatName(source.format)),
    ...fact(vscode.l10n.t('Type'), documentTypeName(source.document_type)),
    ...fact(vscode.l10n.t('Standard'), source.standard_id),
    ...fact(vscode.l10n.t('Version'), source.version),
    ...fact(vscode.l10n.t('Authority'), `${authorityName(source.authority_level)} (${source.authority_score})`),
    ...fact(vscode.l10n.t('Published'), source.publication_date),
    ...fact(vscode.l10n.t('Freshness'), date ?? freshnessName(freshness.level)),
    ...fact(vscode.l10n.t('Pages'), pages?.toLocaleString(vscode.env.language)),
    ...fact(vscode.l10n.t('Passages'), source.chunk_count.toLocaleString(vscode.env.language)),
    ...fact(vscode.l10n.t('Language'), source.language),
    ...fact(vscode.l10n.t('Added'), `${timeInWords(source.created_at)}, ${source.added_by}`),
    ...fact(vscode.l10n.t('Read'), timeInWords(source.updated_at)),
    ...fact(vscode.l10n.t('State'), statusName(status)),
    ...fact(vscode.l10n.t('Described by hand'), Object.keys(overrides).join(', ')),
  ];
  const problem = status === 'failed' ? failure(source) : '';
  return [source.title, problem, facts.join('\n'), remarks.map(inWords).join('\n')].filter(Boolean).join('\n\n');
}

const MOST_CHARACTERS = 500;

function requestFacts(request: DocumentRequest): string {
  const facts = [
    ...fact(vscode.l10n.t('Urgency'), urgencyName(request.urgency)),
    ...fact(vscode.l10n.t('Type'), requestedTypeName(request.document_type)),
    ...fact(vscode.l10n.t('For example'), request.example_documents.join(', ')),
    ...fact(vscode.l10n.t('For'), request.workflow_context),
    ...fact(vscode.l10n.t('Without it'), request.workaround_if_unavailable),
    ...fact(vscode.l10n.t('Asked by'), `${request.requested_by}, ${timeInWords(request.created_at)}`),
  ];
  return [request.topic, request.rationale, facts.join('\n')].filter(Boolean).join('\n\n');
}

function timeInWords(iso: string): string {
  return new Date(iso).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

function fact(name: string, value: string | undefined): string[] {
  return value ? [`${name}: ${value}`] : [];
}

function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase(vscode.env.language) + text.slice(1);
}
