import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { SetUpPiece } from '../agents';
import { realPath } from '../core/locations';
import { Area } from './findings';
import type { DoctorFinding } from './model';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('clients');

/** What agents' programs know of Kaizen: instructions, servers and hooks in the files that they read. */
export async function* checkClients(around: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  const { inspect } = await import('../agents');
  const { workspace, project, platform, kaizen } = around;
  const pieces = await inspect({ workspace, project, platform, kaizen });
  for (const piece of pieces) {
    const finding = findingOf(piece, around);
    if (finding) yield finding;
    if (piece.starts && piece.state !== 'unreadable')
      yield* checkStart(piece.starts, nameOf(piece, around), piece, around);
  }
  if (pieces.every(({ state }) => state === 'absent')) {
    yield area.note(
      'clients_none',
      'No agent is set up by files here. In VS Code none needs to be: the extension serves its agents.',
      {
        sentence: 'See what can be set up.',
        command: 'kaizen setup',
      },
    );
  }
}

function findingOf(piece: SetUpPiece, around: DoctorSurroundings): DoctorFinding | undefined {
  const { id, kind, state, problem = '', detected, isCovered = false } = piece;
  const what = nameOf(piece, around);
  switch (state) {
    case 'current':
      return area.ok(`${kind}_current`, `${what}: up to date.`);
    case 'outdated':
      return area.problem(
        `${kind}_outdated`,
        `${what}: out of date; it may start what is not there, or another Kaizen.`,
        {
          sentence: 'Look at what would change, and have it written.',
          command: `kaizen setup --install ${id}`,
        },
      );
    case 'unreadable':
      return area.problem(`${kind}_unreadable`, `${what}: Kaizen cannot read or change it. ${problem}`.trim(), {
        sentence: 'Mend the file, then set it up; Kaizen leaves alone what it cannot read.',
        command: `kaizen setup --install ${id}`,
      });
    case 'absent':
      // Which of the files with instructions is the one to write is a matter of taste.
      if (!detected || isCovered || kind === 'instructions') return undefined;
      return area.note(`${kind}_absent`, `${what}: not there, though it seems to be used here.`, {
        sentence: 'Set it up, if it is to know Kaizen.',
        command: `kaizen setup --install ${id}`,
      });
  }
}

/** Whether a client could start what its configuration names, and whether that opens the same stores as this. */
function* checkStart(
  { command, args }: NonNullable<SetUpPiece['starts']>,
  what: string,
  { id }: SetUpPiece,
  around: DoctorSurroundings,
): Generator<DoctorFinding> {
  const mend = { sentence: 'Look at what would change, and have it written.', command: `kaizen setup --install ${id}` };
  const own = (word: string) => withoutVariables(word, around);
  const missing = [command, ...args.filter((word) => /[\\/]cli\.js$/.test(word))].map(own).find(isGone(around));
  if (missing !== undefined) {
    yield area.problem('server_gone', `${what}: the program that it starts is not there any more.`, mend);
  }
  for (const [flag, directory] of [
    ['--data', around.data],
    ['--shared', around.shared],
  ] as const) {
    const value = flagValue(flag, args);
    if (value === undefined) continue;
    const named = resolve(around.workspace, own(value));
    if (named === directory || (!isRemote(named, around) && realPath(named) === realPath(directory))) continue;
    yield area.note(
      'server_other_stores',
      `${what}: ${flag} names another store than the one that is used here, so that its agents know other things.`,
      { sentence: `Take ${flag} out of it, if that is not meant.` },
    );
  }
}

/** Given as one word or as two. */
function flagValue(flag: string, args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return args[at] === flag ? args[at + 1] : args[at]?.slice(flag.length + 1);
}

/** What clients put in where a file that a team shares holds nobody's own path. */
function withoutVariables(word: string, { workspace, platform }: DoctorSurroundings): string {
  return word
    .replace(/\$\{(?:env:)?(?:HOME|USERPROFILE)\}|\$\{userHome\}/g, () => platform.home)
    .replace(/\$\{workspaceFolder\}/g, () => workspace);
}

/** On another computer: a file of the repository names it, and to look there would tell that computer who asks. */
function isRemote(file: string, { platform }: DoctorSurroundings): boolean {
  return platform.platform === 'win32' && /^[\\/]{2}/.test(file);
}

/** Only of absolute paths: names are found by rules of the client's own. */
function isGone(around: DoctorSurroundings): (path: string) => boolean {
  const endings = around.platform.platform === 'win32' ? ['', '.exe', '.cmd'] : [''];
  return (path) => isAbsolute(path) && !isRemote(path, around) && !endings.some((ending) => existsSync(path + ending));
}

function nameOf({ kind, title, file }: SetUpPiece, around: DoctorSurroundings): string {
  return `${TITLES[kind]} ${kind === 'instructions' ? 'in' : `for ${title} in`} ${shown(file, around)}`;
}

const TITLES: Record<SetUpPiece['kind'], string> = {
  instructions: 'Instructions',
  server: 'The server',
  hooks: 'Hooks',
};

/** Below the workspace or the home directory; nothing of a path is said that leads elsewhere. */
function shown(file: string, { workspace, platform }: DoctorSurroundings): string {
  for (const [folder, sign] of [
    [workspace, ''],
    [platform.home, '~/'],
  ] as const) {
    const path = relative(folder, file);
    if (path !== '' && !path.startsWith('..') && path !== file) return sign + path.split(sep).join('/');
  }
  return 'a folder elsewhere';
}
