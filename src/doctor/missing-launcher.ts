import type { SetUpPiece } from '../agents';
import { sentence } from '../core/sentence';
import { Area } from './findings';
import type { DoctorFinding, DoctorMend } from './model';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('hooks');

/**
 * What it means that the program which clients start is not there: a problem where one of them starts it, or the editor
 * should have made it by now. Undefined where nobody wants it.
 */
export async function missingLauncher(around: DoctorSurroundings): Promise<DoctorFinding | undefined> {
  const { hooks, launcher } = around;
  if (hooks !== undefined && !(await isStarted(around))) return hooks ? unstarted(around) : undefined;
  return area.problem(
    launcher === undefined ? 'launcher_missing' : 'launcher_unmade',
    sentence('What clients start (the launcher) is not there.'),
    mendOf(around),
  );
}

/** Only what the editor brings along itself would start it. */
function unstarted(around: DoctorSurroundings): DoctorFinding {
  const { launcher } = around;
  switch (launcher) {
    case 'restricted':
      return area.note(
        'launcher_restricted',
        sentence('What clients start (the launcher) is not there: in Restricted Mode it is not made.'),
        mendOf(around),
      );
    case 'unneeded':
      return area.note(
        'launcher_none',
        sentence(
          'What clients start (the launcher) is not there yet: it is made when something is stored in an open folder, or agents are set up there.',
        ),
      );
    case undefined:
      return area.problem(
        'launcher_missing',
        sentence('What clients start (the launcher) is not there.'),
        mendOf(around),
      );
  }
}

/** What makes the launcher anew, also where it is there and does not run. */
export function mendOf({ hooks, launcher }: DoctorSurroundings): DoctorMend {
  if (hooks === undefined) {
    return {
      sentence: sentence('Open the folder in VS Code once, or install Kaizen anew; then set the clients up again.'),
      command: 'kaizen setup',
    };
  }
  switch (launcher) {
    case 'restricted':
      return { sentence: sentence('Trust the folder: the launcher is made then, once something is stored.') };
    case 'unneeded':
      return { sentence: sentence('Set agents up once more in an open folder: the launcher is made then.') };
    case undefined:
      return { sentence: sentence('Reload the window: the launcher is written anew when the extension starts.') };
  }
}

/** Whether the file of any client names it. */
async function isStarted({ workspace, project, platform, kaizen }: DoctorSurroundings): Promise<boolean> {
  const { inspect } = await import('../agents');
  const pieces = await inspect({ workspace, project, platform, kaizen });
  return pieces.some((piece) => isStarting(piece, kaizen.command));
}

function isStarting({ kind, state, isThere, starts }: SetUpPiece, launcher: string): boolean {
  if (kind === 'server') return isThere && starts !== undefined && (state === 'current' || starts.command === launcher);
  return kind === 'hooks' && state === 'current';
}
