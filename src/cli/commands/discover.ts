import { type DiscoverResult, TASK_TYPES } from '../../discovery';
import { type Command, expectWords } from '../command';
import { chosen, limitOf } from '../discovery-arguments';
import { heading, riskLabel } from '../discovery-output';
import { globsRoot, pathBelow } from '../files';
import { waitForIndex } from '../indexing';
import { BASES_OPTIONS, COMMON_OPTIONS, NOTES_OPTIONS, withKaizen } from '../session';
import { counted, indent, type Terminal } from '../terminal';
import { inCommands } from '../wording';

export const discover: Command = {
  name: 'discover',
  usage: ['discover TASK [--task-type TYPE] [--file FILE] [--max N] [--budget TOKENS]'],
  summary: 'Show what an agent would be told to read for a task',
  details: 'Warnings first, then what is worth reading, the most relevant first (tool discover_context).',
  options: {
    'task-type': { type: 'string', value: 'TYPE', help: TASK_TYPES.join(', ') },
    file: { type: 'string', value: 'FILE', help: 'the file that is being worked on' },
    max: { type: 'string', value: 'N', help: 'how many to recommend, 1 to 50; 5 unless told' },
    budget: { type: 'string', value: 'TOKENS', help: 'recommend no more than fits into so many tokens' },
    ...BASES_OPTIONS,
    ...NOTES_OPTIONS,
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['TASK']);
    const file = args.string('file');
    const request = {
      task_description: args.positionals[0]!,
      task_type: chosen(args, 'task-type', TASK_TYPES),
      // As rules name it, wherever in the repository somebody stands.
      current_file: file && (pathBelow(globsRoot(args.string('workspace')), file) ?? file),
      max_results: limitOf(args, 'max', 50),
      token_budget: limitOf(args, 'budget', 1_000_000),
    };
    return withKaizen(args, terminal, async (session) => {
      await waitForIndex(session, terminal);
      const result = await session.discovery.discover(request);
      if (terminal.isJson) terminal.json(result);
      else show(result, terminal);
      return 0;
    });
  },
};

function show({ recommendations, warnings, total_available, message }: DiscoverResult, terminal: Terminal): void {
  for (const { title, risks } of warnings) {
    for (const risk of risks) {
      terminal.out(`${riskLabel(risk.level, terminal)} ${risk.text} ${terminal.paint('dim', `(${title})`)}`);
    }
  }
  if (warnings.length > 0) terminal.out('');
  for (const { relevance_score: score, estimated_tokens, reason, ...what } of recommendations) {
    terminal.out(heading({ ...what, score }, terminal));
    const tokens = terminal.paint('dim', `(about ${counted(estimated_tokens, 'token')})`);
    terminal.out(`${indent(`${reason.replace('; include_children', '; --children')} ${tokens}`, '      ')}\n`);
  }
  if (message) terminal.say(inCommands(message));
  else terminal.say(`${recommendations.length} of ${total_available} are recommended.`);
}
