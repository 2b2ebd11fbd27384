import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { Log } from '../log';
import type { NotesAtWork } from '../notes';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { askFilter } from './filter-box';
import { NoteDrag } from './note-drag';
import type { MoreNotesNode, NotesNode } from './note-nodes';
import { NotesTree } from './notes-tree';
import { underKeyboard } from './under-keyboard';

const VIEW = 'kaizen.notes';
const FILTER = 'kaizen.notes.filter';
/** Nothing takes longer to index; a bar that never ends would say nothing. */
const INDEXING_MS = 600_000;

/** The view *Notes*: its tree, its filter, and the note in front, which is shown in it. */
export class NotesView implements vscode.Disposable {
  readonly tree: NotesTree;
  private readonly view: vscode.TreeView<NotesNode>;
  private readonly disposables: vscode.Disposable[];
  private isProgressShown = false;
  /** The note in front could not be shown yet: it has just been made. */
  private isRevealDue = false;

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly notes: NotesAtWork,
    private readonly log: Log,
    private readonly state: vscode.Memento,
  ) {
    this.tree = new NotesTree(notes, knowledge.registry, log);
    this.tree.filter = state.get<string>(FILTER) ?? '';
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: new NoteDrag(),
    });
    this.disposables = [
      this.tree,
      this.view,
      notes.onDidChange(() => {
        this.tree.refresh();
        this.quietly(this.showProgress());
        if (this.isRevealDue) this.quietly(this.revealInFront());
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ changed, opened }) => {
        if ([...opened, ...changed].some(({ isActive }) => isActive)) this.quietly(this.revealInFront());
      }),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible) this.quietly(this.revealInFront());
      }),
    ];
    this.tell();
  }

  /** Lets the person type a filter, and shows what it leaves with each key. */
  async askFilter(): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    const query = await askFilter({
      title: vscode.l10n.t('Filter Notes'),
      placeholder: vscode.l10n.t('Words in title, id, category, type or tags'),
      value: this.tree.filter,
      preview: (typed) => this.show(typed),
    });
    await this.setFilter(query);
  }

  async setFilter(query: string): Promise<void> {
    this.show(query);
    await this.state.update(FILTER, this.tree.filter || undefined);
  }

  showMore(node: MoreNotesNode): void {
    this.tree.showMore(node);
  }

  /** What a key acts on. */
  underKeyboard(): Promise<readonly NotesNode[]> {
    return underKeyboard(this.view);
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private show(query: string): void {
    if (query.trim() === this.tree.filter) return;
    this.tree.filter = query;
    this.tree.refresh();
    this.tell();
  }

  private tell(): void {
    const { filter } = this.tree;
    // With a message, an empty view would keep its welcome text to itself.
    this.view.message = filter === '' ? undefined : vscode.l10n.t('Filtered by “{0}”', filter);
    void vscode.commands.executeCommand('setContext', 'kaizen.notesFiltered', filter !== '');
  }

  /** Shows the note in front in the tree, if the view is open. */
  private async revealInFront(): Promise<void> {
    const uri = this.notes.inFront;
    if (!this.view.visible || !uri) return;
    const { notes } = await this.notes.start();
    const note = notes.noteAt(uri.fsPath);
    this.isRevealDue = note === undefined;
    // It may be selected where the person has clicked: among the members of a collection.
    if (!note || this.view.selection.some((node) => node.kind === 'note' && node.note.uri === note.uri)) return;
    const line = await this.tree.locate(note);
    if (!line) return;
    // As long as the editor has not read the tree anew, it knows no line of a note that has just been made.
    this.isRevealDue = true;
    await this.view.reveal(line, { select: true });
    this.isRevealDue = false;
  }

  /** The view's own bar moves as long as a space is being indexed. */
  private async showProgress(): Promise<void> {
    if (this.isProgressShown || !this.knowledge.isOpen || !this.view.visible) return;
    const { notes } = await this.knowledge.parts();
    if (this.isProgressShown || !notes.spaces().some(({ state }) => state === 'indexing')) return;
    this.isProgressShown = true;
    try {
      await vscode.window.withProgress({ location: { viewId: VIEW } }, () => notes.ready(INDEXING_MS));
    } finally {
      this.isProgressShown = false;
    }
  }

  /** What is only shown besides is no reason to trouble anybody: the tree says what is wrong. */
  private quietly(work: Promise<void>): void {
    work.catch((error) => this.log.debug(describeError(error)));
  }
}
