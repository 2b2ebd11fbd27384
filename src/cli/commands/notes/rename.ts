import { type Command, expectWords } from '../../command';
import { counted } from '../../terminal';
import { EVERY_NOTES_COMMAND, SPACE_OPTION, spaceOf, withNotes } from './arguments';
import { placeOf } from './wording';

export const rename: Command = {
  name: 'notes rename',
  usage: ['notes rename ID NEW_ID [--in project|user]'],
  summary: 'Give a note another id; its file and all links to it follow',
  options: { ...SPACE_OPTION, ...EVERY_NOTES_COMMAND },

  async run(args, terminal) {
    expectWords(args.positionals, ['ID', 'NEW_ID']);
    const [zettel_id = '', new_zettel_id = ''] = args.positionals;
    const space = spaceOf(args);
    return withNotes(args, terminal, async ({ notes, author }) => {
      const write = { action: 'rename' as const, zettel_id, new_zettel_id, ...(space ? { location: space } : {}) };
      const result = await notes.write(write, { author });
      if (terminal.isJson) terminal.json({ status: 'success', ...result });
      else {
        const also = result.also ?? [];
        terminal.out(`${zettel_id} is now ${placeOf(result)}.`);
        if (result.message) terminal.say(result.message);
        if (also.length > 0) terminal.out(`Links follow in ${counted(also.length, 'file')}: ${also.join(', ')}`);
      }
      return 0;
    });
  },
};
