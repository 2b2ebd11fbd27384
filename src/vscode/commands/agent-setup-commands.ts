import { copyAgentConfiguration } from './agent-configuration';
import { setUpAgents } from './agent-setup';
import type { CommandContext, CommandHandlers } from './command';
import { showGuardLog } from './guard-log';

export function agentSetUpCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.setUpAgents': () => setUpAgents(context),
    'kaizen.copyAgentConfiguration': () => copyAgentConfiguration(context),
    'kaizen.dismissAgentsHint': () => context.agents.declineOffer(),
    'kaizen.showGuardLog': () => showGuardLog(context),
  };
}
