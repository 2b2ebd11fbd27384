import * as vscode from 'vscode';
import { describeError } from '../core/errors';
import { REVIEW_TOPIC } from '../review';
import type { Log } from './log';
import { withoutLinks } from './messages';
import type { WorkspaceKnowledge } from './workspace-knowledge';

/** An agent seldom proposes one thing alone: what comes within this time is told of at once. */
const BATCH_MS = 1_500;

/** Says once for each batch that agents proposed something while the window was open. */
export class ProposalNotice implements vscode.Disposable {
  private readonly listening: vscode.Disposable;
  /** What was proposed up to then is no news: it waited before the window opened, or the person was told of it. */
  private toldUntil = Date.now();
  private waiting: NodeJS.Timeout | undefined;
  private isShown = false;

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
  ) {
    this.listening = knowledge.onDidChange((topics) => {
      if (topics.has(REVIEW_TOPIC) || topics.has('*')) this.waiting ??= setTimeout(() => void this.look(), BATCH_MS);
    });
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.listening.dispose();
  }

  private async look(): Promise<void> {
    this.waiting = undefined;
    try {
      const { review } = await this.knowledge.parts();
      const fresh = review.proposals().filter(({ at }) => Date.parse(at) > this.toldUntil);
      const last = fresh.at(-1);
      if (!last) return;
      this.toldUntil = Date.parse(last.at);
      await this.tell(fresh.length, [...new Set(fresh.map(({ author }) => author))]);
    } catch (error) {
      this.log.debug(describeError(error));
    }
  }

  private async tell(count: number, agents: string[]): Promise<void> {
    // One notification at a time: the view counts the rest.
    if (this.isShown) return;
    this.isShown = true;
    const review = vscode.l10n.t('Review');
    const choice = await vscode.window.showInformationMessage(withoutLinks(announcement(count, agents)), review);
    this.isShown = false;
    if (choice === review) await vscode.commands.executeCommand('kaizen.reviewProposals');
  }
}

function announcement(count: number, [agent, ...others]: string[]): string {
  if (others.length > 0) return vscode.l10n.t('Agents propose {0} changes.', count);
  return count === 1
    ? vscode.l10n.t('{0} proposes a change.', agent ?? '')
    : vscode.l10n.t('{0} proposes {1} changes.', agent ?? '', count);
}
