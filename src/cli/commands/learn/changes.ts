import type { LearningRevision } from '../../../learning';
import { type Command, expectWords, UsageError } from '../../command';
import { limitOf } from '../../discovery-arguments';
import { withKaizen } from '../../session';
import { counted, table } from '../../terminal';
import { EVERY_LEARN_COMMAND } from './arguments';

const MOST = 2_000;

export const changes: Command = {
  name: 'learn changes',
  usage: ['learn changes [--limit N]'],
  summary: 'What was captured, changed and deleted, by whom, newest first',
  options: {
    limit: { type: 'string', value: 'N', help: `at most so many, 1 to ${MOST}; 20 unless told` },
    ...EVERY_LEARN_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, []);
    const limit = limitOf(args, 'limit', MOST) ?? 20;
    return withKaizen(args, terminal, async ({ learning }) => {
      const made = learning.revisions({ limit });
      if (terminal.isJson) terminal.json(made);
      else {
        if (made.length > 0) terminal.out(table(made.map(row)));
        terminal.say(`${counted(made.length, 'change')}.`);
      }
      return 0;
    });
  },
};

function row({ revision, operation, kind, title, author, by_agent, at }: LearningRevision): string[] {
  const time = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  return [String(revision), operation, kind, title, `${author}${by_agent ? ' (agent)' : ''}`, time];
}

export const undo: Command = {
  name: 'learn undo',
  usage: ['learn undo NUMBER'],
  summary: 'Take a change back, with all that it captured; undoing that is doing it again',
  details: '"kaizen learn changes" lists the numbers.',
  options: EVERY_LEARN_COMMAND,

  async run(args, terminal) {
    expectWords(args.positionals, ['NUMBER']);
    const [word] = args.positionals as [string];
    if (!/^[1-9]\d{0,14}$/.test(word)) throw new UsageError(`NUMBER is the number of a change, not "${word}".`);
    return withKaizen(args, terminal, async ({ learning, author }) => {
      await learning.undo(Number(word), { author });
      if (terminal.isJson) terminal.json({ undone: Number(word) });
      else terminal.out(`Change ${word} is taken back.`);
      return 0;
    });
  },
};
