import { KaizenError } from '../../../core/errors';
import { COLLECTION_TYPES, type Collection, type Space } from '../../../notes';
import { type Arguments, type Command, expectWords, UsageError } from '../../command';
import { chosen } from '../../discovery-arguments';
import { counted, type Terminal, table } from '../../terminal';
import { EVERY_NOTES_COMMAND, LOCATION_OPTION, locationOf, spaceOf, withNotes } from './arguments';

export const collections: Command = {
  name: 'notes collections',
  usage: ['notes collections [ID] [--in project|user|registry]', 'notes collections ID --delete [--in project|user]'],
  summary: 'List collections of notes, show one, or delete one',
  details: 'Deleting a collection leaves its notes as they are; "kaizen notes undo" brings it back.',
  options: {
    delete: { type: 'boolean', help: 'delete it' },
    ...LOCATION_OPTION,
    ...EVERY_NOTES_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 1);
    const [id] = args.positionals;
    if (args.flag('delete')) return deleteOne(id, args, terminal);
    const location = locationOf(args);
    return withNotes(args, terminal, async ({ notes }) => {
      const inRegistry = location === 'registry' ? await (await notes.registry()).collections() : undefined;
      if (id === undefined) return listAll(inRegistry ?? notes.collections(location as Space | undefined), terminal);
      const found = inRegistry
        ? inRegistry.find((each) => each.id === id || each.name === id)
        : notes.collection(id, location as Space | undefined);
      if (!found) throw new KaizenError('unknown_collection', `The registry has no collection "${id}".`);
      return show(found, terminal);
    });
  },
};

function listAll(all: readonly Collection[], terminal: Terminal): number {
  if (terminal.isJson) terminal.json(all);
  else if (all.length === 0) terminal.out('There are no collections.');
  else terminal.out(table(all.map(rowOf)));
  return 0;
}

function show(collection: Collection, terminal: Terminal): number {
  if (terminal.isJson) {
    terminal.json(collection);
    return 0;
  }
  const { name, description, collection_type, zettel_ids, location } = collection;
  terminal.out(`${terminal.paint('bold', name)}  ${terminal.paint('dim', `${collection_type}, ${location}`)}`);
  if (description) terminal.out(description);
  terminal.out(zettel_ids.map((each, at) => `${String(at + 1).padStart(3)}  ${each}`).join('\n'));
  return 0;
}

async function deleteOne(id: string | undefined, args: Arguments, terminal: Terminal): Promise<number> {
  if (id === undefined) throw new UsageError('ID is missing: which collection is to be deleted?');
  const location = spaceOf(args);
  return withNotes(args, terminal, async ({ notes, author }) => {
    const write = { action: 'delete_collection' as const, id, ...(location ? { location } : {}) };
    const result = await notes.write(write, { author });
    if (terminal.isJson) terminal.json({ status: 'success', ...result });
    else terminal.out(`${result.collection.id} (${result.collection.location}) is deleted; its notes stay.`);
    return 0;
  });
}

function rowOf({ id, name, collection_type, zettel_ids, location }: Collection): string[] {
  return [id, name, collection_type, counted(zettel_ids.length, 'note'), location];
}

export const collect: Command = {
  name: 'notes collect',
  usage: [
    'notes collect NAME ID... [--type TYPE] [--description TEXT] [--in project|user|registry]',
    'notes collect NAME ID... --add | --remove [--in project|user]',
  ],
  summary: 'Make a collection of notes, or change which it holds',
  options: {
    add: { type: 'boolean', help: 'append the notes to a collection that there is' },
    remove: { type: 'boolean', help: 'take the notes out of a collection that there is' },
    type: { type: 'string', value: 'TYPE', help: `${COLLECTION_TYPES.join(', ')}; topic unless told` },
    description: { type: 'string', value: 'TEXT', help: 'what it is for' },
    ...LOCATION_OPTION,
    ...EVERY_NOTES_COMMAND,
  },

  async run(args, terminal) {
    const [name, ...ids] = args.positionals;
    if (name === undefined) throw new UsageError('NAME is missing.');
    if (ids.length === 0) throw new UsageError('ID is missing: which notes?');
    if (args.flag('add') && args.flag('remove')) throw new UsageError('--add and --remove exclude each other.');
    if (args.flag('add') || args.flag('remove')) return changeMembers(name, ids, args, terminal);
    const collection_type = chosen(args, 'type', COLLECTION_TYPES) ?? 'topic';
    const input = { name, description: args.string('description') ?? '', zettel_ids: ids, collection_type };
    const location = locationOf(args) ?? 'project';
    return withNotes(args, terminal, async ({ notes, author }) =>
      tell(await notes.write({ action: 'create_collection', location, input }, { author }), terminal),
    );
  },
};

async function changeMembers(
  name: string,
  ids: readonly string[],
  args: Arguments,
  terminal: Terminal,
): Promise<number> {
  if (args.string('type') !== undefined || args.string('description') !== undefined) {
    throw new UsageError('--type and --description are for a new collection.');
  }
  const space = spaceOf(args);
  return withNotes(args, terminal, async ({ notes, author }) => {
    const { id, location, zettel_ids } = notes.collection(name, space);
    const others = zettel_ids.filter((each) => !ids.includes(each));
    const patch = { zettel_ids: args.flag('add') ? [...new Set([...zettel_ids, ...ids])] : others };
    const write = { action: 'update_collection' as const, location: location as Space, id, patch };
    return tell(await notes.write(write, { author }), terminal);
  });
}

function tell(result: { collection: Collection; path?: string | undefined }, terminal: Terminal): number {
  const { id, location, zettel_ids } = result.collection;
  if (terminal.isJson) terminal.json({ status: 'success', ...result });
  else terminal.out(`${id} (${result.path ?? location}) holds ${counted(zettel_ids.length, 'note')}.`);
  return 0;
}
