import * as vscode from 'vscode';
import type { BaseStatus, KnowledgeNode } from '../../bases';
import { inWords } from '../in-words';
import { riskIcon } from '../risk-signs';
import type { AdviceNode, BaseNode, BasesNode, FileNode, ForFileNode, HeadingNode, ProblemNode } from './base-nodes';
import { hintItem, moreItem } from './line-items';
import { noteIcon } from './note-words';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** A line of the view *Knowledge Bases*; its tooltip comes later. */
export function baseItem(node: BasesNode): vscode.TreeItem {
  const item = describe(node);
  item.id = node.id;
  item.contextValue ??= node.kind;
  // A screen reader would read the tooltip in place of the label otherwise.
  item.accessibilityInformation = { label: [item.label, item.description].filter(Boolean).join(', ') };
  return item;
}

/** What hovering over a line tells, as plain text: nothing of what files hold is followed or drawn. */
export function baseTooltip(node: BasesNode): string | undefined {
  switch (node.kind) {
    case 'forFile':
      return vscode.l10n.t('What an agent would get for {0}: what names it, then the rest, best first.', node.path);
    case 'advice':
      return adviceTooltip(node);
    case 'base':
      return [node.status.definition.root, ...baseFacts(node.status)].join('\n');
    case 'folder':
      return node.folder;
    case 'file':
      return [node.file, node.root && nodeFacts(node.root)].filter(Boolean).join('\n\n');
    case 'node':
      return [node.node.title, nodeFacts(node.node)].join('\n\n');
    case 'problem':
      return inWords(node.problem.message);
    case 'moreNodes':
      return undefined;
    case 'hint':
      // In a narrow view the line itself is cut off.
      return node.text === node.tooltip ? node.text : [node.text, node.tooltip].join('\n');
  }
}

/** What a score says (seed 002, "Relevance Thresholds"). */
export function relevanceText(exact: number): string {
  // The words go with the number that is shown.
  const score = Math.round(exact * 100) / 100;
  const shown = score.toLocaleString(vscode.env.language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  if (score >= 0.9) return vscode.l10n.t('{0} directly about it', shown);
  if (score >= 0.7) return vscode.l10n.t('{0} important', shown);
  if (score >= 0.5) return vscode.l10n.t('{0} possibly useful', shown);
  return vscode.l10n.t('{0} loosely related', shown);
}

/** Icons tell types apart; what is done or no longer holds has one of its own. Words say the same. */
export function nodeIcon({ type, status }: Pick<KnowledgeNode, 'type' | 'status'>): vscode.ThemeIcon {
  if (status === 'deprecated') return new vscode.ThemeIcon('circle-slash');
  if (status === 'done' || status === 'completed') return new vscode.ThemeIcon('pass');
  return new vscode.ThemeIcon(TYPE_ICON[type] ?? 'markdown');
}

function describe(node: BasesNode): vscode.TreeItem {
  switch (node.kind) {
    case 'forFile':
      return describeForFile(node);
    case 'advice':
      return describeAdvice(node);
    case 'base':
      return describeBase(node);
    case 'folder': {
      const item = new vscode.TreeItem(lastName(node.folder), Collapsed);
      item.iconPath = new vscode.ThemeIcon('folder');
      item.description = fileCount(node.files);
      return item;
    }
    case 'file':
      return describeFile(node);
    case 'node':
      return describeNode(node);
    case 'problem':
      return describeProblem(node);
    case 'moreNodes':
      return moreItem(node);
    case 'hint':
      return hintItem(node);
  }
}

function describeForFile({ path }: ForFileNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('For {0}', lastName(path)), Expanded);
  item.iconPath = new vscode.ThemeIcon('sparkle');
  item.description = vscode.l10n.t('what an agent gets');
  return item;
}

function describeAdvice(node: AdviceNode): vscode.TreeItem {
  const { title, place, score, risks, target, type } = node;
  const item = new vscode.TreeItem(title, None);
  const isEntry = 'entry' in target;
  const isNote = 'note' in target;
  item.iconPath = isEntry
    ? riskIcon(risks.map((level) => ({ level })))
    : isNote
      ? noteIcon(undefined)
      : nodeIcon({ type, status: 'active' });
  const why = score === undefined ? vscode.l10n.t('names this file') : relevanceText(score);
  item.description = [...risks.slice(0, 1), why, place].join(' · ');
  item.contextValue = isEntry ? 'advice.entry' : isNote ? 'advice.note' : 'advice.node';
  item.command = opening(node);
  return item;
}

