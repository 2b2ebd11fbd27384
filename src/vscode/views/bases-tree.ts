import * as vscode from 'vscode';
import type { BaseDefinition } from '../../bases';
import { describeError } from '../../core/errors';
import type { KaizenParts } from '../../kaizen';
import { adviceForFile, type BasesAtWork, type FollowedFile, faultInWords } from '../bases';
import { errorInWords } from '../in-words';
import type { Log } from '../log';
import { adviceFor, baseNode, contentsOf, headingsBelow, headingsOf } from './base-branches';
import { baseItem, baseTooltip } from './base-items';
import type { BaseHintNode, BasesNode, ForFileNode, MoreNodesNode } from './base-nodes';
import { FIRST_PAGE, shownAfterMore } from './paging';
import { Unfolding } from './unfolding';

/** What the view *Knowledge Bases* shows: what an agent gets for the file in front, then base → folder → file → heading. */
export class BasesTree implements vscode.TreeDataProvider<BasesNode>, vscode.Disposable {
  private readonly unfolding = new Unfolding();
  private readonly changed = new vscode.EventEmitter<BasesNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  /** What the group on top is about; without it there is no group. */
  followed: FollowedFile | undefined;
  /** By the id of what is above: how many lines are shown, where that is more than the first page. */
  private readonly shown = new Map<string, number>();
  private group: ForFileNode | undefined;

  constructor(
    private readonly bases: BasesAtWork,
    private readonly log: Log,
  ) {}

  dispose(): void {
    this.changed.dispose();
  }

  /** Has the editor read the whole tree anew. */
  refresh(): void {
    this.changed.fire(undefined);
  }

  /** Has the editor ask anew what there is for the file in front, and nothing else. */
  refreshAdvice(): void {
    const { group, followed } = this;
    if (group && followed) Object.assign(group, followed);
    this.changed.fire(followed && group);
  }

  showMore({ parent }: MoreNodesNode): void {
    this.shown.set(parent.id, shownAfterMore(this.shownOf(parent)));
    this.changed.fire(parent);
  }

  async getChildren(node?: BasesNode): Promise<BasesNode[]> {
    try {
      if (node) await this.unfolding.pause();
      return node ? this.page(node, await this.below(node, await this.bases.start())) : await this.roots();
    } catch (error) {
      this.log.error(describeError(error));
      return [errorHint(error, node)];
    }
  }

  getTreeItem(node: BasesNode): vscode.TreeItem {
    return baseItem(node);
  }

  resolveTreeItem(item: vscode.TreeItem, node: BasesNode): vscode.TreeItem {
    item.tooltip = baseTooltip(node);
    return item;
  }

  getParent(node: BasesNode): BasesNode | undefined {
    return node.parent;
  }

  private async roots(): Promise<BasesNode[]> {
    this.group = undefined;
    const { definitions, faults, outside } = this.bases.configured;
    const hints = [
      ...outside.map(outsideHint),
      ...faults.map(({ name, fault }) => faultHint(name, faultInWords(name, fault))),
    ];
    // An empty list lets the view's welcome text speak, which offers what could be a base.
    if (definitions.length === 0) return hints;
    const { bases } = await this.bases.start();
    if (this.followed) this.group = { kind: 'forFile', id: 'for-file', ...this.followed };
    return [...(this.group ? [this.group] : []), ...hints, ...bases.statuses().map(baseNode)];
  }

  private async below(node: BasesNode, parts: KaizenParts): Promise<BasesNode[]> {
    const { bases } = parts;
    switch (node.kind) {
      case 'forFile':
        return this.advice(node, parts);
      case 'base': {
        const { name } = node.status.definition;
        const problems = node.status.problems > 0 ? bases.problems().filter(({ base }) => base === name) : [];
        return contentsOf(node, bases.files(name), problems);
      }
      case 'folder':
        return contentsOf(node, bases.files(node.base));
      case 'file': {
        const file = bases.file(node.base, node.file);
        return file ? headingsOf(node, file) : [];
      }
      case 'node': {
        const file = bases.file(node.node.base, node.node.file);
        return file ? headingsBelow(node, file) : [];
      }
      default:
        return [];
    }
  }

  private async advice(node: ForFileNode, parts: KaizenParts): Promise<BasesNode[]> {
    const advice = adviceFor(node, await adviceForFile(parts, node));
    if (advice.length > 0) return advice;
    return [parts.discovery.state.ready ? nothingHint(node) : indexingHint(node)];
  }

  private page(parent: BasesNode, nodes: BasesNode[]): BasesNode[] {
    const limit = this.shownOf(parent);
    const hidden = nodes.length - limit;
    if (hidden <= 0) return nodes;
    return [
      ...nodes.slice(0, limit),
      { kind: 'moreNodes', id: `more/${parent.id}/${limit}`, parent, hidden } satisfies MoreNodesNode,
    ];
  }

  private shownOf({ id }: BasesNode): number {
    return this.shown.get(id) ?? FIRST_PAGE;
  }
}

function faultHint(name: string, text: string): BaseHintNode {
  return {
    kind: 'hint',
    id: `fault/${name}`,
    text,
    tooltip: vscode.l10n.t('This base is not used. Click to change the setting.'),
    icon: 'warning',
    command: {
      command: 'workbench.action.openSettings',
      title: vscode.l10n.t('Open Settings'),
      arguments: ['kaizen.bases'],
    },
  };
}

function outsideHint({ name, root }: BaseDefinition): BaseHintNode {
  return {
    kind: 'hint',
    id: `outside/${name}`,
    text: vscode.l10n.t('{0}: not used, it lies outside of the workspace', name),
    tooltip: vscode.l10n.t(
      'The settings of this workspace name {0}. Click to decide whether agents may read it.',
      root,
    ),
    icon: 'shield',
    command: {
      command: 'kaizen.allowKnowledgeBase',
      title: vscode.l10n.t('Decide…'),
      arguments: [name],
    },
  };
}

function nothingHint(parent: ForFileNode): BaseHintNode {
  return {
    kind: 'hint',
    id: 'for-file/nothing',
    parent,
    text: vscode.l10n.t('Nothing is about this file yet'),
    tooltip: vscode.l10n.t('No rule names the file, and no entry or node has much in common with it.'),
    icon: 'info',
  };
}

function indexingHint(parent: ForFileNode): BaseHintNode {
  const text = vscode.l10n.t('Still indexing…');
  return { kind: 'hint', id: 'for-file/indexing', parent, text, tooltip: text, icon: 'loading~spin' };
}

function errorHint(error: unknown, parent: BasesNode | undefined): BaseHintNode {
  const text = errorInWords(error);
  return { kind: 'hint', id: `error/${parent?.id ?? ''}`, parent, text, tooltip: text, icon: 'error' };
}
