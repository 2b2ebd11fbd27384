import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import { errorInWords } from '../in-words';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { wordsOf } from './filter';
import { askFilter } from './filter-box';
import { follow } from './follow';
import { sessionItem, sessionTooltip } from './session-items';
import { type Counted, childrenOf, readWork, type SessionNode, sectionsOf } from './session-nodes';
import { touchedBy } from './topics';
import { Unfolding } from './unfolding';

const FILTER = 'kaizen.sessions.filter';

/** The view *Sessions & Progress*: what is known about the current project's work. */
export class SessionsView implements vscode.TreeDataProvider<SessionNode>, vscode.Disposable {
  private readonly unfolding = new Unfolding();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<SessionNode>;
  private readonly disposables: vscode.Disposable[];
  private query: string;

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
    private readonly state: vscode.Memento,
  ) {
    this.query = String(state.get<unknown>(FILTER) ?? '');
    this.view = vscode.window.createTreeView('kaizen.sessions', { treeDataProvider: this, showCollapseAll: true });
    this.disposables = [
      this.changed,
      this.view,
      follow(knowledge.onDidChange, (topics) => {
        const { scopes, continuityOf } = touchedBy(topics);
        if (scopes || continuityOf.has(knowledge.project ?? '')) this.changed.fire();
      }),
    ];
    this.setContext();
  }

  async getChildren(node?: SessionNode): Promise<SessionNode[]> {
    if (node) {
      await this.unfolding.pause();
      return childrenOf(node);
    }
    try {
      return await this.sections();
    } catch (error) {
      this.log.error(describeError(error));
      this.view.message = errorInWords(error);
      return [];
    }
  }

  getTreeItem(node: SessionNode): vscode.TreeItem {
    return sessionItem(node, wordsOf(this.query));
  }

  resolveTreeItem(item: vscode.TreeItem, node: SessionNode): vscode.TreeItem {
    item.tooltip = sessionTooltip(node);
    return item;
  }

  getParent(node: SessionNode): SessionNode | undefined {
    return node.parent;
  }

  /** Lets the person type a filter, and shows what it leaves with each key. */
  async askFilter(): Promise<void> {
    await vscode.commands.executeCommand('kaizen.sessions.focus');
    const query = await askFilter({
      title: vscode.l10n.t('Filter Sessions & Progress'),
      placeholder: vscode.l10n.t('Words in tasks and sessions'),
      value: this.query,
      preview: (typed) => this.show(typed),
    });
    await this.setFilter(query);
  }

  async setFilter(query: string): Promise<void> {
    this.show(query);
    await this.state.update(FILTER, this.query || undefined);
    this.setContext();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async sections(): Promise<SessionNode[]> {
    this.view.message = undefined;
    const { project } = this.knowledge;
    // Without anything to show, the welcome text says what to do.
    if (!project || (!vscode.workspace.isTrusted && !this.knowledge.exists)) return [];
    const parts = await this.knowledge.parts();
    const scope = parts.knowledge.listScopes().find(({ scope_id }) => scope_id === project);
    if (scope?.tier !== 'PROJECT') return [];
    const { nodes, ...counted } = sectionsOf(readWork(parts, project), wordsOf(this.query));
    if (this.query !== '' && counted.total > 0) this.view.message = this.filteredMessage(counted);
    return nodes;
  }

  private filteredMessage({ found, total }: Counted): string {
    return vscode.l10n.t(
      'Filtered by “{0}”: {1} of {2}',
      this.query,
      found.toLocaleString(vscode.env.language),
      total.toLocaleString(vscode.env.language),
    );
  }

  private show(query: string): void {
    if (query.trim() === this.query) return;
    this.query = query.trim();
    this.changed.fire();
  }

  private setContext(): void {
    void vscode.commands.executeCommand('setContext', 'kaizen.sessionsFiltered', this.query !== '');
  }
}
