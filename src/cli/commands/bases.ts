import { resolve } from 'node:path';
import type { BaseProblem, BaseStatus } from '../../bases';
import { type Command, expectWords } from '../command';
import { BASES_OPTIONS, COMMON_OPTIONS, withKaizen } from '../session';
import { counted, indent, type Terminal, table } from '../terminal';

/** Nobody waits longer for an answer. */
export const LONGEST_MS = 600_000;
/** Of one base; `--json` has all. */
const MAX_PROBLEMS = 20;

export const bases: Command = {
  name: 'bases',
  usage: ['bases [--base NAME=DIR]...', 'bases --suggest'],
  summary: 'List the markdown knowledge bases',
  details: [
    'Each with its folder, its files and nodes, and what is wrong with them. The exit code is 1 when a folder is missing.',
    '--suggest lists what the folder that is worked in could have as knowledge bases. Nothing is taken by itself: name',
    'one with --base, in the file of --config, or in KNOWLEDGE_BASE_PATH.',
  ].join('\n'),
  options: {
    suggest: { type: 'boolean', help: 'list Markdown of this folder that could be a knowledge base' },
    ...BASES_OPTIONS,
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    if (args.flag('suggest')) return suggest(resolve(args.string('workspace') ?? '.'), terminal);
    return withKaizen(args, terminal, async ({ bases: part }) => {
      part.start();
      await part.ready(LONGEST_MS);
      const statuses = part.statuses();
      const problems = part.problems();
      if (terminal.isJson)
        terminal.json(statuses.map((status) => ({ ...rowOf(status), problems: of(status, problems) })));
      else if (statuses.length === 0) terminal.say(NO_BASES);
      else for (const status of statuses) show(status, of(status, problems), terminal);
      return statuses.some(({ state }) => state === 'missing') ? 1 : 0;
    });
  },
};

export const NO_BASES =
  'No knowledge base is configured. "kaizen bases --suggest" lists what could be one; --base NAME=DIR names one.';

/** What stands before the problems: one base in a line or two. */
function show(status: BaseStatus, problems: readonly BaseProblem[], terminal: Terminal): void {
  const { name, root, include, exclude, state, files, nodes } = rowOf(status);
  terminal.out(terminal.paint('bold', name));
  const rows = [
    ['folder', state === 'missing' ? `${root} (${terminal.paint('red', 'missing')})` : root],
    ['files', `${files} (${include.join(', ')}${exclude.map((glob) => `, not ${glob}`).join('')})`],
    ['nodes', String(nodes)],
  ];
  terminal.out(indent(table(rows)));
  if (problems.length > 0) terminal.out(indent(describeProblems(problems, terminal)));
}

/** `protocols/RELEASE.md:3: message`, one a line. */
export function describeProblems(problems: readonly BaseProblem[], terminal: Terminal): string {
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ file, line, message }) => {
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line + 1}`}: `;
    return `${terminal.paint('yellow', '!')} ${place}${message}`;
  });
  const rest = problems.length - lines.length;
  if (rest > 0) lines.push(`… and ${counted(rest, 'problem')} more; --json prints all of them.`);
  return lines.join('\n');
}

function of({ definition }: BaseStatus, problems: readonly BaseProblem[]): BaseProblem[] {
  return problems.filter(({ base }) => base === definition.name);
}

function rowOf({ definition, state, files, nodes }: BaseStatus) {
  return { ...definition, state, files, nodes };
}

async function suggest(folder: string, terminal: Terminal): Promise<number> {
  const { suggestBases } = await import('../../kaizen');
  const suggestions = await suggestBases(folder);
  if (terminal.isJson) {
    terminal.json(suggestions);
    return 0;
  }
  if (suggestions.length === 0) terminal.say(`There is no Markdown in ${folder} that could be a knowledge base.`);
  for (const { name, root, include, files, why } of suggestions) {
    terminal.out(terminal.paint('bold', name));
    terminal.out(
      indent(
        table([
          ['what', why],
          ['folder', root],
          ['files', `${files} (${include.join(', ')})`],
        ]),
      ),
    );
  }
  return 0;
}
