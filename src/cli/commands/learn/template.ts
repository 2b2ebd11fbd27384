import { type Command, expectWords } from '../../command';
import { DOMAIN_OPTION, EVERY_LEARN_COMMAND, TYPE_OPTION } from './arguments';
import { act, commonActions, write } from './records';

export const template: Command = {
  name: 'learn template',
  usage: [
    'learn template [--type TYPE] [--domain DOMAIN]',
    'learn template show ID',
    'learn template make PROJECT NAME [--note TEXT]',
    'learn template delete ID',
  ],
  summary: 'What generalises of projects: list, make one from a project',
  details: 'Under the name of a template of projects of the same type it becomes one with it (docs/learning.md).',
  options: {
    type: TYPE_OPTION,
    domain: DOMAIN_OPTION,
    note: { type: 'string', value: 'TEXT', help: 'what was left out or changed so that it holds for others' },
    ...EVERY_LEARN_COMMAND,
  },
  run: (args, terminal) =>
    act(args, terminal, {
      ...commonActions('template', () => ({ project_type: args.string('type'), domain: args.string('domain') })),
      make: async (asked) => {
        expectWords(asked.words, ['PROJECT', 'NAME']);
        const [project_id, template_name] = asked.words as [string, string];
        const generalization_notes = args.string('note');
        return write(asked, { operation: 'capture_template', project_id, template_name, generalization_notes }, 'Made');
      },
    }),
};
