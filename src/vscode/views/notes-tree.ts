import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { Collection, Note, NotesPart, Space } from '../../notes';
import { errorInWords } from '../in-words';
import type { Log } from '../log';
import { folderFaultInWords, type NotesAtWork } from '../notes';
import type { RegistryConnection } from '../notes/registry-connection';
import { wordsOf } from './filter';
import {
  collectionNodes,
  contentsOf,
  isLeft,
  membersOf,
  problemsOf,
  registryNode,
  registryNoteNodes,
  spaceNode,
  wayTo,
} from './note-branches';
import { noteItem, noteTooltip } from './note-items';
import type { MoreNotesNode, NoteHintNode, NotesNode } from './note-nodes';
import { locationName } from './note-words';
import { FIRST_PAGE, shownAfterMore, shownFor } from './paging';
import { Unfolding } from './unfolding';

/** What the view *Notes* shows: space → category → note, its collections, and the registry where there is one. */
export class NotesTree implements vscode.TreeDataProvider<NotesNode>, vscode.Disposable {
  private readonly unfolding = new Unfolding();
  private readonly changed = new vscode.EventEmitter<NotesNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private words: readonly string[] = [];
  private query = '';
  /** By the id of what is above: how many lines are shown, where that is more than the first page. */
  private readonly shown = new Map<string, number>();

  constructor(
    private readonly notes: NotesAtWork,
    private readonly registry: RegistryConnection,
    private readonly log: Log,
  ) {}

  get filter(): string {
    return this.query;
  }

