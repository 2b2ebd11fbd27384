import * as vscode from 'vscode';
import type { Tier } from '../../knowledge';
import { documentUri } from '../documents';
import { withoutPictures } from '../messages';
import { levelsOf, riskCount, riskIcon } from '../risk-signs';
import { riskCountUri } from './entry-decorations';
import { highlightsIn } from './filter';
import { hintItem, moreItem } from './line-items';
import type { CategoryNode, EntryNode, KnowledgeNode, PendingNode, ScopeNode, TierNode } from './nodes';
import { describeProposal, proposalTooltip } from './proposals';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
/** Longer contents are cut in a tooltip: who wants more opens the entry. */
const SHOWN_CHARACTERS = 2_000;

/** A node as the editor shows it; its tooltip comes later, when somebody asks for it (`resolveTooltip`).
 * @param words what to mark in the labels of entries and categories */
export function itemOf(node: KnowledgeNode, words: readonly string[]): vscode.TreeItem {
  const item = describe(node, words);
  item.id = node.id;
  item.contextValue ??= node.kind;
  item.accessibilityInformation = { label: spoken(item, node) };
  return item;
}

/** What hovering over a line tells; nothing where the line says it all. */
export function tooltipOf(node: KnowledgeNode): string | vscode.MarkdownString | undefined {
  switch (node.kind) {
    case 'tier':
      return tierMeaning(node.tier);
    case 'scope': {
      const { name, description, parents } = node.scope;
      const tooltip = new vscode.MarkdownString();
      tooltip.appendText(description ?? name);
      if (parents.length > 0) tooltip.appendText(`\n\n${vscode.l10n.t('Inherits from {0}', parents.join(', '))}`);
      return tooltip;
    }
    case 'category':
      return node.effective
        ? vscode.l10n.t('What holds for {0} in {1}', node.scope_id, node.category)
        : vscode.l10n.t('{0} in {1}', node.category, node.scope_id);
    case 'entry':
      return entryTooltip(node);
    case 'pending':
      return vscode.l10n.t('What agents want to write. Nothing of it holds until you accept it.');
    case 'proposal':
      return proposalTooltip(node.proposal);
    case 'more':
      return vscode.l10n.t('A filter finds an entry sooner than scrolling.');
    case 'hint':
      return node.tooltip;
  }
}

function describe(node: KnowledgeNode, words: readonly string[]): vscode.TreeItem {
  switch (node.kind) {
    case 'tier':
      return describeTier(node);
    case 'scope':
      return describeScope(node);
    case 'category':
      return describeCategory(node, words);
    case 'entry':
      return describeEntry(node, words);
    case 'pending':
      return describePending(node);
    case 'proposal': {
      const { label, description } = describeProposal(node.proposal);
      const item = new vscode.TreeItem(label, None);
      item.description = description;
      item.iconPath = new vscode.ThemeIcon('git-pull-request');
      item.command = {
        command: 'kaizen.showProposal',
        title: vscode.l10n.t('Show Proposed Change'),
        arguments: [node],
      };
      return item;
    }
    case 'more':
      return moreItem(node);
    case 'hint':
      return hintItem(node);
  }
}

function describeTier({ tier }: TierNode): vscode.TreeItem {
  return new vscode.TreeItem(tier, Expanded);
}

function describeScope(node: ScopeNode): vscode.TreeItem {
  const { scope, found } = node;
  const { scope_id, tier, name, entry_count, is_current_project } = scope;
  const item = new vscode.TreeItem(name, is_current_project || found !== undefined ? Expanded : Collapsed);
  item.iconPath = new vscode.ThemeIcon(is_current_project ? 'home' : TIER_ICON[tier]);
  item.resourceUri = riskCountUri(node.id, node.risks);
  const count = found ?? entry_count;
  const entries =
    count === 1 ? vscode.l10n.t('1 entry') : vscode.l10n.t('{0} entries', count.toLocaleString(vscode.env.language));
  item.description = name === scope_id ? entries : `${scope_id} · ${entries}`;
  return item;
}

function describeCategory(node: CategoryNode, words: readonly string[]): vscode.TreeItem {
  const item = new vscode.TreeItem(marked(node.category, words), node.children ? Expanded : Collapsed);
  // Beside a resource, the icon of a folder would be left to the icon theme, and many have none.
  item.iconPath = new vscode.ThemeIcon('symbol-folder');
  item.resourceUri = riskCountUri(node.id, node.risks);
  item.description = node.entries.toLocaleString(vscode.env.language);
  if (node.effective) item.contextValue = 'effectiveCategory';
  return item;
}

