import { type Command, expectWords } from '../../command';
import { table } from '../../terminal';
import { EVERY_NOTES_COMMAND, SOURCE_OPTION, sourcesOf, withNotes } from './arguments';
import { collectionLine, collectionsWith, relationshipLine } from './wording';

export const get: Command = {
  name: 'notes get',
  usage: ['notes get ID [--source local|registry]... [--version V] [--links]'],
  summary: 'Print a note',
  details: 'From the project before yours, and from both before the registry, where the call names it.',
  options: {
    ...SOURCE_OPTION,
    version: { type: 'string', value: 'V', help: 'a version of the registry; the latest unless told' },
    links: { type: 'boolean', help: 'what it links to, what links to it, and which collections hold it' },
    ...EVERY_NOTES_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['ID']);
    const links = args.flag('links');
    const request = {
      zettel_id: args.positionals[0]!,
      sources: sourcesOf(args),
      version: args.string('version'),
      include_relationships: links,
      include_backlinks: links,
    };
    return withNotes(args, terminal, async ({ notes, author }) => {
      const note = await notes.get(request, { author });
      if (terminal.isJson) {
        terminal.json(note);
        return 0;
      }
      const { zettel_id, title, entry_type, tags, source_location, path, version, source_url } = note;
      const rows = [
        ['id', zettel_id],
        ['found in', [source_location, path].filter(Boolean).join(', ')],
        ...(entry_type ? [['type', entry_type]] : []),
        ...(tags.length > 0 ? [['tags', tags.join(', ')]] : []),
        ...(version ? [['version', version]] : []),
        ...(source_url ? [['source', source_url]] : []),
      ];
      terminal.out(`${terminal.paint('bold', title)}\n${terminal.paint('dim', table(rows))}\n\n${note.content.trim()}`);
      const related = [...(note.relationships ?? []), ...(note.backlinks ?? [])].map(relationshipLine);
      const lines = [...related, ...collectionsWith(notes, zettel_id, source_location).map(collectionLine)];
      if (links) terminal.out(`\n${lines.length > 0 ? table(lines) : 'No links.'}`);
      if (note.message) terminal.say(note.message);
      return 0;
    });
  },
};
