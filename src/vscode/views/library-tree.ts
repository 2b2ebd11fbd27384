import * as vscode from 'vscode';
import { describeError, isKaizenError } from '../../core/errors';
import type { LibraryPart, SourceListing } from '../../library';
import { errorInWords } from '../in-words';
import type { LibraryAtWork } from '../library';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { groupNodes, requestNodes, requestsNode, sourceNodes, subsections, topSections } from './library-branches';
import { firstSteps } from './library-first-steps';
import { libraryItem, libraryTooltip } from './library-items';
import type { LibraryGrouping, LibraryHintNode, LibraryNode, MoreLibraryNode } from './library-nodes';
import { FIRST_PAGE, shownAfterMore } from './paging';
import { Unfolding } from './unfolding';

/** More sources than a person looks through; the search finds the others. */
export const MOST_SOURCES = 10_000;

/** What the view *Library* shows: what was asked for, and sources by type or authority with their sections. */
export class LibraryTree implements vscode.TreeDataProvider<LibraryNode>, vscode.Disposable {
  private readonly unfolding = new Unfolding();
  private readonly changed = new vscode.EventEmitter<LibraryNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  grouping: LibraryGrouping = 'type';
  private readonly saidWhetherEmpty = new vscode.EventEmitter<boolean>();
  /** Fires when the tree was read: whether there is nothing yet, and something could be added. */
  readonly onDidReadEmpty = this.saidWhetherEmpty.event;
  /** By the id of what is above: how many lines are shown, where that is more than the first page. */
  private readonly shown = new Map<string, number>();

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly library: LibraryAtWork,
    private readonly log: Log,
  ) {}

  dispose(): void {
    this.changed.dispose();
    this.saidWhetherEmpty.dispose();
  }

  /** Has the editor read the whole tree anew. */
  refresh(): void {
    this.changed.fire(undefined);
  }

  showMore({ parent }: MoreLibraryNode): void {
    this.shown.set(parent.id, shownAfterMore(this.shownOf(parent)));
    this.changed.fire(parent);
  }

  async getChildren(node?: LibraryNode): Promise<LibraryNode[]> {
    try {
      if (node) await this.unfolding.pause();
      // What is not there cannot be shown, and nothing may be made.
      if (!vscode.workspace.isTrusted && !this.knowledge.exists) return [];
      const part = await this.library.start();
      return node ? this.page(node, await this.below(node, part)) : await this.roots(part);
    } catch (error) {
      if (isKaizenError(error)) this.log.warn(describeError(error));
      else this.log.error(error instanceof Error ? error : String(error));
      return [errorHint(error, node)];
    }
  }

  getTreeItem(node: LibraryNode): vscode.TreeItem {
    return libraryItem(node);
  }

  resolveTreeItem(item: vscode.TreeItem, node: LibraryNode): vscode.TreeItem {
    item.tooltip = libraryTooltip(node);
    return item;
  }

  getParent(node: LibraryNode): LibraryNode | undefined {
    return node.parent;
  }

  private async roots(part: LibraryPart): Promise<LibraryNode[]> {
    const [sources, requests] = [await allSources(part), await part.requests('open')];
    const asked = requests.length > 0 ? [requestsNode(requests)] : [];
    // In Restricted Mode nothing is added: an empty list lets the view's welcome text speak.
    const isNew = sources.length === 0 && vscode.workspace.isTrusted;
    this.saidWhetherEmpty.fire(isNew);
    return [...asked, ...(isNew ? firstSteps() : groupNodes(sources, this.grouping))];
  }

  private async below(node: LibraryNode, part: LibraryPart): Promise<LibraryNode[]> {
    switch (node.kind) {
      case 'libraryRequests':
        return requestNodes(node);
      case 'libraryGroup':
        return sourceNodes(node);
      case 'librarySource':
        return topSections(node, await part.chunks(node.source.document_id));
      case 'librarySection':
        return subsections(node);
      default:
        return [];
    }
  }

  private page(parent: LibraryNode, nodes: LibraryNode[]): LibraryNode[] {
    const limit = this.shownOf(parent);
    const hidden = nodes.length - limit;
    if (hidden <= 0) return nodes;
    const more: MoreLibraryNode = { kind: 'moreLibrary', id: `more/${parent.id}/${limit}`, parent, hidden };
    return [...nodes.slice(0, limit), more];
  }

  private shownOf({ id }: LibraryNode): number {
    return this.shown.get(id) ?? FIRST_PAGE;
  }
}

export function allSources(part: LibraryPart): Promise<SourceListing[]> {
  return part.sources({ limit: MOST_SOURCES });
}

function errorHint(error: unknown, parent: LibraryNode | undefined): LibraryHintNode {
  const text = errorInWords(error);
  return {
    kind: 'hint',
    id: `error/${parent?.id ?? ''}`,
    parent,
    text,
    tooltip: vscode.l10n.t('Click to try again.'),
    icon: 'error',
    command: { command: 'kaizen.reloadLibrary', title: vscode.l10n.t('Try Again') },
  };
}
