import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { LibraryAtWork } from '../library';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { LibraryDrag } from './library-drag';
import { firstWords } from './library-first-steps';
import { LIBRARY_GROUPINGS, type LibraryGrouping, type LibraryNode, type MoreLibraryNode } from './library-nodes';
import { LibraryTree } from './library-tree';
import { underKeyboard } from './under-keyboard';

const VIEW = 'kaizen.library';
const GROUPING = 'kaizen.library.grouping';
const BY_AUTHORITY = 'kaizen.libraryByAuthority';

/** The view *Library*: its tree, how that is grouped, and on its badge how many documents are asked for. */
export class LibraryView implements vscode.Disposable {
  readonly tree: LibraryTree;
  private readonly view: vscode.TreeView<LibraryNode>;
  private readonly disposables: vscode.Disposable[];

  constructor(
    knowledge: WorkspaceKnowledge,
    private readonly library: LibraryAtWork,
    private readonly log: Log,
    private readonly state: vscode.Memento,
  ) {
    this.tree = new LibraryTree(knowledge, library, log);
    this.tree.grouping = LIBRARY_GROUPINGS.find((each) => each === state.get(GROUPING)) ?? 'type';
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: new LibraryDrag(),
    });
    this.disposables = [
      this.tree,
      this.view,
      this.tree.onDidReadEmpty((isEmpty) => {
        this.view.message = isEmpty ? firstWords() : undefined;
      }),
      library.onDidChange(() => {
        this.tree.refresh();
        this.countSoon();
      }),
    ];
    this.tell();
    this.countSoon();
  }

  async setGrouping(grouping: LibraryGrouping): Promise<void> {
    this.tree.grouping = grouping;
    this.tree.refresh();
    this.tell();
    await this.state.update(GROUPING, grouping);
  }

  showMore(node: MoreLibraryNode): void {
    this.tree.showMore(node);
  }

  /** What a key acts on. */
  underKeyboard(): Promise<readonly LibraryNode[]> {
    return underKeyboard(this.view);
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private tell(): void {
    void vscode.commands.executeCommand('setContext', BY_AUTHORITY, this.tree.grouping === 'authority');
  }

  private countSoon(): void {
    this.count().catch((error) => this.log.debug(describeError(error)));
  }

  /** Nothing is opened to count. */
  private async count(): Promise<void> {
    const open = await this.library.askedFor();
    if (open === (this.view.badge?.value ?? 0)) return;
    const tooltip =
      open === 1
        ? vscode.l10n.t('1 document is asked for')
        : vscode.l10n.t('{0} documents are asked for', open.toLocaleString(vscode.env.language));
    this.view.badge = open === 0 ? undefined : { value: open, tooltip };
  }
}