  set filter(query: string) {
    this.query = query.trim();
    this.words = wordsOf(query);
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** Has the editor read the whole tree anew. */
  refresh(): void {
    this.changed.fire(undefined);
  }

  showMore({ parent }: MoreNotesNode): void {
    this.shown.set(parent.id, shownAfterMore(this.shownOf(parent)));
    this.changed.fire(parent);
  }

  async getChildren(node?: NotesNode): Promise<NotesNode[]> {
    try {
      if (!node) return await this.roots();
      await this.unfolding.pause();
      const { notes } = await this.notes.start();
      return this.page(node, this.below(node, notes));
    } catch (error) {
      this.log.error(describeError(error));
      return [errorHint(error, node)];
    }
  }

  getTreeItem(node: NotesNode): vscode.TreeItem {
    return noteItem(node, this.words);
  }

  resolveTreeItem(item: vscode.TreeItem, node: NotesNode): vscode.TreeItem {
    item.tooltip = noteTooltip(node);
    return item;
  }

  getParent(node: NotesNode): NotesNode | undefined {
    return node.parent;
  }

  /** The line of a note, with a page long enough to have it; undefined where a filter or a space leaves it out. */
  async locate(note: Note): Promise<NotesNode | undefined> {
    if (this.words.length > 0) return undefined;
    const { notes } = await this.notes.start();
    const status = notes.spaces().find(({ space }) => space === note.space);
    if (!status) return undefined;
    const way = wayTo(note, status);
    const [parent, line] = way.slice(-2);
    if (!parent || !line) return undefined;
    const at = this.below(parent, notes).findIndex(({ id }) => id === line.id);
    if (at < 0) return undefined;
    if (at >= this.shownOf(parent)) {
      this.shown.set(parent.id, shownFor(at));
      this.changed.fire(parent);
    }
    return line;
  }

  private async roots(): Promise<NotesNode[]> {
    const { faults, outside } = this.notes.configured;
    const hints: NotesNode[] = faults.map(({ space, fault }) => faultHint(space, folderFaultInWords(fault)));
    if (outside !== undefined) hints.push(outsideHint(outside));
    if (!vscode.workspace.isTrusted) return hints;
    const { notes } = await this.notes.start();
    await this.registry.options();
    const { server } = this.registry;
    const statuses = notes.spaces();
    const isEmpty = statuses.every((each) => each.state !== 'indexing' && each.notes === 0 && each.problems === 0);
    // An empty list lets the view's welcome text speak.
    if (isEmpty && notes.collections().length === 0 && server === undefined) return hints;
    const isFiltered = this.words.length > 0;
    const spaces = statuses.map((status) =>
      spaceNode(status, isFiltered ? this.left(notes, status.space).length : undefined),
    );
    return [...hints, ...spaces, ...(server === undefined ? [] : [registryNode(server)])];
  }

  private below(node: NotesNode, notes: NotesPart): NotesNode[] {
    switch (node.kind) {
      case 'noteSpace': {
        const { space } = node.status;
        if (node.filtered) return contentsOf(node, this.left(notes, space));
        const collections = notes.collections(space).length;
        return contentsOf(node, notes.notes(space), { problems: notes.problems(), collections });
      }
      case 'noteCategory':
        return contentsOf(node, node.filtered ? this.left(notes, node.space) : notes.notes(node.space));
      case 'note':
        return problemsOf(node);
      case 'noteCollections':
        return collectionNodes(node, notes.collections(node.space));
      case 'noteCollection':
        return membersOf(node, (zettelId) => memberOf(notes, node.collection, zettelId));
      case 'noteRegistry':
        return [searchHint(node), ...registryNoteNodes(node, this.notes.lookedAt)];
      default:
        return [];
    }
  }

  private left(notes: NotesPart, space: Space): readonly Note[] {
    return notes.notes(space).filter((note) => isLeft(this.words, note));
  }

  private page(parent: NotesNode, nodes: NotesNode[]): NotesNode[] {
    const limit = this.shownOf(parent);
    const hidden = nodes.length - limit;
    if (hidden <= 0) return nodes;
    const more: MoreNotesNode = { kind: 'moreNotes', id: `more/${parent.id}/${limit}`, parent, hidden };
    return [...nodes.slice(0, limit), more];
  }

  private shownOf({ id }: NotesNode): number {
    return this.shown.get(id) ?? FIRST_PAGE;
  }
}

/** What a collection's link leads to: it is resolved as any other link of its file. */
function memberOf(notes: NotesPart, { location, file }: Collection, target: string): Note | undefined {
  if (location === 'registry') return undefined;
  const found = notes.resolveLink({ space: location, file: file ?? '' }, { target });
  return found.kind === 'note' ? found.note : undefined;
}

function searchHint(parent: NotesNode): NoteHintNode {
  return {
    kind: 'hint',
    id: 'registry/search',
    parent,
    text: vscode.l10n.t('Search the registry…'),
    tooltip: vscode.l10n.t('What you open from there is listed here.'),
    icon: 'search',
    command: { command: 'kaizen.searchRegistry', title: vscode.l10n.t('Search Registry') },
  };
}

function faultHint(space: Space, text: string): NoteHintNode {
  return {
    kind: 'hint',
    id: `fault/${space}`,
    text: vscode.l10n.t('{0}: {1}', locationName(space), text),
    tooltip: vscode.l10n.t('The notes of this space are not used. Click to change the setting.'),
    icon: 'warning',
    command: {
      command: 'workbench.action.openSettings',
      title: vscode.l10n.t('Open Settings'),
      arguments: ['kaizen.notes'],
    },
  };
}

function outsideHint(root: string): NoteHintNode {
  return {
    kind: 'hint',
    id: 'outside',
    text: vscode.l10n.t('Project: not used, it lies outside of the workspace'),
    tooltip: vscode.l10n.t('This workspace would have its notes in {0}. Click to decide whether it may.', root),
    icon: 'shield',
    command: { command: 'kaizen.allowNotesFolder', title: vscode.l10n.t('Decide…') },
  };
}

function errorHint(error: unknown, parent: NotesNode | undefined): NoteHintNode {
  const text = errorInWords(error);
  return { kind: 'hint', id: `error/${parent?.id ?? ''}`, parent, text, tooltip: text, icon: 'error' };
}
