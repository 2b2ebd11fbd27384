import { type FeedbackInput, OUTCOME_TYPES } from '../../../learning';
import { type Arguments, type Command, expectWords, UsageError } from '../../command';
import { chosen } from '../../discovery-arguments';
import { withKaizen } from '../../session';
import { listOf, shareOf } from '../library/arguments';
import { EVERY_LEARN_COMMAND } from './arguments';

const ASPECTS = ['relevance', 'completeness', 'accuracy', 'usefulness'] as const;

/** What is said of it, as one of the four operations of seed 003, 5.5.1. */
type Said =
  | Omit<Extract<FeedbackInput, { operation: 'rate' }>, 'artifact_id' | 'artifact_type'>
  | Omit<Extract<FeedbackInput, { operation: 'rate_specific' }>, 'artifact_id' | 'artifact_type'>
  | Omit<Extract<FeedbackInput, { operation: 'report_outcome' }>, 'artifact_id' | 'artifact_type'>
  | Omit<Extract<FeedbackInput, { operation: 'suggest_improvement' }>, 'artifact_id' | 'artifact_type'>;

export const feedback: Command = {
  name: 'learn feedback',
  usage: [
    'learn feedback ARTIFACT --helpful | --not-helpful | --rating N',
    'learn feedback ARTIFACT --relevance N | --completeness N | --accuracy N | --usefulness N',
    'learn feedback ARTIFACT --outcome TYPE [--rating N] [--delta PERCENT] [--modified TEXT]...',
    'learn feedback ARTIFACT --suggest TEXT... [--missing TEXT]...',
  ],
  summary: 'Say how something served that was used',
  details: `An artifact is an address (knowledge://…), or the id of a captured record or of a passage of the library. Outcomes:\n${OUTCOME_TYPES.join(', ')}.`,
  options: {
    helpful: { type: 'boolean', help: 'it helped' },
    'not-helpful': { type: 'boolean', help: 'it did not' },
    rating: { type: 'string', value: 'N', help: 'how good it is, 0 to 1' },
    relevance: { type: 'string', value: 'N', help: '0 to 1' },
    completeness: { type: 'string', value: 'N', help: '0 to 1' },
    accuracy: { type: 'string', value: 'N', help: '0 to 1' },
    usefulness: { type: 'string', value: 'N', help: '0 to 1' },
    outcome: { type: 'string', value: 'TYPE', help: 'what came of it' },
    delta: { type: 'string', value: 'PERCENT', help: 'how far estimates were off; less than thought: --delta=-20' },
    modified: { type: 'string', multiple: true, value: 'TEXT', help: 'what had to be changed; may be repeated' },
    suggest: { type: 'string', multiple: true, value: 'TEXT', help: 'how it could be better; may be repeated' },
    missing: { type: 'string', multiple: true, value: 'TEXT', help: 'what it lacks; may be repeated' },
    for: { type: 'string', value: 'TEXT', help: 'what it was used for' },
    comment: { type: 'string', value: 'TEXT', help: 'whatever else there is to say' },
    ...EVERY_LEARN_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['ARTIFACT']);
    const said = saidBy(args);
    return withKaizen(args, terminal, async ({ learning, author }) => {
      const { artifact, artifact_type } = await learning.resolve(args.positionals[0]!);
      const input = { ...said, artifact_id: artifact, artifact_type } as FeedbackInput;
      const result = await learning.feedback(input, { author });
      if (terminal.isJson) terminal.json(result);
      else {
        const { previous_score: before, new_score: now } = result.score_update;
        terminal.out(`${terminal.paint('bold', artifact)}  ${before.toFixed(2)} → ${now.toFixed(2)}`);
        for (const uri of result.propagation.propagated_to) terminal.say(`It counts for ${uri}, too.`);
      }
      return 0;
    });
  },
};

function saidBy(args: Arguments): Said {
  const common = { usage_context: args.string('for'), comment: args.string('comment') };
  const rating = shareOf(args, 'rating');
  const aspects = Object.fromEntries(
    ASPECTS.flatMap((aspect) => {
      const value = shareOf(args, aspect);
      return value === undefined ? [] : [[aspect, value]];
    }),
  );
  const outcome_type = chosen(args, 'outcome', OUTCOME_TYPES);
  const [suggestions, missing_elements] = [listOf(args, 'suggest'), listOf(args, 'missing')];
  const [yes, no] = [args.flag('helpful'), args.flag('not-helpful')];
  if (yes && no) throw new UsageError('--helpful and --not-helpful do not go together.');
  const ways = {
    '--outcome': outcome_type !== undefined,
    'an aspect': Object.keys(aspects).length > 0,
    '--suggest or --missing': suggestions !== undefined || missing_elements !== undefined,
    '--helpful': yes || no,
  };
  const [way, other] = Object.entries(ways).flatMap(([name, isSaid]) => (isSaid ? [name] : []));
  if (way !== undefined && other !== undefined) throw new UsageError(`${way} and ${other} do not go together.`);
  if (outcome_type === undefined && (args.string('delta') !== undefined || args.strings('modified').length > 0)) {
    throw new UsageError('--delta and --modified go with --outcome only.');
  }
  if (outcome_type !== undefined) {
    const outcome_details = { estimate_delta_percent: deltaOf(args), modifications_made: listOf(args, 'modified') };
    return { ...common, operation: 'report_outcome', outcome_type, rating, outcome_details };
  }
  if (way === 'an aspect' || way === '--suggest or --missing') {
    if (rating !== undefined) throw new UsageError(`--rating and ${way} do not go together.`);
    if (way === 'an aspect') return { ...common, operation: 'rate_specific', aspect_ratings: aspects };
    return { ...common, operation: 'suggest_improvement', suggestions, missing_elements };
  }
  if (way === undefined && rating === undefined) throw new UsageError('Say how it served: --helpful, --rating, …');
  return { ...common, operation: 'rate', rating, helpful: yes ? true : no ? false : undefined };
}

function deltaOf(args: Arguments): number | undefined {
  const text = args.string('delta');
  if (text === undefined) return undefined;
  if (!/^[+-]?\d{1,5}(\.\d{1,3})?$/.test(text)) throw new UsageError(`--delta needs a number, not "${text}".`);
  return Number(text);
}
