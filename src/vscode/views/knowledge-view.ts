import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { EntryKey } from '../../knowledge';
import type { AgentsAtWork } from '../agents';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { EntryDecorations } from './entry-decorations';
import { askFilter } from './filter-box';
import { follow } from './follow';
import { KnowledgeDrag } from './knowledge-drag';
import { type KnowledgeMode, KnowledgeTree, type TreeSummary } from './knowledge-tree';
import type { KnowledgeNode, MoreNode } from './nodes';
import { touchedBy } from './topics';
import { underKeyboard } from './under-keyboard';

const MODE = 'kaizen.knowledge.mode';
const FILTER = 'kaizen.knowledge.filter';

/** The view *Knowledge*: its tree, its mode and filter, which are kept for the workspace, and what stands around it. */
export class KnowledgeView implements vscode.Disposable {
  readonly tree: KnowledgeTree;
  private readonly view: vscode.TreeView<KnowledgeNode>;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
    private readonly state: vscode.Memento,
    agents: AgentsAtWork,
  ) {
    this.tree = new KnowledgeTree(knowledge, log);
    this.tree.mode = state.get<unknown>(MODE) === 'effective' ? 'effective' : 'scopes';
    this.tree.filter = String(state.get<unknown>(FILTER) ?? '');
    this.view = vscode.window.createTreeView('kaizen.knowledge', {
      treeDataProvider: this.tree,
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: new KnowledgeDrag(),
    });
    const decorations = new EntryDecorations(knowledge);
    this.disposables = [
      this.tree,
      this.view,
      decorations,
      agents.onDidChangeOffer((isOffered) => {
        this.tree.offersAgents = isOffered;
        this.tree.refresh();
      }),
      this.tree.onDidSummarise((summary) => this.tell(summary)),
      // What other tools keep is looked for in each folder; those of a workspace's file may come after the window.
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.tree.refresh()),
      follow(knowledge.onDidChange, (topics) => {
        this.tree.follow(topics).catch((error) => log.error(describeError(error)));
        const { scopes, entriesOf, proposals } = touchedBy(topics);
        if (scopes || entriesOf.size > 0) decorations.refresh();
        if (proposals) void this.countProposals();
      }),
    ];
    this.setContext();
  }

  /** What a key acts on. */
  underKeyboard(): Promise<readonly KnowledgeNode[]> {
    return underKeyboard(this.view);
  }

  /** Shows the view, too: it may be closed when the palette asks. */
  async setMode(mode: KnowledgeMode): Promise<void> {
    this.tree.mode = mode;
    await this.state.update(MODE, mode);
    this.setContext();
    this.tree.refresh();
    await vscode.commands.executeCommand('kaizen.knowledge.focus');
  }

  /** Lets the person type a filter, and shows what it leaves with each key. */
  async askFilter(): Promise<void> {
    await vscode.commands.executeCommand('kaizen.knowledge.focus');
    const query = await askFilter({
      title: vscode.l10n.t('Filter Knowledge'),
      placeholder: vscode.l10n.t('Words in keyword, category, content or metaknowledge'),
      value: this.tree.filter,
      preview: (typed) => this.show(typed),
    });
    await this.setFilter(query);
  }

  async setFilter(query: string): Promise<void> {
    this.show(query);
    await this.state.update(FILTER, this.tree.filter || undefined);
    this.setContext();
  }

  /** Shows the next page of a category, and goes on where the last one ended. */
  async showMore(node: MoreNode): Promise<void> {
    const first = await this.tree.showMore(node);
    if (first && this.view.visible) await this.view.reveal(first, { focus: true, select: true });
  }

  /** Shows an entry in the tree, if the view is open. Never throws: it is a courtesy. */
  async reveal(key: EntryKey): Promise<void> {
    if (!this.view.visible) return;
    try {
      const node = await this.tree.locate(key);
      if (node) await this.view.reveal(node, { select: true });
    } catch (error) {
      this.log.debug(describeError(error));
    }
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private show(query: string): void {
    if (query.trim() === this.tree.filter) return;
    this.tree.filter = query;
    this.tree.refresh();
  }

  /** Shows how many changes wait on the view's icon, also while the view is closed. */
  private async countProposals(): Promise<void> {
    // What there is to count is stored: nothing is made just to count it.
    if (!this.knowledge.exists) return;
    try {
      const { review } = await this.knowledge.parts();
      const { length } = review.proposals();
      this.view.badge = length > 0 ? { value: length, tooltip: waiting(length) } : undefined;
    } catch (error) {
      this.log.error(describeError(error));
    }
  }

  private tell({ empty, filtered }: TreeSummary): void {
    this.view.description = this.tree.mode === 'effective' ? vscode.l10n.t('effective') : undefined;
    if (filtered) {
      const { query, found, total, limited } = filtered;
      const numbers = [query, found.toLocaleString(vscode.env.language), total.toLocaleString(vscode.env.language)];
      this.view.message = limited
        ? vscode.l10n.t('Filtered by “{0}”: the first {1} of {2}', ...numbers)
        : vscode.l10n.t('Filtered by “{0}”: {1} of {2}', ...numbers);
      return;
    }
    // With a message, an empty view would keep its welcome text to itself.
    const restricted = !vscode.workspace.isTrusted && !empty;
    this.view.message = restricted
      ? vscode.l10n.t('Restricted Mode: nothing is written, and agents get no tools.')
      : undefined;
  }

  private setContext(): void {
    void vscode.commands.executeCommand('setContext', 'kaizen.effective', this.tree.mode === 'effective');
    void vscode.commands.executeCommand('setContext', 'kaizen.knowledgeFiltered', this.tree.filter !== '');
  }
}

function waiting(proposals: number): string {
  return proposals === 1 ? vscode.l10n.t('1 proposed change') : vscode.l10n.t('{0} proposed changes', proposals);
}
