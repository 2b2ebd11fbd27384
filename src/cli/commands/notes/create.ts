import { type Command, expectWords, UsageError } from '../../command';
import { EVERY_NOTES_COMMAND, FIELD_OPTIONS, fieldsOf, LOCATION_OPTION, locationOf, withNotes } from './arguments';
import { placeOf } from './wording';

export const create: Command = {
  name: 'notes create',
  usage: ['notes create ID [CONTENT|-] --type TYPE [--title TEXT] [--tag TAG]... [--in project|user|registry]'],
  summary: 'Make a note; one that is there is never replaced',
  details: 'Without CONTENT, or with -, the text is read from standard input. It goes to the project unless told.',
  options: { ...FIELD_OPTIONS, ...LOCATION_OPTION, ...EVERY_NOTES_COMMAND },

  async run(args, terminal) {
    expectWords(args.positionals, ['ID'], 2);
    const [zettel_id = '', given] = args.positionals;
    const { title = zettel_id, entry_type, ...fields } = fieldsOf(args);
    if (entry_type === undefined) throw new UsageError('--type is missing: pattern, learning, concept, …');
    const content = given !== undefined && given !== '-' ? given : await terminal.readInput();
    if (content === undefined) throw new UsageError('CONTENT is missing: give it as a word or on standard input.');
    const input = { zettel_id, title, entry_type, content, ...fields };
    const location = locationOf(args) ?? 'project';
    return withNotes(args, terminal, async ({ notes, author }) => {
      const result = await notes.write({ action: 'create', location, input }, { author });
      if (terminal.isJson) terminal.json({ status: 'success', ...result });
      else terminal.out(`${placeOf(result)} is there.`);
      return 0;
    });
  },
};
