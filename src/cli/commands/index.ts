import { resolve } from 'node:path';
import type { BaseStatus, BasesPart } from '../../bases';
import { type Arguments, type Command, expectWords, UsageError } from '../command';
import { installHooks, uninstallHooks } from '../git-hooks';
import { waitForIndex } from '../indexing';
import { BASES_OPTIONS, COMMON_OPTIONS, NOTES_OPTIONS, type Session, withKaizen } from '../session';
import { counted, indent, type Terminal } from '../terminal';
import { describeProblems, LONGEST_MS, NO_BASES } from './bases';

export const index: Command = {
  name: 'index',
  usage: ['index [--base NAME=DIR]... [--hook]', 'index --install-hook | --uninstall-hook'],
  summary: 'Index all knowledge bases now',
  details: [
    'Servers and windows follow the files by themselves; this makes their next start quick, and says what is wrong with',
    'the files. The exit code is 1 when the folder of a base is missing.',
    '--install-hook has git do so after each commit, merge, checkout and rebase here, in the background. A hook of',
    'somebody else is never changed: the line to add is printed. --uninstall-hook takes away what was installed.',
  ].join('\n'),
  options: {
    hook: { type: 'boolean', help: 'speak of what is wrong only, and never fail: for hooks of git' },
    'install-hook': { type: 'boolean', help: 'have git index after each commit, merge, checkout and rebase' },
    'uninstall-hook': { type: 'boolean', help: 'take the hooks away again' },
    ...BASES_OPTIONS,
    ...NOTES_OPTIONS,
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    const workspace = resolve(args.string('workspace') ?? '.');
    if (args.flag('install-hook') && args.flag('uninstall-hook')) {
      throw new UsageError('--install-hook and --uninstall-hook exclude each other.');
    }
    if (args.flag('install-hook')) return installHooks(workspace, hookCall(args), terminal);
    if (args.flag('uninstall-hook')) return uninstallHooks(workspace, terminal);
    const isHook = args.flag('hook');
    try {
      const statuses = await withKaizen(args, terminal, (session) => indexAll(session, isHook, terminal));
      return statuses.some(({ state }) => state === 'missing') && !isHook ? 1 : 0;
    } catch (error) {
      if (!isHook) throw error;
      // A commit that was made must not look as if it had failed.
      terminal.say(`kaizen: ${error instanceof Error ? error.message : String(error)}`);
      return 0;
    }
  },
};

async function indexAll(session: Session, isHook: boolean, terminal: Terminal): Promise<BaseStatus[]> {
  const { bases } = session;
  bases.start();
  await bases.ready(LONGEST_MS);
  await waitForIndex(session, terminal);
  const statuses = bases.statuses();
  if (terminal.isJson) terminal.json(statuses.map(rowOf));
  else if (!isHook) tell(statuses, bases, terminal);
  else if (bases.problems().length > 0) terminal.say(describeProblems(bases.problems(), terminal));
  return statuses;
}

function rowOf({ definition: { name, root }, state, files, nodes, changes = 0, problems }: BaseStatus) {
  return { name, root, state, files, nodes, changes, problems };
}

function tell(statuses: readonly BaseStatus[], bases: BasesPart, terminal: Terminal): void {
  if (statuses.length === 0) terminal.say(NO_BASES);
  for (const { definition, state, files, nodes, changes = 0 } of statuses) {
    const name = terminal.paint('bold', definition.name);
    const have = `${counted(files, 'file')}, ${counted(nodes, 'node')}; ${counted(changes, 'file')} changed`;
    terminal.out(`${name}: ${state === 'missing' ? terminal.paint('red', 'missing') : have}`);
    const problems = bases.problems().filter(({ base }) => base === definition.name);
    if (problems.length > 0) terminal.out(indent(describeProblems(problems, terminal)));
  }
}

/** The same call for a hook, which may run in another folder. */
function hookCall(args: Arguments): string[] {
  const call = ['index', '--hook'];
  for (const option of ['data', 'shared', 'config']) {
    const path = args.string(option);
    if (path) call.push(`--${option}`, resolve(path));
  }
  const project = args.string('project');
  if (project) call.push('--project', project);
  for (const base of args.strings('base')) {
    const [, name = '', folder = base] = /^([A-Za-z0-9._-]+=)(.*)$/s.exec(base) ?? [];
    call.push('--base', `${name}${resolve(folder)}`);
  }
  return call;
}
