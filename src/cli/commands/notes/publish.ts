import { type Command, expectWords } from '../../command';
import { EVERY_NOTES_COMMAND, SPACE_OPTION, spaceOf, withNotes } from './arguments';
import { paintedDifference } from './wording';

export const publish: Command = {
  name: 'notes publish',
  usage: ['notes publish ID [--version V] [--in project|user] [--yes]'],
  summary: 'Publish a note to the registry as a new version',
  details: [
    'The next patch version unless one is named, 1.0.0 for the first; it is written into the note. Refused, with the',
    'difference, when the registry has something that the note is not based on: download it first, or --yes.',
  ].join('\n'),
  options: {
    version: { type: 'string', value: 'V', help: 'semver, above the latest' },
    yes: { type: 'boolean', short: 'y', help: 'publish over what others published since' },
    ...SPACE_OPTION,
    ...EVERY_NOTES_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['ID']);
    const [zettel_id = ''] = args.positionals;
    const version = args.string('version');
    const space = spaceOf(args);
    return withNotes(args, terminal, async ({ notes, author }) => {
      const result = await notes.write(
        {
          action: 'publish',
          zettel_id,
          confirmed: args.flag('yes'),
          ...(version === undefined ? {} : { version }),
          ...(space ? { location: space } : {}),
        },
        { author },
      );
      if (terminal.isJson) terminal.json(result);
      else if (result.status === 'conflict') {
        terminal.say(`kaizen: ${result.conflict.message}`);
        if (result.conflict.difference) terminal.out(paintedDifference(result.conflict.difference, terminal));
      } else {
        const isNew = result.status === 'published';
        terminal.out(
          `${zettel_id} is ${isNew ? `published as ${result.version}` : `in the registry as ${result.version} already`}.`,
        );
        if (result.message) terminal.say(result.message);
      }
      return result.status === 'conflict' ? 1 : 0;
    });
  },
};
