import { RELATIONSHIP_TYPES } from '../../../notes';
import { type Arguments, type Command, expectWords, type Options } from '../../command';
import { chosen } from '../../discovery-arguments';
import { type Terminal, table } from '../../terminal';
import {
  EVERY_NOTES_COMMAND,
  LOCATION_OPTION,
  LOCATIONS,
  locationOf,
  SOURCE_OPTION,
  sourcesOf,
  withNotes,
} from './arguments';
import { collectionLine, collectionsWith, relationshipLine } from './wording';

const OPTIONS: Options = {
  type: { type: 'string', value: 'TYPE', help: `${RELATIONSHIP_TYPES.join(', ')}; references unless told` },
  to: { type: 'string', value: 'LOCATION', help: 'where the other note is, when it is not to be looked for' },
  ...LOCATION_OPTION,
  ...EVERY_NOTES_COMMAND,
};

export const link: Command = {
  name: 'notes link',
  usage: ['notes link FROM TO [--type TYPE] [--in LOCATION] [--to LOCATION]'],
  summary: 'Relate a note to another one',
  details: 'It is written into the front matter of the note that it starts from.',
  options: OPTIONS,
  run: (args, terminal) => change('link', args, terminal),
};

export const unlink: Command = {
  name: 'notes unlink',
  usage: ['notes unlink FROM TO [--type TYPE] [--in LOCATION] [--to LOCATION]'],
  summary: 'Take a relation away; links in the text are taken out there',
  options: OPTIONS,
  run: (args, terminal) => change('unlink', args, terminal),
};

async function change(action: 'link' | 'unlink', args: Arguments, terminal: Terminal): Promise<number> {
  expectWords(args.positionals, ['FROM', 'TO']);
  const [from_zettel_id = '', to_zettel_id = ''] = args.positionals;
  const relationship_type = chosen(args, 'type', RELATIONSHIP_TYPES) ?? 'references';
  const location = locationOf(args);
  const to_location = chosen(args, 'to', LOCATIONS);
  const ends = { from_zettel_id, to_zettel_id, relationship_type };
  return withNotes(args, terminal, async ({ notes, author }) => {
    const write = { action, ...ends, ...(location ? { location } : {}), ...(to_location ? { to_location } : {}) };
    const result = await notes.write(write, { author });
    if (terminal.isJson) terminal.json({ status: 'success', ...result });
    else {
      const relation = `${from_zettel_id} ${relationship_type} ${to_zettel_id}`;
      const before = action === 'link' ? 'was so already' : 'was not so';
      terminal.out(`${relation}: ${result.changed ? (action === 'link' ? 'stored' : 'taken away') : before}.`);
    }
    return 0;
  });
}

export const links: Command = {
  name: 'notes links',
  usage: ['notes links ID [--source local|registry]...'],
  summary: 'Show what a note links to, what links to it, and which collections hold it',
  options: { ...SOURCE_OPTION, ...EVERY_NOTES_COMMAND },

  async run(args, terminal) {
    expectWords(args.positionals, ['ID']);
    const request = {
      zettel_id: args.positionals[0]!,
      sources: sourcesOf(args),
      include_relationships: true,
      include_backlinks: true,
    };
    return withNotes(args, terminal, async ({ notes, author }) => {
      const { zettel_id, source_location, relationships = [], backlinks = [] } = await notes.get(request, { author });
      const collections = collectionsWith(notes, zettel_id, source_location);
      const lines = [...[...relationships, ...backlinks].map(relationshipLine), ...collections.map(collectionLine)];
      if (terminal.isJson) {
        const held = collections.map(({ id, name, location }) => ({ id, name, location }));
        terminal.json({ zettel_id, source_location, relationships, backlinks, collections: held });
      } else terminal.out(lines.length > 0 ? table(lines) : 'No links.');
      return 0;
    });
  },
};
