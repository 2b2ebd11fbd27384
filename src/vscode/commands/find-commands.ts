import type { CommandContext, CommandHandlers } from './command';

export function findCommands(_context: CommandContext): CommandHandlers {
  return {};
}
