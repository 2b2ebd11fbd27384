import type { CommandContext, CommandHandlers } from './command';
import { diagnoseWindow } from './diagnosis';

export function doctorCommands(context: CommandContext): CommandHandlers {
  return { 'kaizen.diagnose': (options?: unknown) => diagnoseWindow(context, options) };
}
