import * as vscode from 'vscode';
import { describeError, isKaizenError } from '../../core/errors';
import { learningUri } from '../../core/knowledge-uri';
import type { FoundRecord, LearnedKind, LearningPart } from '../../learning';
import { errorInWords } from '../in-words';
import type { LearningAtWork } from '../learning';
import type { Log } from '../log';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { wordsOf } from './filter';
import { below, isBuiltIn, isLeft, kindNodes, SHOWN_KINDS } from './learning-branches';
import { firstLearningSteps } from './learning-first-steps';
import { learningItem, learningTooltip } from './learning-items';
import type { LearnedNode, LearningHintNode, LearningNode, MoreLearnedNode } from './learning-nodes';
import { FIRST_PAGE, shownAfterMore } from './paging';
import { Unfolding } from './unfolding';

/** So many are looked through before others have their turn. */
const TURN = 500;

/** What the view says about the tree beside it. */
export interface LearningSummary {
  /** Nothing of one's own was captured, and something could be. */
  isNew: boolean;
  filtered?: { query: string; found: number; total: number } | undefined;
}

/** What the view *Learning* shows: projects by state, templates, lessons, decisions, patterns, a page at a time. */
export class LearningTree implements vscode.TreeDataProvider<LearningNode>, vscode.Disposable {
  private readonly unfolding = new Unfolding();
  private readonly changed = new vscode.EventEmitter<LearningNode | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly summarised = new vscode.EventEmitter<LearningSummary>();
  /** Fires when the top of the tree was read. */
  readonly onDidSummarise = this.summarised.event;
  private query = '';
  private words: readonly string[] = [];
  /** By the id of what is above: how many lines are shown, where that is more than the first page. */
  private readonly shown = new Map<string, number>();

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly learning: LearningAtWork,
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

  showMore({ parent }: MoreLearnedNode): void {
    this.shown.set(parent.id, shownAfterMore(this.shownOf(parent)));
    this.changed.fire(parent);
  }

  async getChildren(node?: LearningNode): Promise<LearningNode[]> {
    try {
      if (node) await this.unfolding.pause();
      // What is not there cannot be shown, and nothing may be made.
      if (!vscode.workspace.isTrusted && !this.knowledge.exists) return [];
      const { learning } = await this.learning.start();
      return node ? await this.page(node, learning) : await this.roots(learning);
    } catch (error) {
      if (isKaizenError(error)) this.log.warn(describeError(error));
      else this.log.error(error instanceof Error ? error : String(error));
      return [errorHint(error, node)];
    }
  }

  getTreeItem(node: LearningNode): vscode.TreeItem {
    return learningItem(node, this.words);
  }

  resolveTreeItem(item: vscode.TreeItem, node: LearningNode): vscode.TreeItem {
    item.tooltip = learningTooltip(node);
    return item;
  }

  getParent(node: LearningNode): LearningNode | undefined {
    return node.parent;
  }

  private async roots(learning: LearningPart): Promise<LearningNode[]> {
    const { query, words } = this;
    const all = await recordsOf(learning);
    const total = SHOWN_KINDS.reduce((sum, kind) => sum + all[kind].length, 0);
    if (query !== '') {
      const left = { ...all };
      for (const kind of SHOWN_KINDS) left[kind] = await filtered(all[kind], words);
      const found = SHOWN_KINDS.reduce((sum, kind) => sum + left[kind].length, 0);
      // The next key may have been typed meanwhile: the editor asks again, and drops this answer.
      if (query === this.query) this.summarised.fire({ isNew: false, filtered: { query, found, total } });
      return kindNodes(left, true);
    }
    const isNew = vscode.workspace.isTrusted && SHOWN_KINDS.every((kind) => all[kind].every(isBuiltIn));
    this.summarised.fire({ isNew });
    return [...(isNew ? firstLearningSteps() : []), ...kindNodes(all, false)];
  }

  private async page(parent: LearningNode, learning: LearningPart): Promise<LearningNode[]> {
    if (parent.kind !== 'learnedKind' && parent.kind !== 'learnedGroup') return [];
    // Scores are read in turns, so that no line waits for all of them at once.
    await learning.warm();
    const lines = below(parent, (found) => recordNode(found, parent, learning));
    const limit = this.shownOf(parent);
    const nodes = lines.slice(0, limit).map((make) => make());
    const hidden = lines.length - nodes.length;
    if (hidden === 0) return nodes;
    return [...nodes, { kind: 'moreLearned', id: `more/${parent.id}/${limit}`, parent, hidden }];
  }

  private shownOf({ id }: LearningNode): number {
    return this.shown.get(id) ?? FIRST_PAGE;
  }
}

function recordNode(found: FoundRecord, parent: LearningNode, learning: LearningPart): LearnedNode {
  const { score, ratings } = learning.effectivenessOf(found.uri);
  return {
    kind: 'learned',
    id: `${parent.id}/${found.id}`,
    parent,
    uri: found.uri,
    found,
    score: ratings > 0 ? { score, ratings } : undefined,
  };
}

type RecordsByKind = Record<LearnedKind, readonly FoundRecord[]>;

async function recordsOf(learning: LearningPart): Promise<RecordsByKind> {
  const records: RecordsByKind = { project: [], template: [], lesson: [], decision: [], pattern: [] };
  for (const kind of SHOWN_KINDS) {
    records[kind] = learning
      .list(kind)
      .map((record) => ({ kind, id: record.id, uri: learningUri(kind, record.id), record }) as FoundRecord);
    await turn();
  }
  return records;
}

async function filtered(records: readonly FoundRecord[], words: readonly string[]): Promise<FoundRecord[]> {
  const left: FoundRecord[] = [];
  for (let from = 0; from < records.length; from += TURN) {
    left.push(...records.slice(from, from + TURN).filter((found) => isLeft(words, found)));
    await turn();
  }
  return left;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function errorHint(error: unknown, parent: LearningNode | undefined): LearningHintNode {
  return {
    kind: 'hint',
    id: `error/${parent?.id ?? ''}`,
    parent,
    text: errorInWords(error),
    tooltip: vscode.l10n.t('Click to try again.'),
    icon: 'error',
    command: { command: 'kaizen.reloadLearning', title: vscode.l10n.t('Try Again') },
  };
}
