import type { CommandContext, CommandHandlers } from './command';

export function storageCommands({ repository }: CommandContext): CommandHandlers {
  return { 'kaizen.useRepositoryKnowledge': () => repository.choose() };
}
