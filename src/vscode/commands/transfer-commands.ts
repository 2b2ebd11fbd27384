import type { CommandContext, CommandHandlers } from './command';
import { exportKnowledge } from './export-knowledge';
import { importKnowledge } from './import-knowledge';
import { importFromOtherTools } from './import-other-tools';

export function transferCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.importKnowledge': (target?: unknown, options?: unknown) => importKnowledge(context, target, options),
    'kaizen.importFromOtherTools': (target?: unknown, options?: unknown) =>
      importFromOtherTools(context, target, options),
    'kaizen.exportKnowledge': (target?: unknown, options?: unknown) => exportKnowledge(context, target, options),
  };
}
