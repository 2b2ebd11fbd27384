import type { CommandContext, CommandHandlers } from './command';

export function projectCommands(_context: CommandContext): CommandHandlers {
  return {};
}
