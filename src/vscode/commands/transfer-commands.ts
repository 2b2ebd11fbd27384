import type { CommandContext, CommandHandlers } from './command';
import { exportKnowledge } from './export-knowledge';
import { importKnowledge } from './import-knowledge';

export function transferCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.importKnowledge': (target?: unknown, options?: unknown) => importKnowledge(context, target, options),
    'kaizen.exportKnowledge': (target?: unknown, options?: unknown) =>
      exportKnowledge(context.knowledge, target, options),
  };
}
