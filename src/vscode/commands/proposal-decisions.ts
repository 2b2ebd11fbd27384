import * as vscode from 'vscode';
import { isKaizenError, KaizenError } from '../../core/errors';
import type { KaizenParts } from '../../kaizen';
import { entryKeyOf, type Proposal } from '../../review';
import { proposalOf, proposalUri } from '../documents';
import { withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { lastRevision } from './entry-changes';

/** Shows what is stored beside what would be. */
export async function compareProposal(
  { knowledge }: CommandContext,
  proposal: Proposal,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const { review } = await knowledge.parts();
  const preview = review.preview(proposal.id);
  if (!preview) throw gone(proposal.id);
  const { title } = preview;
  await vscode.commands.executeCommand(
    'vscode.diff',
    proposalUri(proposal.id, title, 'before'),
    proposalUri(proposal.id, title),
    vscode.l10n.t('{0} (stored ↔ proposed by {1})', title, proposal.author),
    { preview: true, ...options },
  );
}

/**
 * Writes what an agent proposed. An entry that was changed since is written only when the person says so again.
 * Returns whether it was written.
 */
export async function acceptProposal(context: CommandContext, proposal: Proposal): Promise<boolean> {
  const change = context.knowledge.change();
  const { review } = await context.knowledge.parts();
  try {
    await review.accept(proposal.id, { confirmed: false }, change);
  } catch (error) {
    if (!isKaizenError(error) || error.code !== 'confirmation_required') throw error;
    const compare = vscode.l10n.t('Compare');
    const accept = vscode.l10n.t('Accept Anyway');
    const choice = await vscode.window.showWarningMessage(
      vscode.l10n.t('"{0}" was changed since {1} proposed this.', titleOf(proposal), proposal.author),
      { modal: true, detail: vscode.l10n.t('The text that is stored now stays in the history.') },
      compare,
      accept,
    );
    if (choice === compare) await compareProposal(context, proposal);
    if (choice !== accept) return false;
    await review.accept(proposal.id, { confirmed: true }, change);
  }
  await closeProposal(proposal.id);
  return true;
}

export async function rejectProposal(context: CommandContext, proposal: Proposal): Promise<void> {
  const change = context.knowledge.change();
  const { review } = await context.knowledge.parts();
  await review.reject(proposal.id, change);
  await closeProposal(proposal.id);
}

/** Says what was accepted, and offers to take it back where it is an entry. */
export async function announceAccepted(context: CommandContext, proposal: Proposal): Promise<void> {
  const key = entryKeyOf(proposal);
  const title = titleOf(proposal);
  if (!key) {
    void vscode.window.showInformationMessage(
      withoutLinks(vscode.l10n.t('Accepted what {0} proposed for {1}.', proposal.author, title)),
    );
    return;
  }
  const { knowledge } = await context.knowledge.parts();
  const revision = lastRevision(knowledge, key);
  const message =
    proposal.operation === 'delete'
      ? vscode.l10n.t('Deleted "{0}", as {1} proposed.', title, proposal.author)
      : vscode.l10n.t('Stored "{0}", as {1} proposed.', title, proposal.author);
  const undo = vscode.l10n.t('Undo');
  const choice = await vscode.window.showInformationMessage(withoutLinks(message), undo);
  if (choice === undo) await knowledge.undo(key, revision, context.knowledge.change());
}

/** Says what was rejected, and offers to have it wait again. */
export async function announceRejected(context: CommandContext, proposal: Proposal): Promise<void> {
  const message = vscode.l10n.t('Rejected what {0} proposed for {1}.', proposal.author, titleOf(proposal));
  const undo = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(withoutLinks(message), undo)) !== undo) return;
  const { review } = await context.knowledge.parts();
  await review.reconsider(proposal.id, context.knowledge.change());
}

/** What a proposal is about, on one line. */
export function titleOf(proposal: Proposal): string {
  switch (proposal.operation) {
    case 'store':
    case 'delete':
      return proposal.input.keyword;
    case 'define_scope':
      return proposal.input.scope_id;
    default:
      return proposal.input.project_id;
  }
}

/**
 * The proposals that a command was called with: nodes of the tree, an id, a document's address, or nothing, which stands
 * for the document in front. Throws for what was decided already; empty when the command was called with none.
 */
export function givenProposals({ review }: KaizenParts, first: unknown, others: unknown): Proposal[] {
  const values = Array.isArray(others) && others.length > 0 ? others : [first];
  const ids = [...new Set(values.flatMap((value) => idIn(value) ?? []))];
  const open = first === undefined ? proposalInFront() : undefined;
  return (ids.length === 0 && open !== undefined ? [open] : ids).map((id) => {
    const proposal = review.proposal(id);
    if (!proposal || proposal.decision) throw gone(id);
    return proposal;
  });
}

function idIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof vscode.Uri) return proposalOf(value);
  const node = value as { kind?: unknown; proposal?: { id?: unknown } | null } | null | undefined;
  const id = node?.kind === 'proposal' ? node.proposal?.id : undefined;
  return typeof id === 'number' ? id : undefined;
}

function proposalInFront(): number | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri =
    input instanceof vscode.TabInputTextDiff
      ? input.modified
      : input instanceof vscode.TabInputText
        ? input.uri
        : undefined;
  return uri && proposalOf(uri);
}

/** What was decided does not have to be looked at any more. */
async function closeProposal(id: number): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && proposalOf(input.modified) === id);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

function gone(id: number): KaizenError {
  return new KaizenError(
    'unknown_proposal',
    vscode.l10n.t('Proposal {0} was decided already.', id),
    vscode.l10n.t('The view Knowledge shows what waits.'),
  );
}
