import * as vscode from 'vscode';
import type { Proposal } from '../../review';
import { showError } from '../log';
import { withoutIcons } from '../messages';
import { describeProposal } from '../views/proposals';
import type { CommandContext } from './command';
import {
  acceptProposal,
  announceAccepted,
  announceRejected,
  compareProposal,
  partsFor,
  rejectProposal,
  requireSaved,
  titleOf,
} from './proposal-decisions';

interface Row extends vscode.QuickPickItem {
  proposal: Proposal;
}

/** Everything that waits: Enter shows the difference, buttons decide. Stays open until all of it is decided. */
export async function reviewProposals(context: CommandContext): Promise<void> {
  const { review } = await context.knowledge.parts();
  const trusted = vscode.workspace.isTrusted;
  const accept = button('check', vscode.l10n.t('Accept'));
  const reject = button('close', vscode.l10n.t('Reject'));
  const acceptAll = button('check-all', vscode.l10n.t('Accept All'));
  const list = vscode.window.createQuickPick<Row>();
  list.title = vscode.l10n.t('Proposed Changes');
  list.placeholder = vscode.l10n.t('Enter compares; the buttons accept and reject');
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  // The difference opens beside it, and one decision follows the other.
  list.ignoreFocusOut = true;

  const show = () => {
    const proposals = review.proposals();
    const before = list.activeItems[0]?.proposal.id ?? 0;
    list.items = proposals.map((proposal) => {
      const { label, description } = describeProposal(proposal);
      return {
        label: withoutIcons(label),
        description: withoutIcons(description),
        ...(proposal.reason ? { detail: withoutIcons(proposal.reason) } : {}),
        buttons: trusted ? [accept, reject] : [],
        proposal,
      };
    });
    const next = list.items.find(({ proposal }) => proposal.id >= before);
    if (next) list.activeItems = [next];
    list.buttons = trusted && proposals.length > 1 ? [acceptAll] : [];
    return proposals;
  };
  if (show().length === 0) {
    list.dispose();
    void vscode.window.showInformationMessage(vscode.l10n.t('No proposed change waits for review.'));
    return;
  }

  /** One thing at a time; what went wrong is said, and the list stays. */
  const attempt = async (action: () => Promise<unknown>) => {
    list.enabled = false;
    list.busy = true;
    try {
      await action();
    } catch (error) {
      void showError(context.log, error);
    }
    list.enabled = true;
    list.busy = false;
    if (show().length === 0) list.hide();
  };
  const changes = context.knowledge.onDidChange(() => {
    if (list.enabled && show().length === 0) list.hide();
  });
  list.onDidAccept(() => {
    const [row] = list.selectedItems;
    if (row) void attempt(() => compareProposal(context, row.proposal, { preserveFocus: true }));
  });
  list.onDidTriggerItemButton(({ button: pressed, item: { proposal } }) =>
    attempt(async () => {
      if (pressed === reject) {
        await rejectProposal(context, proposal);
        announceRejected(context, proposal);
      } else {
        const accepted = await acceptProposal(context, proposal);
        if (accepted) announceAccepted(context, proposal, accepted);
      }
    }),
  );
  list.onDidTriggerButton(() => attempt(() => acceptAllOf(context, review.proposals())));
  await new Promise<void>((resolve) => {
    list.onDidHide(() => resolve());
    list.show();
  });
  changes.dispose();
  list.dispose();
}

/** After one question for all. What was changed since is left for a look of its own. */
async function acceptAllOf(context: CommandContext, proposals: readonly Proposal[]): Promise<void> {
  const accept = vscode.l10n.t('Accept All');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Accept all {0} proposed changes?', proposals.length),
    { modal: true, detail: vscode.l10n.t('Each change of an entry can be undone from its history.') },
    accept,
  );
  if (choice !== accept) return;
  const change = context.knowledge.change();
  const parts = await partsFor(context, proposals);
  const left: unknown[] = [];
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Accepting proposed changes'),
      cancellable: true,
    },
    async (progress, token) => {
      const stopping = new AbortController();
      const { signal } = stopping;
      token.onCancellationRequested(() => stopping.abort());
      for (const [index, proposal] of proposals.entries()) {
        progress.report({
          increment: index === 0 ? 0 : 100 / proposals.length,
          message: withoutIcons(titleOf(proposal)),
        });
        try {
          await requireSaved(parts, proposal);
          await parts.review.accept(proposal.id, { confirmed: false }, { ...change, signal });
        } catch (error) {
          // What was stopped goes on waiting, and the person knows.
          if (!signal.aborted) left.push(error);
        }
        if (signal.aborted) break;
      }
    },
  );
  if (left.length > 0) throw left[0];
}

function button(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}
