import { PROJECT_PARTS } from '../editors';
import type { CommandContext, CommandHandlers } from './command';
import { completeTask, updateProgress } from './progress-update';
import { setUpProject } from './project-set-up';
import { logSession } from './session-log';

export function projectCommands(context: CommandContext): CommandHandlers {
  const { editors } = context;
  return {
    'kaizen.setUpProject': () => setUpProject(context),
    'kaizen.openProject': (part?: unknown) => editors.openProject(PROJECT_PARTS.find((each) => each === part)),
    'kaizen.editOverview': () => editors.openProject('overview'),
    'kaizen.logSession': () => logSession(context),
    'kaizen.updateProgress': (node?: unknown) => updateProgress(context, node),
    'kaizen.completeTask': (node?: unknown) => completeTask(context, node),
  };
}
