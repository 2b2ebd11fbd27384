import type { CommandContext, CommandHandlers } from './command';

export function agentCommands(_context: CommandContext): CommandHandlers {
  return {};
}
