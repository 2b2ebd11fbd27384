import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { KaizenParts } from '../../kaizen';
import type { EntryKey, ScopeListing } from '../../knowledge';
import type { Log } from '../log';
import { rulesFound } from '../rules-found';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import {
  categoryNode,
  effectiveCategoryNode,
  effectiveEntryNode,
  entryNode,
  overriddenNode,
  scopeNode,
  tierNodes,
} from './branches';
import { wordsOf } from './filter';
import { type Filtered, filteredKnowledge } from './filtered-knowledge';
import { agentsHint, defineProjectHint, errorHint, firstEntryHint, importHint, noProjectHint } from './hints';
import { itemOf, tooltipOf } from './knowledge-items';
import type { CategoryNode, EntryNode, KnowledgeNode, MoreNode, ScopeNode } from './nodes';
import { FIRST_PAGE, shownAfterMore, shownFor } from './paging';
import { pendingNode } from './proposals';
import { touchedBy } from './topics';
import { Unfolding } from './unfolding';

/** By scope, or what holds for the current project. */
export type KnowledgeMode = 'scopes' | 'effective';

/** What the view says about the tree beside it. */
export interface TreeSummary {
  empty: boolean;
  filtered?: Filtered | undefined;
}

/** So many entries are unfolded to show one; beyond them its category is shown. */
const REVEALED = 2_000;

/**
 * What the view *Knowledge* shows, read as it is unfolded and a page at a time: waiting proposals, then tier → scope →
 * category → entry, or category → entry → what it overrides.
 */
export class KnowledgeTree implements vscode.TreeDataProvider<KnowledgeNode>, vscode.Disposable {
  private readonly unfolding = new Unfolding();
  private readonly changed = new vscode.EventEmitter<KnowledgeNode[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly summarised = new vscode.EventEmitter<TreeSummary>();
  /** Fires when the top of the tree was read. */
  readonly onDidSummarise = this.summarised.event;

  mode: KnowledgeMode = 'scopes';
  /** Offers to set up agents, below all else. */
  offersAgents = false;
  private words: readonly string[] = [];
  private query = '';
  /** By the id of a category: how many of its entries are shown, where that is more than the first page. */
  private readonly shown = new Map<string, number>();
  /** The scopes in the tree, as they were handed to the editor: it knows them by identity. */
  private readonly scopeNodes = new Map<string, ScopeNode>();

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
  ) {}

  dispose(): void {
    this.changed.dispose();
    this.summarised.dispose();
  }

  get filter(): string {
    return this.query;
  }

  /** Shows what holds every word; everything with an empty query. */
  set filter(query: string) {
    this.query = query.trim();
    this.words = wordsOf(query);
  }

  /** Has the editor read the whole tree anew. */
  refresh(): void {
    this.changed.fire(undefined);
  }

  /** Has the editor read anew what a change with these topics may have changed, and nothing else. */
  async follow(topics: ReadonlySet<string>): Promise<void> {
    const { scopes, entriesOf, proposals } = touchedBy(topics);
    if (scopes || proposals) return this.refresh();
    if (entriesOf.size === 0) return;
    const known = [...entriesOf].filter((id) => this.scopeNodes.has(id));
    if (this.mode === 'effective' || this.query !== '' || known.length < entriesOf.size) return this.refresh();
    const { knowledge } = await this.knowledge.parts();
    const listings = new Map(knowledge.listScopes().map((scope) => [scope.scope_id, scope]));
    const nodes = known.flatMap((id) => {
      const node = this.scopeNodes.get(id);
      const scope = listings.get(id);
      if (!node || !scope) return [];
      node.scope = scope;
      node.risks = risksBy('scope_id', knowledge.riskCounts(id)).get(id);
      return [node];
    });
    this.changed.fire(nodes);
  }

  /** Shows the next page of a category.
   * @returns its first line */
  async showMore({ category }: MoreNode): Promise<KnowledgeNode | undefined> {
    const before = this.shownOf(category);
    this.shown.set(category.id, shownAfterMore(before));
    this.changed.fire([category]);
    return this.below(category, await this.knowledge.parts())[before];
  }