function describeEntry(node: EntryNode, words: readonly string[]): vscode.TreeItem {
  const { entry, tier, overrides, overridden } = node;
  const { keyword, scope_id, category, risks } = entry;
  if (overridden) {
    const item = new vscode.TreeItem(scope_id, None);
    const winner = node.parent?.kind === 'entry' ? node.parent.entry.category : category;
    item.description =
      winner === category
        ? vscode.l10n.t('{0}, overridden', tier)
        : vscode.l10n.t('{0} in {1}, overridden', tier, category);
    item.iconPath = new vscode.ThemeIcon('circle-slash');
    item.contextValue = 'entry.overridden';
    item.command = opening(node);
    return item;
  }
  const item = new vscode.TreeItem(marked(keyword, words), overrides?.length ? Collapsed : None);
  item.iconPath = riskIcon(risks);
  item.resourceUri = documentUri({ scope_id, category, keyword });
  item.description = overrides ? origin(node) : levelsOf(risks).join(', ');
  item.command = opening(node);
  return item;
}

function describePending({ proposals }: PendingNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Pending'), Expanded);
  item.iconPath = new vscode.ThemeIcon('inbox', new vscode.ThemeColor('list.warningForeground'));
  item.description =
    proposals.length === 1
      ? vscode.l10n.t('1 proposed change')
      : vscode.l10n.t('{0} proposed changes', proposals.length.toLocaleString(vscode.env.language));
  return item;
}

/** Where an effective entry comes from, and how many others it overrides. */
function origin({ entry, tier, overrides = [] }: EntryNode): string {
  const place = tier === 'PROJECT' ? tier : vscode.l10n.t('{0} ({1})', entry.scope_id, tier);
  return overrides.length === 0 ? place : vscode.l10n.t('{0}, overrides {1}', place, overrides.length);
}

function opening(node: EntryNode): vscode.Command {
  return { command: 'kaizen.openEntry', title: vscode.l10n.t('Open Entry'), arguments: [node] };
}

function marked(label: string, words: readonly string[]): string | vscode.TreeItemLabel {
  const highlights = highlightsIn(label, words);
  return highlights.length > 0 ? { label, highlights } : label;
}

/** A screen reader would read the tooltip in place of the label otherwise, and knows no colours. */
function spoken(item: vscode.TreeItem, node: KnowledgeNode): string {
  const label = typeof item.label === 'string' ? item.label : item.label?.label;
  const levels = node.kind === 'entry' && node.overrides ? levelsOf(node.entry.risks).join(', ') : undefined;
  const isCounted = node.kind === 'scope' || node.kind === 'category';
  const below = isCounted && node.risks ? riskCount(node.risks) : undefined;
  return [label, levels, item.description, below].filter(Boolean).join(', ');
}

function entryTooltip({ entry, tier, overrides = [], overridden }: EntryNode): vscode.MarkdownString {
  const { scope_id, category, content, metaknowledge, author, updated_at } = entry;
  const cut = content.length > SHOWN_CHARACTERS ? `${content.slice(0, SHOWN_CHARACTERS)}…` : content;
  const tooltip = new vscode.MarkdownString(withoutPictures(cut));
  const line = (text: string) => tooltip.appendMarkdown('\n\n').appendText(text);
  tooltip.appendMarkdown('\n\n---');
  line(`${scope_id} (${tier}) · ${category}`);
  if (metaknowledge.REASON) line(vscode.l10n.t('Reason: {0}', metaknowledge.REASON));
  if (overridden) line(vscode.l10n.t('Overridden: a more specific scope says otherwise.'));
  for (const other of overrides) {
    line(
      other.category === category
        ? vscode.l10n.t('Overrides {0} ({1})', other.scope_id, other.tier)
        : vscode.l10n.t('Overrides {0} ({1}) in {2}', other.scope_id, other.tier, other.category),
    );
  }
  if (author && updated_at) line(vscode.l10n.t('Last changed by {0}, {1}', author, updated_at.slice(0, 10)));
  return tooltip;
}

function tierMeaning(tier: Tier): string {
  switch (tier) {
    case 'PROJECT':
      return vscode.l10n.t('What holds for one project. It wins over everything else.');
    case 'GROUP':
      return vscode.l10n.t('What holds for a group of projects. Among groups, the first name wins.');
    case 'PRODUCT':
      return vscode.l10n.t('What holds for a product.');
    case 'GENERAL':
      return vscode.l10n.t('What holds everywhere.');
  }
}

const TIER_ICON: Record<Tier, string> = {
  PROJECT: 'repo',
  GROUP: 'organization',
  PRODUCT: 'package',
  GENERAL: 'globe',
};
