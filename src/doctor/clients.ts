import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { HookFlag, SetUpPiece } from '../agents';
import { realPath } from '../core/locations';
import { type Sentence, sentence } from '../core/sentence';
import { areForOthers, areStrangers, isRemote, setUpCommand } from './client-stores';
import { Area } from './findings';
import type { DoctorFinding } from './model';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('clients');

/** What agents' programs know of Kaizen: instructions, servers and hooks in the files that they read. */
export async function* checkClients(around: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  const agentPieces = await import('../agents');
  const { inspect, switchesHooksOff } = agentPieces;
  const { workspace, platform, kaizen } = around;
  // A name that nobody gave is no reason to find another one wrong.
  const project = around.isProjectGuessed ? undefined : around.project;
  const agents = { workspace, project, platform, kaizen };
  const pieces = await inspect(agents);
  const isAsked = kaizen.flags.length > 0;
  const unasked = isAsked ? await inspect({ ...agents, kaizen: { ...kaizen, flags: [] } }) : pieces;
  for (const [at, piece] of pieces.entries()) {
    const { starts, state } = piece;
    if (starts && state !== 'unreadable' && startsWhatIsGone(starts, around)) yield gone(piece, around);
    else if (piece.otherFlags) {
      const finding = otherFlags(piece, piece.otherFlags, around, agentPieces);
      if (finding) yield finding;
    } else if (state === 'outdated' && unasked[at]?.state === 'current') {
      yield otherStores(piece, around);
      if (piece.ownSettings) yield ownSettings(piece, around);
    } else {
      const finding = findingOf(piece, around);
      if (finding) yield finding;
    }
    if (starts && state !== 'unreadable' && piece.servesFolder === undefined)
      yield* checkStores(starts, nameOf(piece, around), around);
  }
  const hasClaudeHooks = pieces.some(
    ({ kind, client, isThere }) => kind === 'hooks' && client === 'claude-code' && isThere,
  );
  for (const piece of hasClaudeHooks ? pieces : []) {
    if (!(await switchesHooksOff(piece, agents))) continue;
    yield area.note(
      'hooks_switched_off',
      sentence('Claude Code runs no hooks, not even those of Kaizen: {0} says so.', shown(piece.file, around)),
      { sentence: sentence('Take {0} out of it, if that is not meant.', '"disableAllHooks"') },
    );
  }
  if (pieces.every(({ kind, state }) => kind === 'knowledge' || state === 'absent')) {
    yield area.note(
      'clients_none',
      sentence('No agent is set up by files here. In VS Code none needs to be: the extension serves its agents.'),
      {
        sentence: sentence('See what can be set up.'),
        command: 'kaizen setup',
      },
    );
  }
}

function findingOf(piece: SetUpPiece, around: DoctorSurroundings): DoctorFinding | undefined {
  const { id, kind, state, problem, detected, isCovered = false } = piece;
  const what = nameOf(piece, around);
  if (kind === 'knowledge') return exported(piece, what);
  switch (state) {
    case 'current':
      if (piece.servesFolder !== undefined) return otherFolder(piece, piece.servesFolder, around);
      if (!piece.ownSettings) return area.ok(`${kind}_current`, sentence('{0}: up to date.', what));
      return ownSettings(piece, around);
    case 'outdated':
      return area.problem(
        `${kind}_outdated`,
        kind === 'instructions'
          ? sentence('{0}: out of date; another version of Kaizen wrote it, or somebody changed it.', what)
          : sentence('{0}: out of date; it may start what is not there, or another Kaizen.', what),
        rewrite(id),
      );
    case 'unreadable':
      return {
        // Where another file does the same, or should, nothing stops working by it.
        ...area[isCovered ? 'note' : 'problem'](
          `${kind}_unreadable`,
          sentence('{0}: Kaizen cannot read or change it.', what),
          {
            sentence: sentence('Mend the file, then set it up; Kaizen leaves alone what it cannot read.'),
            command: `kaizen setup --install ${id}`,
          },
        ),
        reason: problem,
      };
    case 'absent':
      // Which of the files with instructions is the one to write is a matter of taste.
      if (!detected || isCovered || kind === 'instructions') return undefined;
      return area.note(`${kind}_absent`, sentence('{0}: not set up, though the program seems to be used here.', what), {
        sentence: sentence('Set it up, if its agents are to know Kaizen.'),
        command: `kaizen setup --install ${id}`,
      });
  }
}

/** Whether it is what is known now is not looked up: agents that read it may ask Kaizen as well. */
function exported({ state, problem }: SetUpPiece, what: Sentence): DoctorFinding {
  if (state !== 'unreadable') return area.ok('knowledge_there', sentence('{0}: there, as it was exported.', what));
  const mend = sentence('Mend its marks, or delete them with what stands between them.');
  return {
    ...area.note('knowledge_unreadable', sentence('{0}: Kaizen cannot read or change it.', what), { sentence: mend }),
    reason: problem,
  };
}

/** In it is more than Kaizen writes, and stays there. */
function ownSettings(piece: SetUpPiece, around: DoctorSurroundings): DoctorFinding {
  return area.note(
    `${piece.kind}_own_settings`,
    sentence('{0}: up to date, with settings of its own, which can lead its agents elsewhere.', nameOf(piece, around)),
    {
      sentence: sentence('See which they are, and take out of the file what you do not want.'),
      command: 'kaizen setup',
    },
  );
}

