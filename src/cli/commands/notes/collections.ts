import { COLLECTION_TYPES, type Collection } from '../../../notes';
import { type Command, expectWords, UsageError } from '../../command';
import { chosen } from '../../discovery-arguments';
import { counted, table } from '../../terminal';
import { EVERY_NOTES_COMMAND, LOCATION_OPTION, locationOf, withNotes } from './arguments';

export const collections: Command = {
  name: 'notes collections',
  usage: ['notes collections [ID] [--in project|user|registry]'],
  summary: 'List collections of notes, or show one',
  options: { ...LOCATION_OPTION, ...EVERY_NOTES_COMMAND },

  async run(args, terminal) {
    expectWords(args.positionals, [], 1);
    const [id] = args.positionals;
    const location = locationOf(args);
    return withNotes(args, terminal, async ({ notes }) => {
      const all =
        location === 'registry' ? await (await notes.registry()).collections() : [...notes.collections(location)];
      if (id === undefined) {
        if (terminal.isJson) terminal.json(all);
        else if (all.length === 0) terminal.out('There are no collections.');
        else terminal.out(table(all.map(rowOf)));
        return 0;
      }
      const found =
        location === 'registry'
          ? all.find((each) => each.id === id || each.name === id)
          : notes.collection(id, location);
      if (!found) throw new UsageError(`The registry has no collection "${id}".`);
      if (terminal.isJson) {
        terminal.json(found);
        return 0;
      }
      const { name, description, collection_type, zettel_ids, location: where } = found;
      terminal.out(`${terminal.paint('bold', name)}  ${terminal.paint('dim', `${collection_type}, ${where}`)}`);
      if (description) terminal.out(description);
      terminal.out(zettel_ids.map((each, at) => `${String(at + 1).padStart(3)}  ${each}`).join('\n'));
      return 0;
    });
  },
};

function rowOf({ id, name, collection_type, zettel_ids, location }: Collection): string[] {
  return [id, name, collection_type, counted(zettel_ids.length, 'note'), location];
}

export const collect: Command = {
  name: 'notes collect',
  usage: ['notes collect NAME ID... [--type TYPE] [--description TEXT] [--in project|user|registry]'],
  summary: 'Make a collection of notes',
  options: {
    type: { type: 'string', value: 'TYPE', help: `${COLLECTION_TYPES.join(', ')}; topic unless told` },
    description: { type: 'string', value: 'TEXT', help: 'what it is for' },
    ...LOCATION_OPTION,
    ...EVERY_NOTES_COMMAND,
  },

  async run(args, terminal) {
    const [name, ...zettel_ids] = args.positionals;
    if (name === undefined) throw new UsageError('NAME is missing.');
    if (zettel_ids.length === 0) throw new UsageError('ID is missing: a collection needs a note.');
    const collection_type = chosen(args, 'type', COLLECTION_TYPES) ?? 'topic';
    const input = { name, description: args.string('description') ?? '', zettel_ids, collection_type };
    const location = locationOf(args) ?? 'project';
    return withNotes(args, terminal, async ({ notes, author }) => {
      const result = await notes.write({ action: 'create_collection', location, input }, { author });
      if (terminal.isJson) terminal.json({ status: 'success', ...result });
      else {
        const where = result.path ?? result.collection.location;
        terminal.out(`${result.collection.id} (${where}) holds ${counted(zettel_ids.length, 'note')}.`);
      }
      return 0;
    });
  },
};
