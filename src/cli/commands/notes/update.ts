import { type Command, expectWords, UsageError } from '../../command';
import { readFileOrInput } from '../../terminal';
import { EVERY_NOTES_COMMAND, FIELD_OPTIONS, fieldsOf, LOCATION_OPTION, locationOf, withNotes } from './arguments';
import { placeOf } from './wording';

export const update: Command = {
  name: 'notes update',
  usage: ['notes update ID [--title TEXT] [--tag TAG]... [--content FILE|-] … [--in project|user|registry]'],
  summary: 'Change a note; what is not named stays',
  options: {
    ...FIELD_OPTIONS,
    'no-tags': { type: 'boolean', help: 'take all tags away' },
    content: { type: 'string', value: 'FILE|-', help: 'the new text below the front matter' },
    ...LOCATION_OPTION,
    ...EVERY_NOTES_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['ID']);
    const fields = fieldsOf(args);
    if (fields.tags && args.flag('no-tags')) throw new UsageError('--tag and --no-tags exclude each other.');
    const file = args.string('content');
    const content = file === undefined ? undefined : await readFileOrInput(file, terminal);
    const patch = { ...fields, content, ...(args.flag('no-tags') ? { tags: null } : {}) };
    if (Object.values(patch).every((value) => value === undefined)) throw new UsageError('Nothing is to be changed.');
    const [zettel_id = ''] = args.positionals;
    const location = locationOf(args);
    return withNotes(args, terminal, async ({ notes, author }) => {
      const write = { action: 'update' as const, zettel_id, patch, ...(location ? { location } : {}) };
      const result = await notes.write(write, { author });
      if (terminal.isJson) terminal.json({ status: 'success', ...result });
      else terminal.out(`${placeOf(result)} is changed.`);
      return 0;
    });
  },
};