/** A client that opens no folder has one file for all of them: in each but one it would be wrong. */
function otherFolder(piece: SetUpPiece, folder: string, around: DoctorSurroundings): DoctorFinding {
  return {
    ...area.note(
      'server_other_folder',
      sentence(
        "{0}: up to date; it has another folder's knowledge, whatever it is asked about.",
        nameOf(piece, around),
      ),
      {
        sentence: sentence('Set it up for this one, if its agents are to know what is known here instead.'),
        command: `kaizen setup --install ${piece.id}`,
      },
    ),
    reason: sentence('The folder is {0}.', folder),
  };
}

/** Well in itself, and not what the doctor was asked about. */
function otherStores(piece: SetUpPiece, around: DoctorSurroundings): DoctorFinding {
  const message = sentence(
    '{0}: up to date, but for other stores or another project than are asked about here.',
    nameOf(piece, around),
  );
  return area.note(`${piece.kind}_other_stores`, message, {
    sentence: sentence('Set it up anew, if its agents are to know what is asked about here.'),
    command: `kaizen setup --install ${piece.id}`,
  });
}

/** Hooks with other flags than setting them up would write: which ones is not for a report. */
function otherFlags(
  piece: SetUpPiece,
  flags: readonly HookFlag[],
  around: DoctorSurroundings,
  { flagsInWords, readHookFlags, storeFlags }: typeof import('../agents'),
): DoctorFinding | undefined {
  const ofStores = storeFlags(flags);
  const own = flags.filter((flag) => !ofStores.includes(flag)).map(([name]) => name);
  const isElsewhere = areForOthers(ofStores, storeFlags(readHookFlags(around.kaizen.flags) ?? []), around);
  const finding = areStrangers(flags, around)
    ? storesInside(piece, around)
    : piece.state === 'current' && isElsewhere
      ? otherStores(piece, around)
      : findingOf({ ...piece, ...(own.length > 0 ? { ownSettings: own } : {}) }, around);
  if (!finding || finding.level === 'ok') return finding;
  const { mend } = finding;
  return {
    ...finding,
    reason: sentence('They are set up for {0}.', flagsInWords(flags)),
    // It would take from them the stores that are asked about, where no flag of the doctor's names these.
    mend: mend && finding.code !== 'hooks_own_settings' ? { ...mend, command: setUpCommand(piece.id, around) } : mend,
  };
}

function storesInside(piece: SetUpPiece, around: DoctorSurroundings): DoctorFinding {
  return area.problem(
    'hooks_stores_inside',
    sentence(
      '{0}: they answer from a store within this folder, which may have come with its files, and not from yours.',
      nameOf(piece, around),
    ),
    {
      sentence: sentence('Unless you put that store there: look at what would change, and have it written.'),
      command: `kaizen setup --install ${piece.id}`,
    },
  );
}

type Start = NonNullable<SetUpPiece['starts']>;

/** Whether a client could not start what its configuration names. */
function startsWhatIsGone({ command, args }: Start, around: DoctorSurroundings): boolean {
  const programs = [command, ...args.filter((word) => /[\\/]cli\.js$/.test(word))];
  return programs.map((word) => withoutVariables(word, around)).some(isGone(around));
}

function gone(piece: SetUpPiece, around: DoctorSurroundings): DoctorFinding {
  const message = sentence('{0}: the program that it starts is not there any more.', nameOf(piece, around));
  return area.problem('server_gone', message, rewrite(piece.id));
}

function rewrite(id: SetUpPiece['id']): NonNullable<DoctorFinding['mend']> {
  return {
    sentence: sentence('Look at what would change, and have it written.'),
    command: `kaizen setup --install ${id}`,
  };
}

/** Whether what a client starts opens the same stores as this. */
function* checkStores({ args }: Start, what: Sentence, around: DoctorSurroundings): Generator<DoctorFinding> {
  for (const [flag, directory] of [
    ['--data', around.data],
    ['--shared', around.shared],
  ] as const) {
    const value = flagValue(flag, args);
    if (value === undefined) continue;
    const named = resolve(around.workspace, withoutVariables(value, around));
    if (named === directory || (!isRemote(named, around) && realPath(named) === realPath(directory))) continue;
    yield area.note(
      'server_other_stores',
      sentence(
        '{0}: {1} names another store than the one that is used here, so that its agents know other things.',
        ...[what, flag],
      ),
      { sentence: sentence('Take {0} out of it, if that is not meant.', flag) },
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

/** Only of absolute paths: names are found by rules of the client's own. */
function isGone(around: DoctorSurroundings): (path: string) => boolean {
  const endings = around.platform.platform === 'win32' ? ['', '.exe', '.cmd'] : [''];
  return (path) => isAbsolute(path) && !isRemote(path, around) && !endings.some((ending) => existsSync(path + ending));
}

function nameOf({ kind, title, file }: SetUpPiece, around: DoctorSurroundings): Sentence {
  const place = shown(file, around);
  switch (kind) {
    case 'instructions':
      return sentence('Instructions in {0}', place);
    case 'knowledge':
      return sentence('Exported knowledge in {0}', place);
    case 'server':
      return sentence('The server in {0} ({1})', place, title);
    case 'hooks':
      return sentence('Hooks in {0} ({1})', place, title);
  }
}

/** Below the workspace or the home directory; nothing of a path is said that leads elsewhere. */
function shown(file: string, { workspace, platform }: DoctorSurroundings): string | Sentence {
  for (const [folder, sign] of [
    [workspace, ''],
    [platform.home, '~/'],
  ] as const) {
    const path = relative(folder, file);
    if (path !== '' && !path.startsWith('..') && path !== file) return sign + path.split(sep).join('/');
  }
  return sentence('a folder elsewhere');
}
