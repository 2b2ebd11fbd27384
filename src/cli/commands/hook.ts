import type { GuardRecord, HookEvent } from '../../guard';
import { type Command, type CommandGroup, expectWords } from '../command';
import { limitOf } from '../discovery-arguments';
import { HOOK_OPTIONS } from '../hook/options';
import { locate } from '../locating';
import { COMMON_OPTIONS, HELP_OPTION } from '../session';
import type { Colour, Terminal } from '../terminal';
import { timeOf } from '../wording';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 10_000;

/** How each event is answered. */
const EVENTS: Readonly<Record<HookEvent, readonly [summary: string, details: string]>> = {
  'session-start': [
    'Give an agent what its session begins with',
    'Project, open warnings, progress and the last sessions, within the budget.',
  ],
  'pre-tool-use': [
    'Ask before a file under a DANGER rule is changed',
    'An edit or command that touches files under a rule of level DANGER has to be confirmed; WARNING goes along as context.',
  ],
  'post-tool-use': [
    'Note what went through',
    'What was confirmed once is not asked again for the same file in this session.',
  ],
  'pre-compact': ['Note that an agent forgets', 'Rules that were told before are told again.'],
  stop: [
    'Remind an agent to store what it did',
    'At most once a session, after at least three edits, and when no summary was stored.',
  ],
};

const log: Command = {
  name: 'hook log',
  usage: ['hook log [--limit N] [--json]'],
  summary: 'Show what was asked and told, newest first',
  options: {
    limit: {
      type: 'string',
      value: 'N',
      help: `so many at most; ${DEFAULT_LIMIT} unless told, ${MAX_LIMIT} is the most`,
    },
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, []);
    const limit = limitOf(args, 'limit', MAX_LIMIT) ?? DEFAULT_LIMIT;
    const { hookRecords } = await import('../hook');
    const records = hookRecords(locate(args), limit);
    if (terminal.isJson) terminal.json(records);
    else if (records.length === 0) terminal.say('No hook has said anything here yet.');
    else for (const record of records) terminal.out(recordText(record, terminal));
    return 0;
  },
};

export const hook: CommandGroup = {
  name: 'hook',
  summary: 'Answer an agent program that asks before it acts',
  details: [
    'To be named in the configuration of an agent program, which calls it with JSON on standard input and reads JSON from',
    'standard output, in the formats of Claude Code and of VS Code. Whatever goes wrong, the agent goes on: the exit code',
    'is 0, and the answer says what it was. Where nothing is stored, nothing is said and nothing is made.',
  ].join('\n'),
  commands: [...(Object.keys(EVENTS) as HookEvent[]).map(commandOf), log],
};

function commandOf(event: HookEvent): Command {
  const [summary, details] = EVENTS[event];
  return {
    name: `hook ${event}`,
    usage: [`hook ${event} [options] <CALL.json`],
    summary,
    details,
    options: { ...HOOK_OPTIONS, help: HELP_OPTION },
    run: async (args) => {
      expectWords(args.positionals, []);
      const { runHook } = await import('../hook');
      return runHook(event, args);
    },
  };
}

const COLOURS: Readonly<Partial<Record<GuardRecord['outcome'], Colour>>> = {
  ask: 'red',
  tell: 'yellow',
  'went through': 'green',
  failed: 'magenta',
};

function recordText(
  { at, event, outcome, client, tool, rules, paths, message }: GuardRecord,
  terminal: Terminal,
): string {
  const colour = COLOURS[outcome];
  const what = colour ? terminal.paint(colour, outcome) : outcome;
  const names = rules.map(({ level, keyword, scope_id }) => `${level} ${keyword} [${scope_id}]`);
  const parts = [tool ?? '', paths.join(', '), names.join(', '), message ?? ''].filter(Boolean);
  return `${timeOf(at)}  ${client}  ${event}  ${what}${parts.length > 0 ? `  ${parts.join('  ')}` : ''}`;
}
