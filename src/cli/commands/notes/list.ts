import { ENTRY_TYPES } from '../../../notes';
import { type Command, expectWords } from '../../command';
import { chosen } from '../../discovery-arguments';
import { counted, table } from '../../terminal';
import { EVERY_NOTES_COMMAND, SPACE_OPTION, spaceOf, withNotes } from './arguments';
import { noteLine } from './wording';

export const list: Command = {
  name: 'notes list',
  usage: ['notes list [--in project|user] [--category FOLDER] [--type TYPE] [--tag TAG]...'],
  summary: 'List the notes of the project and yours',
  options: {
    ...SPACE_OPTION,
    category: { type: 'string', value: 'FOLDER', help: 'only those of this folder, with what is below it' },
    type: { type: 'string', value: 'TYPE', help: `only those of a type: ${ENTRY_TYPES.join(', ')}` },
    tag: { type: 'string', multiple: true, value: 'TAG', help: 'only those with this tag; may be repeated' },
    ...EVERY_NOTES_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, []);
    const category = args.string('category')?.replace(/\/+$/, '');
    const type = chosen(args, 'type', ENTRY_TYPES);
    const tags = args.strings('tag');
    const space = spaceOf(args);
    return withNotes(args, terminal, async ({ notes }) => {
      const found = notes
        .notes(space)
        .filter(
          (note) =>
            (category === undefined || note.category === category || note.category.startsWith(`${category}/`)) &&
            (type === undefined || note.entry_type === type) &&
            tags.every((tag) => note.tags.includes(tag)),
        );
      if (terminal.isJson) {
        terminal.json(
          found.map(({ links: _links, headings: _headings, problems, ...note }) => ({
            ...note,
            problems: problems.map(({ code, line, message }) => ({ code, line, message })),
          })),
        );
        return 0;
      }
      if (found.length > 0) terminal.out(table(found.map((note) => noteLine(note, note.space, terminal))));
      for (const { space: name, root, state } of notes.spaces()) {
        if (state === 'missing') terminal.say(`There is no folder ${root} yet (${name}); the first note makes it.`);
      }
      const wrong = found.filter(({ problems }) => problems.length > 0).length;
      terminal.say(
        `${counted(found.length, 'note')}${wrong > 0 ? `, ${wrong} with problems ("kaizen notes check")` : ''}.`,
      );
      return 0;
    });
  },
};
