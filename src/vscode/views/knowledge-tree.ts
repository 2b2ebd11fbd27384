import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import { type ScopeListing, type StoredEntry, TIERS, type Tier } from '../../knowledge';
import { documentUri } from '../documents';
import type { Log } from '../log';
import { withoutPictures } from '../messages';
import { levelsOf, riskIcon } from '../risk-signs';
import type { WorkspaceKnowledge } from '../workspace-knowledge';

export type KnowledgeNode =
  | { kind: 'tier'; tier: Tier; scopes: ScopeListing[] }
  | { kind: 'scope'; scope: ScopeListing }
  | { kind: 'category'; scope_id: string; category: string; entries: number }
  | { kind: 'entry'; entry: StoredEntry }
  | { kind: 'proposal'; project: string }
  | { kind: 'first'; scope: ScopeListing }
  | { kind: 'message'; text: string };

/** The tree tier → scope → category → entry, read as it is unfolded. */
export class KnowledgeTree implements vscode.TreeDataProvider<KnowledgeNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<KnowledgeNode>;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
  ) {
    this.view = vscode.window.createTreeView('kaizen.knowledge', { treeDataProvider: this, showCollapseAll: true });
    this.disposables = [this.changed, this.view, knowledge.onDidChange(() => this.changed.fire())];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  async getChildren(node?: KnowledgeNode): Promise<KnowledgeNode[]> {
    try {
      if (!node) return await this.roots();
      const { knowledge } = await this.knowledge.parts();
      switch (node.kind) {
        case 'tier':
          return node.scopes.map((scope) => ({ kind: 'scope', scope }));
        case 'scope':
          if (node.scope.entry_count === 0 && vscode.workspace.isTrusted) return [{ ...node, kind: 'first' }];
          return knowledge
            .ownCategories(node.scope.scope_id)
            .map((own) => ({ kind: 'category', scope_id: node.scope.scope_id, ...own }));
        case 'category':
          return knowledge.ownEntries(node.scope_id, node.category).map((entry) => ({ kind: 'entry', entry }));
        default:
          return [];
      }
    } catch (error) {
      this.log.error(describeError(error));
      return [{ kind: 'message', text: describeError(error) }];
    }
  }

  getTreeItem(node: KnowledgeNode): vscode.TreeItem {
    const item = describe(node);
    item.contextValue = node.kind;
    // A screen reader would read the tooltip in place of the label otherwise.
    item.accessibilityInformation = { label: [item.label, item.description].filter(Boolean).join(', ') };
    return item;
  }

  private async roots(): Promise<KnowledgeNode[]> {
    const { isTrusted } = vscode.workspace;
    // An empty list, without a message, lets the view's welcome text speak, which offers to trust the workspace.
    if (!isTrusted && !this.knowledge.exists) return [];
    this.view.message = isTrusted ? undefined : 'Restricted Mode: nothing is written, and agents get no tools.';
    const { knowledge } = await this.knowledge.parts();
    const scopes = knowledge.listScopes();
    const tiers = [...TIERS].reverse().map((tier) => ({ tier, scopes: scopes.filter((scope) => scope.tier === tier) }));
    const nodes: KnowledgeNode[] = tiers
      .filter((each) => each.scopes.length > 0)
      .map((each) => ({ kind: 'tier', ...each }));
    const { project } = this.knowledge;
    if (project && isTrusted && !scopes.some(({ scope_id }) => scope_id === project)) {
      nodes.unshift({ kind: 'proposal', project });
    }
    return nodes;
  }
}

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

function describe(node: KnowledgeNode): vscode.TreeItem {
  switch (node.kind) {
    case 'tier': {
      const item = new vscode.TreeItem(node.tier, Expanded);
      item.id = `tier/${node.tier}`;
      item.tooltip = TIER_MEANING[node.tier];
      return item;
    }
    case 'scope': {
      const { scope_id, tier, name, description, entry_count, is_current_project, parents } = node.scope;
      const item = new vscode.TreeItem(name, is_current_project ? Expanded : Collapsed);
      item.id = `scope/${scope_id}`;
      item.iconPath = new vscode.ThemeIcon(is_current_project ? 'home' : TIER_ICON[tier]);
      const id = name === scope_id ? '' : `${scope_id} · `;
      item.description = `${id}${entry_count} ${entry_count === 1 ? 'entry' : 'entries'}`;
      const tooltip = new vscode.MarkdownString();
      tooltip.appendText(description ?? name);
      if (parents.length > 0) tooltip.appendText(`\n\nInherits from ${parents.join(', ')}`);
      item.tooltip = tooltip;
      return item;
    }
    case 'category': {
      const item = new vscode.TreeItem(node.category, Collapsed);
      item.id = `category/${node.scope_id}/${node.category}`;
      item.iconPath = vscode.ThemeIcon.Folder;
      item.description = String(node.entries);
      return item;
    }
    case 'entry': {
      const { keyword, risks, content, author, updated_at, ...key } = node.entry;
      const item = new vscode.TreeItem(keyword, None);
      const uri = documentUri({ ...key, keyword });
      item.id = `entry/${uri.path}`;
      item.iconPath = riskIcon(risks);
      item.description = levelsOf(risks).join(', ');
      const tooltip = new vscode.MarkdownString(withoutPictures(content));
      tooltip.appendMarkdown('\n\n---\n\n').appendText(`${author}, ${updated_at.slice(0, 10)}`);
      item.tooltip = tooltip;
      item.command = { command: 'kaizen.openEntry', title: 'Open Entry', arguments: [node] };
      return item;
    }
    case 'proposal': {
      const item = new vscode.TreeItem(`Define the project "${node.project}"…`, None);
      item.id = 'proposal';
      item.iconPath = new vscode.ThemeIcon('add');
      item.tooltip = 'This folder has no PROJECT scope yet: define one to store what holds for it alone.';
      const definition = { scope_id: node.project, tier: 'PROJECT' };
      item.command = { command: 'kaizen.defineScope', title: 'Define Scope', arguments: [definition] };
      return item;
    }
    case 'first': {
      const item = new vscode.TreeItem('Store the first entry…', None);
      item.id = `first/${node.scope.scope_id}`;
      item.iconPath = new vscode.ThemeIcon('add');
      item.tooltip = `${node.scope.name} has no entries yet.`;
      const scope: KnowledgeNode = { kind: 'scope', scope: node.scope };
      item.command = { command: 'kaizen.storeKnowledge', title: 'Store Knowledge', arguments: [scope] };
      return item;
    }
    case 'message': {
      const item = new vscode.TreeItem(node.text, None);
      item.iconPath = new vscode.ThemeIcon('error');
      item.tooltip = node.text;
      return item;
    }
  }
}

const TIER_MEANING: Record<Tier, string> = {
  PROJECT: 'What holds for one project. It wins over everything else.',
  GROUP: 'What holds for a group of projects. Among groups, the first name wins.',
  PRODUCT: 'What holds for a product.',
  GENERAL: 'What holds everywhere.',
};

const TIER_ICON: Record<Tier, string> = {
  PROJECT: 'repo',
  GROUP: 'organization',
  PRODUCT: 'package',
  GENERAL: 'globe',
};
