import type { CommandContext, CommandHandlers } from './command';

export function viewCommands({ log }: CommandContext): CommandHandlers {
  return { 'kaizen.showLog': () => log.show() };
}
