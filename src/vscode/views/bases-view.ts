import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { EmbeddingState } from '../../search';
import type { BasesAtWork, FollowedFile } from '../bases';
import { pathInFolder } from '../diagnostics';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import type { BasesNode, MoreNodesNode } from './base-nodes';
import { BasesTree } from './bases-tree';
import { underKeyboard } from './under-keyboard';

const HIDES_FILE = 'kaizen.bases.hidesFile';
/** Nothing takes longer to index; a bar that never ends would say nothing. */
const INDEXING_MS = 600_000;
/** Who walks through files does not wait for each. */
const PAUSE_MS = 300;

/** The view *Knowledge Bases*: its tree, and the file that its top group follows. */
export class BasesView implements vscode.Disposable {
  readonly tree: BasesTree;
  private readonly view: vscode.TreeView<BasesNode>;
  private readonly disposables: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private isProgressShown = false;

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly bases: BasesAtWork,
    private readonly log: Log,
    private readonly state: vscode.Memento,
  ) {
    this.tree = new BasesTree(bases, log);
    this.view = vscode.window.createTreeView('kaizen.bases', {
      treeDataProvider: this.tree,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.disposables = [
      this.tree,
      this.view,
      bases.onDidChange(() => {
        this.tree.refresh();
        this.quietly(this.describe());
        this.quietly(this.showProgress());
      }),
      bases.onDidChangeSearch(() => {
        if (this.view.visible && this.tree.followed) this.tree.refreshAdvice();
        this.quietly(this.describe());
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.followSoon()),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.toString() === this.tree.followed?.uri.toString()) this.followSoon();
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.toString() === this.tree.followed?.uri.toString()) this.followSoon();
      }),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (!visible) return;
        this.follow();
        this.quietly(this.describe());
      }),
    ];
    this.tree.followed = this.fileInFront();
    this.setContext();
  }

  get followsFile(): boolean {
    return !this.state.get<boolean>(HIDES_FILE);
  }

  /** Shows or hides what an agent would get for the file in front; kept for the workspace. */
  async setFollowsFile(follows: boolean): Promise<void> {
    await this.state.update(HIDES_FILE, follows ? undefined : true);
    this.setContext();
    this.tree.followed = this.fileInFront();
    this.tree.refresh();
  }

  showMore(node: MoreNodesNode): void {
    this.tree.showMore(node);
  }

  /** What a key acts on. */
  underKeyboard(): Promise<readonly BasesNode[]> {
    return underKeyboard(this.view);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private followSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.follow(), PAUSE_MS);
  }

  private follow(): void {
    // What nobody sees costs nothing: it is looked up when the view is opened.
    if (!this.view.visible) return;
    const before = this.tree.followed;
    this.tree.followed = this.fileInFront();
    if (before && this.tree.followed) this.tree.refreshAdvice();
    else if (before || this.tree.followed) this.tree.refresh();
  }

  /** The file in the active editor; the one of before while the keyboard is elsewhere, as long as it is open. */
  private fileInFront(): FollowedFile | undefined {
    if (!this.followsFile) return undefined;
    const uri = vscode.window.activeTextEditor?.document.uri;
    const path = uri && pathInFolder(uri);
    if (uri && path !== undefined && uri.scheme === 'file') return { uri, path };
    const before = this.tree.followed;
    const isOpen = vscode.workspace.textDocuments.some((each) => each.uri.toString() === before?.uri.toString());
    return isOpen ? before : undefined;
  }

  /** Says beside the title how far search by meaning has come, where it is wanted. */
  private async describe(): Promise<void> {
    if (!this.knowledge.isOpen || !this.view.visible || !this.bases.isConfigured) {
      this.view.description = undefined;
      return;
    }
    const { discovery } = await this.knowledge.parts();
    this.view.description = embeddingText(discovery.state.embeddings);
  }

  /** What is only shown besides is no reason to trouble anybody: the tree says what is wrong. */
  private quietly(work: Promise<void>): void {
    work.catch((error) => this.log.debug(describeError(error)));
  }

  /** The view's own bar moves as long as a base is being indexed. */
  private async showProgress(): Promise<void> {
    if (this.isProgressShown || !this.knowledge.isOpen || !this.view.visible) return;
    const { bases } = await this.knowledge.parts();
    if (this.isProgressShown || !bases.statuses().some(({ state }) => state === 'indexing')) return;
    this.isProgressShown = true;
    try {
      await vscode.window.withProgress({ location: { viewId: 'kaizen.bases' } }, () => bases.ready(INDEXING_MS));
    } finally {
      this.isProgressShown = false;
    }
  }

  private setContext(): void {
    void vscode.commands.executeCommand('setContext', 'kaizen.basesFollowFile', this.followsFile);
  }
}

/** In few words; undefined where search goes by words alone, as nothing else was asked for. */
function embeddingText(state: EmbeddingState): string | undefined {
  if (state.provider === 'none' || !('done' in state)) return undefined;
  if (state.problem !== undefined) return vscode.l10n.t('by words only: see its state');
  if (state.done >= state.total) return vscode.l10n.t('by words and meaning');
  return vscode.l10n.t(
    'meaning: {0} of {1}',
    state.done.toLocaleString(vscode.env.language),
    state.total.toLocaleString(vscode.env.language),
  );
}
