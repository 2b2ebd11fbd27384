import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import {
  feedbackTitle,
  type LibraryWrite,
  learningTitle,
  libraryTitle,
  type Proposal,
  relationTitle,
} from '../../review';
import { withoutPictures } from '../messages';
import type { PendingNode, ProposalNode } from './nodes';
import { proposedInWords, subjectOfWrite } from './note-words';

/** The group on top of the tree; none when nothing waits. */
export function pendingNode({ review }: KaizenParts): PendingNode | undefined {
  const proposals = review.proposals();
  if (proposals.length === 0) return undefined;
  const node: PendingNode = { kind: 'pending', id: 'pending', proposals };
  node.children = proposals.map(
    (proposal): ProposalNode => ({ kind: 'proposal', id: `proposal/${proposal.id}`, parent: node, proposal }),
  );
  return node;
}

/** What it is about, and who wants what. */
export function describeProposal(proposal: Proposal): { label: string; description: string } {
  const { author } = proposal;
  switch (proposal.operation) {
    case 'store':
      return {
        label: proposal.input.keyword,
        description: proposal.base_revision
          ? vscode.l10n.t('overwrite, by {0}', author)
          : vscode.l10n.t('store, by {0}', author),
      };
    case 'delete':
      return { label: proposal.input.keyword, description: vscode.l10n.t('delete, by {0}', author) };
    case 'define_scope':
      return { label: proposal.input.scope_id, description: vscode.l10n.t('define the scope, by {0}', author) };
    case 'store_overview':
      return { label: proposal.input.project_id, description: vscode.l10n.t('change the overview, by {0}', author) };
    case 'store_session':
      return { label: proposal.input.project_id, description: vscode.l10n.t('log a session, by {0}', author) };
    case 'update_progress':
      return { label: proposal.input.project_id, description: vscode.l10n.t('update the progress, by {0}', author) };
    case 'update_node':
      return { label: proposal.input.node_id, description: vscode.l10n.t('update the node, by {0}', author) };
    case 'write_note':
      return { label: subjectOfWrite(proposal.input), description: proposedInWords(proposal.input, author) };
    case 'write_library':
      return { label: libraryTitle(proposal.input), description: proposedForLibrary(proposal.input, author) };
    case 'write_relation':
      return {
        label: relationTitle(proposal.input),
        description:
          proposal.input.action === 'add'
            ? vscode.l10n.t('add the relation, by {0}', author)
            : vscode.l10n.t('remove the relation, by {0}', author),
      };
    case 'write_learning':
      return {
        label: learningTitle(proposal.input),
        description:
          proposal.input.operation === 'delete'
            ? vscode.l10n.t('delete, by {0}', author)
            : vscode.l10n.t('capture what was learned, by {0}', author),
      };
    case 'give_feedback':
      return { label: feedbackTitle(proposal.input), description: vscode.l10n.t('give feedback, by {0}', author) };
  }
}

function proposedForLibrary({ action }: LibraryWrite, author: string): string {
  switch (action) {
    case 'ingest':
      return vscode.l10n.t('add to the library, by {0}', author);
    case 'acquire':
      return vscode.l10n.t('fetch from the web, by {0}', author);
    case 'request_document':
      return vscode.l10n.t('ask for a document, by {0}', author);
    case 'refresh':
      return vscode.l10n.t('look at web sources again, by {0}', author);
  }
}

/** What an agent wrote is shown, and never followed: no pictures, no commands. */
export function proposalTooltip(proposal: Proposal): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  const { label, description } = describeProposal(proposal);
  tooltip.appendText(`${label}: ${description}`);
  if (proposal.operation === 'store' || proposal.operation === 'update_node') {
    tooltip.appendMarkdown(`\n\n${withoutPictures(proposal.input.content)}`);
  }
  if (proposal.reason) tooltip.appendMarkdown('\n\n').appendText(vscode.l10n.t('Reason: {0}', proposal.reason));
  tooltip.appendMarkdown('\n\n').appendText(vscode.l10n.t('Proposed on {0}', proposal.at.slice(0, 10)));
  return tooltip;
}
