import type { CommandContext, CommandHandlers } from './command';

export function transferCommands(_context: CommandContext): CommandHandlers {
  return {};
}
