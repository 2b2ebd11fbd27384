import * as vscode from 'vscode';
import type { FoundRecord } from '../../learning';
import { cut } from '../messages';
import { highlightsIn } from './filter';
import { isBuiltIn, titleOf } from './learning-branches';
import type { LearnedGroupNode, LearnedKindNode, LearnedNode, LearningNode } from './learning-nodes';
import {
  learnedIcon,
  learnedKindName,
  learnedKindsName,
  patternDomainName,
  patternTypeName,
  projectStatusName,
  scoreInWords,
  severityName,
  visibilityName,
} from './learning-words';
import { hintItem, moreItem } from './line-items';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
/** Longer texts are cut in a tooltip: who wants more opens the record. */
const SHOWN_CHARACTERS = 1_000;

/** A line of the view *Learning*; its tooltip comes later.
 * @param words what to mark in the labels of records */
export function learningItem(node: LearningNode, words: readonly string[]): vscode.TreeItem {
  const item = describe(node, words);
  item.id = node.id;
  item.contextValue ??= node.kind;
  const label = typeof item.label === 'string' ? item.label : item.label?.label;
  // A screen reader would read the tooltip in place of the label otherwise.
  item.accessibilityInformation = { label: [label, item.description].filter(Boolean).join(', ') };
  return item;
}

/** What hovering over a line tells: what was captured is shown as it was written, and nothing of it is followed or drawn. */
export function learningTooltip(node: LearningNode): string | vscode.MarkdownString | undefined {
  switch (node.kind) {
    case 'learned':
      return recordTooltip(node);
    case 'hint':
      return node.tooltip;
    case 'moreLearned':
      return vscode.l10n.t('A filter finds a record sooner than scrolling.');
    default:
      return undefined;
  }
}

function describe(node: LearningNode, words: readonly string[]): vscode.TreeItem {
  switch (node.kind) {
    case 'learnedKind':
      return describeKind(node);
    case 'learnedGroup':
      return describeGroup(node);
    case 'learned':
      return describeRecord(node, words);
    case 'moreLearned':
      return moreItem(node);
    case 'hint':
      return hintItem(node);
  }
}

function describeKind({ of, records, filtered }: LearnedKindNode): vscode.TreeItem {
  // The product's patterns are many, and nobody's own.
  const isFolded = !filtered && (of === 'pattern' || of === 'template');
  const item = new vscode.TreeItem(learnedKindsName(of), isFolded ? Collapsed : Expanded);
  item.iconPath = learnedIcon(of);
  item.description = number(records.length);
  item.contextValue = `learnedKind.${of}`;
  return item;
}

function describeGroup({ group, records, filtered }: LearnedGroupNode): vscode.TreeItem {
  const isStatus = 'status' in group;
  const name = isStatus ? projectStatusName(group.status) : patternDomainName(group.domain);
  const isOpen = filtered || (isStatus && (group.status === 'active' || group.status === 'planning'));
  const item = new vscode.TreeItem(name, isOpen ? Expanded : Collapsed);
  item.iconPath = new vscode.ThemeIcon(isStatus ? STATUS_ICON[group.status] : 'package');
  item.description = isStatus ? number(records.length) : vscode.l10n.t('{0}, of Kaizen', number(records.length));
  return item;
}

const STATUS_ICON = {
  planning: 'circle-large-outline',
  active: 'play-circle',
  completed: 'pass',
  abandoned: 'circle-slash',
} as const;

function describeRecord(node: LearnedNode, words: readonly string[]): vscode.TreeItem {
  const { found, score } = node;
  const title = titleOf(found);
  const highlights = highlightsIn(title, words);
  const item = new vscode.TreeItem(highlights.length > 0 ? { label: title, highlights } : title, None);
  item.iconPath = recordIcon(found);
  item.description = [score ? scoreInWords(score) : '', ...factsOf(found)].filter(Boolean).join(' · ');
  item.contextValue = contextOf(found);
  item.command = { command: 'kaizen.openArtifact', title: vscode.l10n.t('Open'), arguments: [node] };
  return item;
}

/** `learned.project.active`, `learned.pattern.builtIn`, `learned.lesson`. */
function contextOf(found: FoundRecord): string {
  const { kind, record } = found;
  if (kind === 'project') return `learned.project.${record.status}`;
  if (kind === 'pattern') return `learned.pattern.${isBuiltIn(found) ? 'builtIn' : 'own'}`;
  return `learned.${kind}`;
}

function recordIcon({ kind, record }: FoundRecord): vscode.ThemeIcon {
  if (kind === 'project') return new vscode.ThemeIcon(STATUS_ICON[record.status]);
  if (kind !== 'pattern') return learnedIcon(kind);
  if (record.pattern_type === 'best_practice') return new vscode.ThemeIcon('thumbsup');
  if (record.pattern_type === 'design_pattern') return learnedIcon('pattern');
  const isGrave = record.severity === 'high' || record.severity === 'critical';
  return isGrave
    ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
    : new vscode.ThemeIcon('warning');
}

/** What there is to tell on the line, the most telling first: it may be cut. */
function factsOf(found: FoundRecord): (string | undefined)[] {
  const { kind, record } = found;
  switch (kind) {
    case 'project': {
      const { tasks } = record;
      const done = tasks.filter(({ status }) => status === 'completed').length;
      return [
        record.outcome_status === 'partial' ? vscode.l10n.t('partly completed') : '',
        tasks.length > 0 ? vscode.l10n.t('{0} of {1} tasks', number(done), number(tasks.length)) : '',
        record.project_type,
      ];
    }
    case 'template':
      return [record.project_type, record.typical_duration_range];
    case 'lesson':
      return [record.project_type, record.domain];
    case 'decision':
      return [record.decision_date.slice(0, 10), record.domain];
    case 'pattern':
      return [
        patternTypeName(record.pattern_type),
        severityName(record.severity),
        isBuiltIn(found) ? '' : patternDomainName(record.domain),
      ];
  }
}

function recordTooltip({ found, score }: LearnedNode): vscode.MarkdownString {
  const { record } = found;
  const tooltip = new vscode.MarkdownString();
  tooltip.appendMarkdown('**').appendText(titleOf(found).trim()).appendMarkdown('**');
  const say = (text: string | undefined) => {
    if (text?.trim()) tooltip.appendMarkdown('\n\n').appendText(cut(text.trim(), SHOWN_CHARACTERS));
  };
  say(saidBy(found));
  tooltip.appendMarkdown('\n\n---');
  say([learnedKindName(found.kind), ...factsOf(found)].filter(Boolean).join(' · '));
  if (score) say(vscode.l10n.t('Score: {0}', scoreInWords(score)));
  if ('visibility' in record) say(visibilityName(record.visibility));
  if (!isBuiltIn(found)) say(vscode.l10n.t('Last changed by {0}, {1}', record.author, record.updated_at.slice(0, 10)));
  return tooltip;
}

function saidBy({ kind, record }: FoundRecord): string | undefined {
  switch (kind) {
    case 'lesson':
      return [record.lesson, record.recommendation].filter(Boolean).join('\n\n');
    case 'decision':
      return [record.decision, record.rationale].filter(Boolean).join('\n\n');
    case 'project':
      return record.outcome_summary ?? record.description;
    default:
      return record.description;
  }
}

function number(count: number): string {
  return count.toLocaleString(vscode.env.language);
}
