import { type Command, expectWords, UsageError } from '../../command';
import { EVERY_NOTES_COMMAND, LOCATION_OPTION, locationOf, withNotes } from './arguments';
import { placeOf } from './wording';

export const deleteNote: Command = {
  name: 'notes delete',
  usage: ['notes delete ID [--in project|user|registry] [--yes]'],
  summary: 'Delete a note; "kaizen notes undo" brings a file back',
  details: 'In the registry it goes with all of its versions, for everybody, and nothing brings it back.',
  options: {
    yes: { type: 'boolean', short: 'y', help: 'do not ask' },
    ...LOCATION_OPTION,
    ...EVERY_NOTES_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['ID']);
    const [zettel_id = ''] = args.positionals;
    const location = locationOf(args);
    return withNotes(args, terminal, async ({ notes, author }) => {
      const title = location === 'registry' ? zettel_id : notes.resolve({ zettel_id, space: location }).title;
      const from = location === 'registry' ? ' from the registry, with all versions' : '';
      const agreed = args.flag('yes') || (await terminal.confirm(`Delete "${title}"${from}?`));
      if (agreed === undefined) throw new UsageError('Nobody can be asked here: --yes agrees to it.');
      if (!agreed) {
        terminal.say('Nothing was deleted.');
        return 1;
      }
      const write = { action: 'delete' as const, zettel_id, ...(location ? { location } : {}) };
      const result = await notes.write(write, { author });
      if (terminal.isJson) terminal.json({ status: 'success', ...result });
      else terminal.out(`${placeOf(result)} is deleted.`);
      return 0;
    });
  },
};
