import type { ArtifactScore } from '../../../learning';
import { type Command, expectWords } from '../../command';
import { limitOf } from '../../discovery-arguments';
import { withKaizen } from '../../session';
import { counted, type Terminal } from '../../terminal';
import { EVERY_LEARN_COMMAND } from './arguments';

const MOST = 1_000;

export const score: Command = {
  name: 'learn score',
  usage: ['learn score [--limit N]', 'learn score ARTIFACT'],
  summary: 'Scores of what was rated or used, best first; of one artifact, how to recompute it by hand',
  details: 'An artifact is an address (knowledge://…), or the id of a captured record or of a passage of the library.',
  options: {
    limit: { type: 'string', value: 'N', help: `at most so many, 1 to ${MOST}; 100 unless told` },
    ...EVERY_LEARN_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 1);
    const [artifact] = args.positionals;
    const limit = limitOf(args, 'limit', MOST);
    return withKaizen(args, terminal, async ({ learning }) => {
      if (artifact === undefined) {
        const scores = await learning.scores(limit);
        if (terminal.isJson) terminal.json(scores);
        else {
          for (const each of scores) terminal.out(scoreLine(each, terminal));
          terminal.say(`${counted(scores.length, 'score')}.`);
        }
        return 0;
      }
      const explained = learning.explain((await learning.resolve(artifact)).artifact);
      if (terminal.isJson) terminal.json(explained);
      else
        terminal.out([scoreLine(explained.score, terminal), ...explained.steps.map((step) => `  ${step}`)].join('\n'));
      return 0;
    });
  },
};

/** `0.86  ★★★★★  from 12 ratings, 4 uses  knowledge://…` */
function scoreLine(each: ArtifactScore, terminal: Terminal): string {
  const { artifact, composite_score, stars, times_feedback_received: ratings, times_used: uses } = each;
  const shown = terminal.paint('bold', composite_score.toFixed(2));
  const from = `from ${counted(ratings, 'rating')}, ${counted(uses, 'use')}`;
  return `${shown}  ${'★'.repeat(stars).padEnd(5, '☆')}  ${from}  ${terminal.paint('dim', artifact)}`;
}
