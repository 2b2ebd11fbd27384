import type { CommandContext, CommandHandlers } from './command';

export function editorCommands(_context: CommandContext): CommandHandlers {
  return {};
}
