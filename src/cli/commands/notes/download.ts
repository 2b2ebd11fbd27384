import { SPACES, type Space } from '../../../notes';
import { type Command, expectWords, UsageError } from '../../command';
import { EVERY_NOTES_COMMAND, withNotes } from './arguments';
import { tellDownloads } from './wording';

export const download: Command = {
  name: 'notes download',
  usage: ['notes download ID [--to project|user]... [--version V] [--overwrite]'],
  summary: 'Download a note from the registry into a space',
  details: 'To yours unless told. A file with another text is kept, and the difference shown.',
  options: {
    to: { type: 'string', multiple: true, value: 'SPACE', help: 'project or user; may be repeated' },
    version: { type: 'string', value: 'V', help: 'the latest unless told' },
    overwrite: { type: 'boolean', help: 'replace a file with another text; "kaizen notes undo" brings it back' },
    ...EVERY_NOTES_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['ID']);
    const [zettel_id = ''] = args.positionals;
    const version = args.string('version');
    const named = args.strings('to').map(spaceNamed);
    const destination: Space[] = named.length > 0 ? [...new Set(named)] : ['user'];
    return withNotes(args, terminal, async ({ notes, author }) => {
      const result = await notes.write(
        {
          action: 'download',
          zettel_id,
          destination,
          overwrite: args.flag('overwrite'),
          ...(version === undefined ? {} : { version }),
        },
        { author },
      );
      if (terminal.isJson) terminal.json(result);
      else tellDownloads(result.downloads, terminal);
      return result.downloads.some(({ status }) => status === 'conflict') ? 1 : 0;
    });
  },
};

function spaceNamed(word: string): Space {
  const space = SPACES.find((each) => each === word);
  if (space === undefined) throw new UsageError(`--to takes ${SPACES.join(' or ')}, not "${word}".`);
  return space;
}