  async getChildren(node?: KnowledgeNode): Promise<KnowledgeNode[]> {
    try {
      if (!node) return await this.roots();
      await this.unfolding.pause();
      const children = node.children ?? this.below(node, await this.knowledge.parts());
      return node.kind === 'scope' ? [...children, ...(await this.firstImport(node))] : children;
    } catch (error) {
      this.log.error(describeError(error));
      return [errorHint(error, node)];
    }
  }

  getTreeItem(node: KnowledgeNode): vscode.TreeItem {
    return itemOf(node, this.words);
  }

  resolveTreeItem(item: vscode.TreeItem, node: KnowledgeNode): vscode.TreeItem {
    item.tooltip = tooltipOf(node);
    return item;
  }

  getParent(node: KnowledgeNode): KnowledgeNode | undefined {
    return node.parent;
  }

  /** The line of an entry, or of its category where the entry is far down; undefined when the tree does not show it. */
  async locate(key: EntryKey): Promise<EntryNode | CategoryNode | undefined> {
    if (this.query !== '') return undefined;
    const { knowledge } = await this.knowledge.parts();
    const entry = knowledge.entry(key);
    if (!entry) return undefined;
    if (this.mode === 'effective') {
      const { project } = this.knowledge;
      const found = project && knowledge.effectiveCategories(project).find(({ category }) => category === key.category);
      if (!found) return undefined;
      const nodes = this.below(effectiveCategoryNode(found, project), { knowledge });
      return nodes.find((node) => node.kind === 'entry' && node.entry.keyword === key.keyword) as EntryNode | undefined;
    }
    const scope = knowledge.listScopes().find(({ scope_id }) => scope_id === key.scope_id);
    const own = knowledge.ownCategories(key.scope_id).find(({ category }) => category === key.category);
    const [tier] = scope ? tierNodes([scope]) : [];
    if (!scope || !own || !tier) return undefined;
    const category = categoryNode(own, scopeNode(scope, tier));
    if (own.entries > this.shownOf(category)) {
      // Inherited keywords are among them: it stands at this place or before it.
      const index = knowledge.getKeywords(key.scope_id, [key.category])[key.category]?.indexOf(key.keyword) ?? -1;
      if (index < 0 || index > REVEALED) return category;
      this.shown.set(category.id, Math.max(this.shownOf(category), shownFor(index)));
    }
    return entryNode(entry, category, scope.tier);
  }

  private async roots(): Promise<KnowledgeNode[]> {
    // An empty list, without a message, lets the view's welcome text speak, which offers to trust the workspace.
    if (!vscode.workspace.isTrusted && !this.knowledge.exists) return this.summarise([]);
    const parts = await this.knowledge.parts();
    const scopes = parts.knowledge.listScopes();
    const pending = pendingNode(parts);
    // Where nothing was stored yet, the welcome text teaches more than one empty scope.
    const untouched = scopes.every(({ tier, entry_count }) => tier === 'GENERAL' && entry_count === 0);
    if (untouched && !pending) {
      const found = await rulesFound();
      void vscode.commands.executeCommand('setContext', 'kaizen.rulesFound', found.length > 0);
      return this.summarise([]);
    }
    if (this.query !== '') {
      const filtered = await filteredKnowledge(parts.knowledge, this.query, this.effectiveProject(scopes));
      // The next key may have been typed meanwhile: the editor asks again, and drops this answer.
      return filtered.query === this.query ? this.summarise(filtered.nodes, filtered) : filtered.nodes;
    }
    const top = pending ? [pending] : [];
    return this.summarise([...top, ...(await this.unfiltered(parts, scopes))]);
  }

  private async unfiltered(
    { knowledge }: Pick<KaizenParts, 'knowledge'>,
    scopes: ScopeListing[],
  ): Promise<KnowledgeNode[]> {
    const { project } = this.knowledge;
    const undefinedProject =
      project && vscode.workspace.isTrusted && !scopes.some(({ scope_id }) => scope_id === project);
    const define = undefinedProject ? [defineProjectHint(project)] : [];
    const offer = this.offersAgents && !undefinedProject ? [agentsHint()] : [];
    if (this.mode === 'scopes') return [...define, ...tierNodes(scopes), ...offer];
    const shown = this.effectiveProject(scopes);
    if (!shown) return [...define, noProjectHint()];
    const risky = await knowledge.gatherRisks(shown);
    const risks = risksBy(
      'category',
      risky.map(({ category, risks }) => ({ category, risks: risks.length })),
    );
    return knowledge
      .effectiveCategories(shown)
      .map((each) => effectiveCategoryNode({ ...each, risks: risks.get(each.category) }, shown));
  }

