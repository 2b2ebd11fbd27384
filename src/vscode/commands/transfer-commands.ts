import type { CommandContext, CommandHandlers } from './command';
import { exportKnowledge } from './export-knowledge';
import { importKnowledge } from './import-knowledge';

export function transferCommands({ knowledge, log }: CommandContext): CommandHandlers {
  return {
    'kaizen.importKnowledge': (target?: unknown, options?: unknown) => importKnowledge(knowledge, log, target, options),
    'kaizen.exportKnowledge': (target?: unknown, options?: unknown) => exportKnowledge(knowledge, target, options),
  };
}