function describeBase({ status }: BaseNode): vscode.TreeItem {
  const { definition, state } = status;
  const item = new vscode.TreeItem(definition.name, state === 'missing' ? None : Collapsed);
  item.iconPath =
    state === 'ready'
      ? new vscode.ThemeIcon('book')
      : state === 'indexing'
        ? new vscode.ThemeIcon('loading~spin')
        : new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.description = baseFacts(status).join(' · ');
  return item;
}

function describeFile(node: FileNode): vscode.TreeItem {
  const { root, nodes, problems, file } = node;
  const item = new vscode.TreeItem(lastName(file), nodes > 1 || problems > 0 ? Collapsed : None);
  item.iconPath =
    problems > 0
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : root
        ? nodeIcon(root)
        : new vscode.ThemeIcon('markdown');
  item.description = [problemCount(problems), root && typeAndStatus(root), root?.title].filter(Boolean).join(' · ');
  if (root) item.command = opening(node);
  return item;
}

function describeNode(heading: HeadingNode): vscode.TreeItem {
  const { node, hasChildren } = heading;
  const item = new vscode.TreeItem(node.title, hasChildren ? Collapsed : None);
  item.iconPath = nodeIcon(node);
  item.description = typeAndStatus(node);
  item.command = opening(heading);
  return item;
}

function describeProblem(node: ProblemNode): vscode.TreeItem {
  const item = new vscode.TreeItem(inWords(node.problem.message), None);
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  if (node.problem.file !== undefined) item.command = opening(node);
  return item;
}

function opening(node: BasesNode): vscode.Command {
  return { command: 'kaizen.openNode', title: vscode.l10n.t('Open at Heading'), arguments: [node] };
}

/** Only what the file says itself: what is taken for granted would stand on each line. */
function typeAndStatus({ type, status, metadata }: KnowledgeNode): string {
  return [metadata.type ? type : '', metadata.status && status !== 'active' ? status : ''].filter(Boolean).join(' · ');
}

/** That a folder is missing is its one problem. */
function baseFacts(status: BaseStatus): string[] {
  const problems = status.state === 'missing' ? '' : problemCount(status.problems);
  return [statusText(status), problems].filter(Boolean);
}

function statusText({ state, files, nodes }: BaseStatus): string {
  switch (state) {
    case 'missing':
      return vscode.l10n.t('the folder is missing');
    case 'indexing':
      return files === 0 ? vscode.l10n.t('indexing…') : vscode.l10n.t('indexing, {0} so far…', fileCount(files));
    case 'ready':
      return [fileCount(files), nodeCount(nodes)].join(', ');
  }
}

function fileCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count.toLocaleString(vscode.env.language));
}

function nodeCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 node') : vscode.l10n.t('{0} nodes', count.toLocaleString(vscode.env.language));
}

function problemCount(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? vscode.l10n.t('1 problem')
    : vscode.l10n.t('{0} problems', count.toLocaleString(vscode.env.language));
}

function nodeFacts(node: KnowledgeNode): string {
  const { id, type, status, owner, last_checked, estimate, blocked_by, token_count } = node;
  const fact = (name: string, value: string | undefined) => (value ? `${name}: ${value}` : '');
  return [
    fact(vscode.l10n.t('Id'), id),
    fact(vscode.l10n.t('Type'), type),
    fact(vscode.l10n.t('Status'), status),
    fact(vscode.l10n.t('Owner'), owner),
    fact(vscode.l10n.t('Last checked'), last_checked),
    fact(vscode.l10n.t('Estimate'), estimate),
    fact(vscode.l10n.t('Blocked by'), blocked_by.join(', ')),
    fact(vscode.l10n.t('Estimated tokens'), token_count.toLocaleString(vscode.env.language)),
  ]
    .filter(Boolean)
    .join('\n');
}

function adviceTooltip({ title, place, score, risks }: AdviceNode): string {
  const why = score === undefined ? vscode.l10n.t('A rule that names this file.') : relevanceText(score);
  return [title, place, risks.join(', '), why].filter(Boolean).join('\n');
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const TYPE_ICON: Readonly<Record<string, string>> = {
  guideline: 'law',
  protocol: 'list-ordered',
  agent_skill: 'tools',
  log: 'history',
  plan: 'milestone',
  task: 'checklist',
};