  private below(node: KnowledgeNode, { knowledge }: Pick<KaizenParts, 'knowledge'>): KnowledgeNode[] {
    switch (node.kind) {
      case 'tier': {
        const risks = risksBy('scope_id', knowledge.riskCounts());
        return knowledge
          .listScopes()
          .filter(({ tier }) => tier === node.tier)
          .map((scope) => {
            const child = scopeNode(scope, node, '', risks.get(scope.scope_id));
            this.scopeNodes.set(scope.scope_id, child);
            return child;
          });
      }
      case 'scope':
        if (node.scope.entry_count === 0 && vscode.workspace.isTrusted) return [firstEntryHint(node)];
        return this.ownCategories(node, knowledge);
      case 'category':
        return this.page(node, knowledge);
      case 'entry':
        return (node.overrides ?? []).flatMap((place) => {
          const entry = knowledge.entry(place);
          return entry ? [overriddenNode(entry, place.tier, node)] : [];
        });
      default:
        return [];
    }
  }

  /** Where the project has no entries yet, and other tools keep something in its folders. */
  private async firstImport(node: ScopeNode): Promise<KnowledgeNode[]> {
    const { entry_count, scope_id } = node.scope;
    if (entry_count > 0 || scope_id !== this.knowledge.project) return [];
    return (await rulesFound()).map((rules) => importHint(node, rules));
  }

  private ownCategories(node: ScopeNode, knowledge: KaizenParts['knowledge']): CategoryNode[] {
    const { scope_id } = node.scope;
    const risks = risksBy('category', knowledge.riskCounts(scope_id));
    return knowledge
      .ownCategories(scope_id)
      .map((own) => categoryNode({ ...own, risks: risks.get(own.category) }, node));
  }

  /** The entries of a category that are shown, and the line that shows more. */
  private page(node: CategoryNode, knowledge: KaizenParts['knowledge']): KnowledgeNode[] {
    const limit = this.shownOf(node);
    const page = { offset: 0, limit };
    const entries: KnowledgeNode[] = node.effective
      ? knowledge.effectiveEntries(node.scope_id, node.category, page).map((entry) => effectiveEntryNode(entry, node))
      : this.ownPage(node, knowledge, page);
    const hidden = node.entries - entries.length;
    if (hidden > 0 && entries.length === limit) {
      entries.push({ kind: 'more', id: `more/${node.id}/${limit}`, parent: node, category: node, hidden });
    }
    return entries;
  }

  private ownPage(node: CategoryNode, knowledge: KaizenParts['knowledge'], page: { offset: number; limit: number }) {
    const { tier } = knowledge.scope(node.scope_id);
    return knowledge.ownEntries(node.scope_id, node.category, page).map((entry) => entryNode(entry, node, tier));
  }

  private shownOf(node: CategoryNode): number {
    return this.shown.get(node.id) ?? FIRST_PAGE;
  }

  /** The project whose effective knowledge is shown; none by scope, or where the project is not defined. */
  private effectiveProject(scopes: readonly ScopeListing[]): string | undefined {
    if (this.mode !== 'effective') return undefined;
    return scopes.find(({ scope_id }) => scope_id === this.knowledge.project)?.scope_id;
  }

  private summarise(nodes: KnowledgeNode[], filtered?: Filtered): KnowledgeNode[] {
    this.summarised.fire({ empty: nodes.length === 0, filtered });
    return nodes;
  }
}

function risksBy<K extends string>(key: K, counts: readonly ({ risks: number } & Record<K, string>)[]) {
  const sums = new Map<string, number>();
  for (const count of counts) sums.set(count[key], (sums.get(count[key]) ?? 0) + count.risks);
  return sums;
}
