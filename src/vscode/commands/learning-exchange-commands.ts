import type { CommandContext, CommandHandlers } from './command';
import { exportLearning } from './learning-export';
import { importLearning } from './learning-import';
import { refreshStalePages } from './learning-refresh';

/** What was learned, to a file and from one; and web pages that are old. */
export function learningExchangeCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.exportLearning': (target?: unknown, options?: unknown) => exportLearning(context, target, options),
    'kaizen.importLearning': (target?: unknown, options?: unknown) => importLearning(context, target, options),
    'kaizen.refreshStalePages': (sources?: unknown) => refreshStalePages(context, sources),
  };
}
