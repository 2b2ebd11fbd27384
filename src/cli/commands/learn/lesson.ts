import { type Command, expectWords } from '../../command';
import { listOf } from '../library/arguments';
import {
  DOMAIN_OPTION,
  EVERY_LEARN_COMMAND,
  neededOf,
  TYPE_OPTION,
  VISIBILITY_OPTION,
  visibilityOf,
} from './arguments';
import { act, commonActions, write } from './records';

export const lesson: Command = {
  name: 'learn lesson',
  usage: [
    'learn lesson [--type TYPE] [--domain DOMAIN]',
    'learn lesson show ID',
    'learn lesson add TITLE --lesson TEXT [--context TEXT] [--recommendation TEXT] [--of PROJECT] [--source URI]...',
    'learn lesson delete ID',
  ],
  summary: 'Lessons learned: list, add',
  options: {
    lesson: { type: 'string', value: 'TEXT', help: 'what was learned' },
    context: { type: 'string', value: 'TEXT', help: 'in which situation' },
    recommendation: { type: 'string', value: 'TEXT', help: 'what to do the next time' },
    of: { type: 'string', value: 'PROJECT', help: 'the project that taught it' },
    source: { type: 'string', multiple: true, value: 'URI', help: 'where it was learned; may be repeated' },
    type: TYPE_OPTION,
    domain: DOMAIN_OPTION,
    visibility: VISIBILITY_OPTION,
    ...EVERY_LEARN_COMMAND,
  },
  run: (args, terminal) =>
    act(args, terminal, {
      ...commonActions('lesson', () => ({ project_type: args.string('type'), domain: args.string('domain') })),
      add: async (asked) => {
        expectWords(asked.words, ['TITLE']);
        const input = {
          title: asked.words[0]!,
          lesson: neededOf(args, 'lesson', 'say what was learned'),
          ...{ context: args.string('context'), recommendation: args.string('recommendation') },
          ...{ project_id: args.string('of'), sources: listOf(args, 'source') },
          ...{ project_type: args.string('type'), domain: args.string('domain'), visibility: visibilityOf(args) },
        };
        return write(asked, { operation: 'capture_lesson', lesson: input }, 'Captured');
      },
    }),
};
