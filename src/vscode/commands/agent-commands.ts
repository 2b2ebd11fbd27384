import type { Proposal } from '../../review';
import { reviewChanges, undoAgentChange } from './agent-changes';
import type { CommandContext, CommandHandlers } from './command';
import {
  acceptProposal,
  announceAccepted,
  announceRejected,
  compareProposal,
  givenProposals,
  rejectProposal,
} from './proposal-decisions';
import { reviewProposals } from './proposal-list';

export function agentCommands(context: CommandContext): CommandHandlers {
  /** Does it to the proposals that the command was called with; without any the person chooses in the list. */
  const each = (action: (proposal: Proposal) => Promise<unknown>) => async (first?: unknown, others?: unknown) => {
    const proposals = givenProposals(await context.knowledge.parts(), first, others);
    if (proposals.length === 0) return reviewProposals(context);
    for (const proposal of proposals) await action(proposal);
  };
  return {
    'kaizen.showProposal': each((proposal) => compareProposal(context, proposal)),
    'kaizen.acceptProposal': each(async (proposal) => {
      const accepted = await acceptProposal(context, proposal);
      if (accepted) announceAccepted(context, proposal, accepted);
    }),
    'kaizen.rejectProposal': each(async (proposal) => {
      await rejectProposal(context, proposal);
      announceRejected(context, proposal);
    }),
    'kaizen.reviewProposals': () => reviewProposals(context),
    'kaizen.reviewChanges': () => reviewChanges(context),
    'kaizen.undoAgentChange': () => undoAgentChange(context),
  };
}
