import * as vscode from 'vscode';
import type { LearningAtWork } from '../learning';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { askFilter } from './filter-box';
import { firstLearningWords } from './learning-first-steps';
import type { LearningNode, MoreLearnedNode } from './learning-nodes';
import { type LearningSummary, LearningTree } from './learning-tree';
import { underKeyboard } from './under-keyboard';

const VIEW = 'kaizen.learning';
const FILTER = 'kaizen.learning.filter';

/** The view *Learning*: its tree, and its filter, which is kept for the workspace. */
export class LearningView implements vscode.Disposable {
  readonly tree: LearningTree;
  private readonly view: vscode.TreeView<LearningNode>;
  private readonly disposables: vscode.Disposable[];

  constructor(
    knowledge: WorkspaceKnowledge,
    learning: LearningAtWork,
    log: Log,
    private readonly state: vscode.Memento,
  ) {
    this.tree = new LearningTree(knowledge, learning, log);
    this.tree.filter = String(state.get<unknown>(FILTER) ?? '');
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.disposables = [
      this.tree,
      this.view,
      this.tree.onDidSummarise((summary) => this.tell(summary)),
      learning.onDidChange(() => this.tree.refresh()),
    ];
    this.setContext();
  }

  /** Lets the person type a filter, and shows what it leaves with each key. */
  async askFilter(): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    const query = await askFilter({
      title: vscode.l10n.t('Filter Learning'),
      placeholder: vscode.l10n.t('Words in what was captured'),
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

  showMore(node: MoreLearnedNode): void {
    this.tree.showMore(node);
  }

  /** What a key acts on. */
  underKeyboard(): Promise<readonly LearningNode[]> {
    return underKeyboard(this.view);
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private show(query: string): void {
    if (query.trim() === this.tree.filter) return;
    this.tree.filter = query;
    this.tree.refresh();
  }

  private tell({ isNew, filtered }: LearningSummary): void {
    if (filtered) {
      const { query, found, total } = filtered;
      const numbers = [found, total].map((count) => count.toLocaleString(vscode.env.language));
      this.view.message = vscode.l10n.t('Filtered by “{0}”: {1} of {2}', query, ...numbers);
      return;
    }
    this.view.message = isNew ? firstLearningWords() : undefined;
  }

  private setContext(): void {
    void vscode.commands.executeCommand('setContext', 'kaizen.learningFiltered', this.tree.filter !== '');
  }
}
