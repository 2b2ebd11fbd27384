import { relative, resolve, sep } from 'node:path';
import type { AgentSurroundings, FileChange, KaizenCommand, SetUpChoice, SetUpPiece } from '../../agents';
import { KaizenError } from '../../core/errors';
import { repositoryPlace, thisPlatform } from '../../core/locations';
import { checkScopeId } from '../../knowledge';
import { type Arguments, type Command, expectWords, UsageError } from '../command';
import { handedOn } from '../handed-on';
import { COMMON_OPTIONS, expectFolder, locate } from '../session';
import { counted, indent, type Terminal, table } from '../terminal';
import { withoutNamedSecrets } from './setup-secrets';

const ALL_DETECTED = 'all-detected';
const ALL = 'all';

export const setup: Command = {
  name: 'setup',
  usage: ['setup [--list]', 'setup --install PIECE... [--remove PIECE...] [--dry-run] [--yes]', 'setup --show CLIENT'],
  summary: 'Set agents up: instructions, MCP servers and hooks in the files of their programs',
  details: [
    'Without --install and --remove it lists the pieces and what is there of them. With them it shows every change as a',
    'diff and asks; nothing is written before. A piece that is there already is brought up to date, and everything else in',
    `its file stays byte for byte. --install ${ALL_DETECTED} takes what is for programs that are used here, and what is`,
    `out of date; --remove ${ALL} takes away what is there. --data, --shared and --project are handed on to the servers`,
    'and hooks; KAIZEN_DATA, KAIZEN_SHARED and KAIZEN_PROJECT of this terminal are not.',
  ].join('\n'),
  options: {
    list: { type: 'boolean', help: 'list the pieces; so without --install and --remove as well' },
    install: {
      type: 'string',
      multiple: true,
      value: 'PIECE',
      help: `write a piece or bring it up to date; several with commas; or ${ALL_DETECTED}`,
    },
    remove: {
      type: 'string',
      multiple: true,
      value: 'PIECE',
      help: `take a piece away; several with commas; or ${ALL}`,
    },
    'dry-run': { type: 'boolean', help: 'only show what would change' },
    yes: { type: 'boolean', short: 'y', help: 'write without asking' },
    show: { type: 'string', value: 'CLIENT', help: "print the configuration of a client's server, to copy" },
    ...COMMON_OPTIONS,
    // Named in files of agents, which are not started with the variables of this terminal.
    data: { type: 'string', value: 'DIR', help: "the workspace's store, for the servers and hooks" },
    shared: { type: 'string', value: 'DIR', help: 'the shared store, for the servers and hooks' },
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    const [install, remove] = [idsOf(args, 'install'), idsOf(args, 'remove')];
    const client = args.string('show');
    const isChange = install.length > 0 || remove.length > 0;
    if ((client !== undefined || args.flag('list')) && isChange) {
      throw new UsageError('--list and --show change nothing: use them without --install and --remove.');
    }
    if (!isChange && (args.flag('yes') || args.flag('dry-run'))) {
      throw new UsageError('--install or --remove is missing: what is to change?');
    }
    const agents = await import('../../agents');
    const around = surroundings(args, agents.ownCommand);
    if (around.project !== undefined) checkScopeId(around.project);
    if (client !== undefined) return show(client, around, terminal);
    const inside = repositoryPlace(around.workspace)?.inside;
    if (inside) {
      terminal.say(
        `This is ${inside} in a repository. What is set up here is not seen by agents that start in its root.`,
      );
    }
    const pieces = await agents.inspect(around);
    if (!isChange) return list(pieces, around, terminal);
    const choice = {
      install: install.flatMap((id) => (id === ALL_DETECTED ? detected(pieces, remove) : [id])),
      remove: remove.flatMap((id) => (id === ALL ? removable(pieces) : [id])),
    };
    return change(choice, pieces, around, args, terminal);
  },
};

