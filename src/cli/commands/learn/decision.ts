import type { DecisionInput } from '../../../learning';
import { type Command, expectWords } from '../../command';
import { listOf } from '../library/arguments';
import {
  DOMAIN_OPTION,
  EVERY_LEARN_COMMAND,
  FROM_OPTION,
  fileOf,
  neededOf,
  said,
  VISIBILITY_OPTION,
  visibilityOf,
} from './arguments';
import { act, commonActions, write } from './records';

export const decision: Command = {
  name: 'learn decision',
  usage: [
    'learn decision [--domain DOMAIN]',
    'learn decision show ID',
    'learn decision add TITLE --decision TEXT [--why TEXT] [--context TEXT] [--alternative NAME]... [--criterion TEXT]...',
    'learn decision add [TITLE] --from FILE',
    'learn decision delete ID',
  ],
  summary: 'Decisions with what speaks for them: list, add',
  options: {
    decision: { type: 'string', value: 'TEXT', help: 'what was decided' },
    why: { type: 'string', value: 'TEXT', help: 'the reason' },
    context: { type: 'string', value: 'TEXT', help: 'what made it necessary' },
    alternative: { type: 'string', multiple: true, value: 'NAME', help: 'what was not chosen; may be repeated' },
    criterion: { type: 'string', multiple: true, value: 'TEXT', help: 'what it was measured by; may be repeated' },
    consequence: { type: 'string', multiple: true, value: 'TEXT', help: 'what follows from it; may be repeated' },
    date: { type: 'string', value: 'DATE', help: 'when it was made; today unless told' },
    of: { type: 'string', value: 'PROJECT', help: 'the project that it belongs to' },
    from: FROM_OPTION,
    domain: DOMAIN_OPTION,
    visibility: VISIBILITY_OPTION,
    ...EVERY_LEARN_COMMAND,
  },
  run: (args, terminal) =>
    act(args, terminal, {
      ...commonActions('decision', () => ({ domain: args.string('domain') })),
      add: async (asked) => {
        const file = await fileOf<DecisionInput>(args);
        expectWords(asked.words, file?.title === undefined ? ['TITLE'] : [], 1);
        const decided = file?.decision === undefined ? neededOf(args, 'decision', 'say what was decided') : undefined;
        const given = said({
          title: asked.words[0],
          decision: decided ?? args.string('decision'),
          ...{ rationale: args.string('why'), context: args.string('context') },
          alternatives: listOf(args, 'alternative')?.map((name) => ({ name })),
          ...{ criteria: listOf(args, 'criterion'), consequences: listOf(args, 'consequence') },
          ...{ decision_date: args.string('date'), project_id: args.string('of'), domain: args.string('domain') },
          visibility: visibilityOf(args),
        });
        const input = { ...file, ...given } as DecisionInput;
        return write(asked, { operation: 'capture_decision', decision: input }, 'Captured');
      },
    }),
};
