import type { CommandContext, CommandHandlers } from './command';

export function fileCommands(_context: CommandContext): CommandHandlers {
  return {};
}