/** `--install a,b --install c` */
function idsOf(args: Arguments, option: string): string[] {
  return args
    .strings(option)
    .flatMap((value) => value.split(','))
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

function surroundings(args: Arguments, ownCommand: typeof import('../../agents').ownCommand): AgentSurroundings {
  const { workspace, project, isProjectNamed, editor } = locate(args);
  expectFolder(workspace);
  const platform = thisPlatform();
  const own = ownCommand(process.argv[1] ?? '', process.execPath, platform);
  const kaizen: KaizenCommand = { ...own, flags: handedOn(args).flat() };
  return { workspace, project: isProjectNamed ? project : editor?.project, platform, kaizen };
}

/** What is there, and what may be, in a file that cannot be read: that it stays is told. */
function removable(pieces: readonly SetUpPiece[]): string[] {
  return pieces
    .filter(({ isThere, state, holdsNothing }) => isThere || (state === 'unreadable' && !holdsNothing))
    .map(({ id }) => id);
}

/**
 * What is for programs that are used here, unless something else does the same, and what is there but old, unless it is
 * for other stores. Of what cannot be read it is told that it stays.
 */
function detected(pieces: readonly SetUpPiece[], remove: readonly string[]): string[] {
  return pieces
    .filter(({ id, kind }) => !remove.includes(id) && kind !== 'knowledge')
    .filter(
      ({ state, detected: isUsed, isCovered, servesFolder, otherFlags }) =>
        servesFolder === undefined &&
        !otherFlags &&
        (state === 'outdated' || (state !== 'current' && isUsed && !isCovered)),
    )
    .map(({ id }) => id);
}

/** Why nothing is to change. */
function wellAsItIs(choice: SetUpChoice, pieces: readonly SetUpPiece[], args: Arguments): string {
  const isLeft = ({ id, state, otherFlags }: SetUpPiece) =>
    state === 'outdated' && otherFlags && !choice.remove.includes(id);
  if (idsOf(args, 'install').includes(ALL_DETECTED) && pieces.some(isLeft))
    return 'What has other flags stays as it is until it is named.';
  if (choice.install.length > 0 || pieces.some(({ isThere }) => isThere)) return 'Everything is as it should be.';
  return idsOf(args, 'install').length > 0
    ? 'No program of agents seems to be used here. "kaizen setup" lists what can be set up by name.'
    : "Nothing of Kaizen's is there.";
}

const STATES: Record<SetUpPiece['state'], string> = {
  absent: 'not there',
  current: 'up to date',
  outdated: 'out of date',
  unreadable: 'cannot be changed',
};

function stateOf({ kind, state, hasFile, detected: isUsed, isCovered, otherFlags }: SetUpPiece): string {
  if (otherFlags) return `${STATES[state]}, with other flags`;
  // Whether what was exported is what is known now is not looked up here.
  if (kind === 'knowledge' && state === 'current') return 'there';
  if (state !== 'absent') return STATES[state];
  const absent = kind === 'instructions' && hasFile ? 'no section yet' : STATES.absent;
  return isUsed && !isCovered ? `${absent}; used here` : absent;
}

const KINDS: Record<SetUpPiece['kind'], string> = {
  instructions: 'Instructions: when to ask Kaizen',
  knowledge: 'Exported knowledge: what agents read without asking Kaizen',
  server: 'MCP servers: how agents reach Kaizen',
  hooks: 'Hooks: what a session begins with, and what is asked before a dangerous edit',
};

function list(pieces: readonly SetUpPiece[], around: AgentSurroundings, terminal: Terminal): number {
  if (terminal.isJson) {
    terminal.json(pieces);
    return 0;
  }
  for (const [kind, heading] of Object.entries(KINDS)) {
    const rows = pieces
      .filter((piece) => piece.kind === kind)
      .map((piece) => [
        piece.id,
        stateOf(piece),
        [nameOf(piece.file, around), piece.problem ?? piece.notes.join(' ')].filter(String).join(' — '),
      ]);
    if (rows.length === 0) continue;
    terminal.out(terminal.paint('bold', heading));
    terminal.out(`${indent(table(rows))}\n`);
  }
  terminal.say(
    `"kaizen setup --install PIECE" shows what it would write, and asks; ${ALL_DETECTED} stands for what is used here.`,
  );
  return 0;
}

async function change(
  choice: SetUpChoice,
  pieces: readonly SetUpPiece[],
  around: AgentSurroundings,
  args: Arguments,
  terminal: Terminal,
): Promise<number> {
  const { apply, differenceOf, plan } = await import('../../agents');
  const changes = await plan(around, choice);
  const refused = pieces.filter(
    ({ id, state }) => state === 'unreadable' && [...choice.install, ...choice.remove].includes(id),
  );
  for (const { file, problem } of refused) terminal.say(`${nameOf(file, around)} cannot be changed. ${problem}`);
  // What is set up for other stores is left alone, and told: a file of a repository may have brought it.
  const asksForAll = idsOf(args, 'install').includes(ALL_DETECTED);
  const warned = pieces
    .filter(
      ({ id, otherFlags }) => choice.install.includes(id) || (asksForAll && otherFlags && !choice.remove.includes(id)),
    )
    // It counts as up to date: what a repository's own entry adds to it would go unseen.
    .map(({ id, file, ownSettings, notes, warnings }) => ({ id, file, said: (ownSettings ? notes : warnings) ?? [] }))
    .filter(({ said }) => said.length > 0);
  for (const { file, said } of warned) terminal.say(`${nameOf(file, around)}: ${said.join(' ')}`);
  const code = refused.length > 0 ? 1 : 0;
  const isDry = args.flag('dry-run');
  if (!terminal.isJson) {
    for (const each of changes) {
      const difference = await withoutNamedSecrets(differenceOf(each, nameOf(each.file, around)));
      terminal.out(`${painted(difference, terminal)}\n`);
    }
  }
  const isWritten = changes.length > 0 && !isDry && (await isAgreed(changes, args, terminal));
  if (isWritten) await apply(changes, around);
  if (terminal.isJson)
    terminal.json({
      changes: await Promise.all(changes.map(shown)),
      written: isWritten,
      refused: refused.map(({ id, file, problem }) => ({ id, file, problem })),
      warned: warned.map(({ id, file, said }) => ({ id, file, problem: said.join(' ') })),
    });
  else if (changes.length > 0) terminal.out(summary(changes, isWritten, isDry, around));
  else terminal.out(`${refused.length > 0 ? '' : `${wellAsItIs(choice, pieces, args)} `}Nothing was written.`);
  return changes.length > 0 && !isDry && !isWritten ? 1 : code;
}

/** The change as it may stand in the log of a build: what is around Kaizen's own may be somebody's token. */
async function shown({ before, after, ...change }: FileChange): Promise<FileChange> {
  const [from, to] = await Promise.all([before, after].map((text) => text && withoutNamedSecrets(text)));
  return { ...change, before: from, after: to };
}

/** Throws `confirmation_required` where there is nobody to ask. */
async function isAgreed(changes: readonly FileChange[], args: Arguments, terminal: Terminal): Promise<boolean> {
  if (args.flag('yes')) return true;
  const agreed = await terminal.confirm(`Write ${counted(changes.length, 'file')}?`);
  if (agreed !== undefined) return agreed;
  throw new KaizenError(
    'confirmation_required',
    'There is nobody here to ask. Nothing was written.',
    'Look at the changes with --dry-run, and agree to them with --yes.',
  );
}

function summary(
  changes: readonly FileChange[],
  isWritten: boolean,
  isDry: boolean,
  around: AgentSurroundings,
): string {
  if (isWritten) {
    const gone = changes.filter(({ after }) => after === undefined);
    const kept = changes.filter(({ after }) => after !== undefined);
    const said = (word: string, files: readonly FileChange[]) =>
      files.length > 0 ? [`${word}: ${files.map(({ file }) => nameOf(file, around)).join(', ')}.`] : [];
    return [...said('Written', kept), ...said('Deleted', gone)].join('\n');
  }
  return isDry ? `${counted(changes.length, 'file')} would change. Nothing was written.` : 'Nothing was written.';
}

function painted(patch: string, terminal: Terminal): string {
  const colours = { '+': 'green', '-': 'red' } as const;
  return patch
    .split('\n')
    .map((line) => {
      const colour = /^(?:\+\+\+|---) /.test(line) ? 'bold' : colours[line[0] as '+' | '-'];
      return colour ? terminal.paint(colour, line) : line;
    })
    .join('\n');
}

/** From the workspace's folder, or from the person's own, as people know it. */
function nameOf(file: string, { workspace, platform }: AgentSurroundings): string {
  for (const [folder, start] of [
    [workspace, ''],
    [platform.home, `~${sep}`],
  ] as const) {
    const inside = relative(folder, file);
    if (inside !== '' && !inside.startsWith('..') && resolve(folder, inside) === file) return start + inside;
  }
  return file;
}

async function show(client: string, around: AgentSurroundings, terminal: Terminal): Promise<number> {
  const { AGENT_CLIENTS, serverSnippet } = await import('../../agents');
  const known = AGENT_CLIENTS.find((each) => each === client);
  const snippet = known && serverSnippet(known, around);
  if (!snippet) {
    const hint = `There are: ${AGENT_CLIENTS.join(', ')}.`;
    throw new KaizenError('invalid_argument', `There is no client called "${client}" here.`, hint);
  }
  if (terminal.isJson) terminal.json(snippet);
  else {
    terminal.say(`${snippet.title}: ${nameOf(snippet.file, around)}`);
    terminal.raw(snippet.text);
  }
  return 0;
}
