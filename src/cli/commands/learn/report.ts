import { LEARNED_KINDS } from '../../../learning';
import { type Command, expectWords } from '../../command';
import { limitOf } from '../../discovery-arguments';
import { withKaizen } from '../../session';
import { counted, table } from '../../terminal';
import { EVERY_LEARN_COMMAND } from './arguments';

const MOST = 1_000;

export const report: Command = {
  name: 'learn report',
  usage: ['learn report [--limit N]'],
  summary: 'What was asked and not found, what is used most, and what was captured',
  details: 'As far as it was counted: what agents are given, what is used, what is asked (docs/learning.md).',
  options: {
    limit: { type: 'string', value: 'N', help: `at most so many of each, 1 to ${MOST}; 10 unless told` },
    ...EVERY_LEARN_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, []);
    const limit = limitOf(args, 'limit', MOST) ?? 10;
    return withKaizen(args, terminal, async ({ learning }) => {
      const captured = Object.fromEntries(LEARNED_KINDS.map((kind) => [kind, learning.list(kind).length]));
      const unanswered = learning.queries(limit, { unanswered: true });
      const asked = learning.queries(limit);
      const used = learning.uses(limit);
      if (terminal.isJson) {
        terminal.json({ captured, unanswered, asked, used });
        return 0;
      }
      const said = Object.entries(captured).map(([kind, count]) => counted(count, kind));
      terminal.out(said.join(', '));
      const section = (title: string, rows: string[][]) => {
        if (rows.length > 0) terminal.out(`\n${terminal.paint('bold', title)}\n${table(rows)}`);
      };
      section(
        'Asked and not found',
        unanswered.map(({ query, unanswered: times, tool }) => [`${times}×`, query, tool]),
      );
      section(
        'Asked most',
        asked.map(({ query, times, tool }) => [`${times}×`, query, tool]),
      );
      section(
        'Used most',
        used.map(({ artifact, retrieved, used: uses }) => [`${retrieved} given`, `${uses} used`, artifact]),
      );
      return 0;
    });
  },
};
