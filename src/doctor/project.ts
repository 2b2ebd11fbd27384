import type { SetUpPiece } from '../agents';
import { allOf, sentence } from '../core/sentence';
import { shellWord } from '../core/shell-words';
import { Area } from './findings';
import type { DoctorFinding, DoctorMend } from './model';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('stores');

/** That are named. */
const MOST_PROJECTS = 5;
/** Of programs that are used here, where nothing is set up yet. */
const ALL_DETECTED = 'all-detected';

/**
 * Whether the folder's project is one that the store has: while it is not, hooks speak of nothing that is stored for the
 * others. `projects` are the store's PROJECT scopes.
 */
export async function* checkProject(
  projects: readonly string[],
  around: DoctorSurroundings,
): AsyncGenerator<DoctorFinding> {
  const { project } = around;
  if (project === undefined || projects.length === 0 || projects.includes(project)) return;
  const others = projects.length - MOST_PROJECTS;
  const named = [...projects.slice(0, MOST_PROJECTS), ...(others > 0 ? ['…'] : [])];
  yield {
    ...area.note(
      'project_undefined',
      sentence(
        "This folder's project is not defined, and others are: of what is known of them nothing is told here, and nobody is asked before their dangers.",
      ),
      await mendOf(projects, around),
    ),
    // Names stay out of a report.
    reason: sentence('The project here is {0}; defined are: {1}.', project, allOf(named)),
  };
}

async function mendOf(projects: readonly string[], around: DoctorSurroundings): Promise<DoctorMend> {
  const { hooks, told = [], platform } = around;
  if (hooks !== undefined) {
    return {
      sentence: sentence('Name the one that is meant in the setting {0}, or define this one.', 'kaizen.project'),
    };
  }
  const [only = '', ...others] = projects;
  const word = others.length === 0 ? shellWord(only, platform.platform) : undefined;
  const isNamed = told.some(([name]) => name === '--project');
  return {
    sentence: sentence(
      'Name the one that is meant with {0}, also where agents are set up, or define this one.',
      '--project',
    ),
    ...(word === undefined || isNamed
      ? {}
      : { command: `kaizen setup --install ${await piecesToSetUp(around)} --project ${word}`, isPrivate: true }),
  };
}

async function piecesToSetUp({ workspace, platform, kaizen }: DoctorSurroundings): Promise<string> {
  const { inspect } = await import('../agents');
  const pieces = await inspect({ workspace, project: undefined, platform, kaizen });
  const ids = pieces.filter(namesProject).map(({ id }) => id);
  return ids.length > 0 ? ids.join(',') : ALL_DETECTED;
}

function namesProject({ kind, isThere, servesFolder }: SetUpPiece): boolean {
  return (kind === 'server' || kind === 'hooks') && isThere && servesFolder === undefined;
}
