import { type Command, expectWords, UsageError } from '../command';
import { WRITING_OPTIONS, withKaizen } from '../session';
import { placeOf } from '../wording';

export const move: Command = {
  name: 'move',
  usage: ['move SCOPE CATEGORY KEYWORD [--to SCOPE] [--category CATEGORY] [--keyword KEYWORD]'],
  summary: 'Move an entry to another scope, category or keyword',
  details: 'The history stays where the entry was; both places get a revision that names the other.',
  options: {
    to: { type: 'string', value: 'SCOPE', help: 'the scope that it moves to; its own unless told' },
    category: { type: 'string', value: 'CATEGORY', help: 'the category that it moves to; its own unless told' },
    keyword: { type: 'string', value: 'KEYWORD', help: 'the keyword that it gets; its own unless told' },
    context: { type: 'string', value: 'TEXT', help: 'the project that asks for it; the current one unless told' },
    reason: { type: 'string', value: 'TEXT', help: 'why, for the history' },
    ...WRITING_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['SCOPE', 'CATEGORY', 'KEYWORD']);
    const [scope_id, category, keyword] = args.positionals as [string, string, string];
    const from = { scope_id, category, keyword };
    const to = {
      scope_id: args.string('to') ?? scope_id,
      category: args.string('category') ?? category,
      keyword: args.string('keyword') ?? keyword,
    };
    if (['to', 'category', 'keyword'].every((option) => args.string(option) === undefined)) {
      throw new UsageError('Where to? Give --to, --category or --keyword.');
    }
    return withKaizen(args, terminal, async ({ knowledge, author, project }) => {
      const change = { author, project_context: args.string('context') ?? project, reason: args.string('reason') };
      const moved = await knowledge.move(from, to, change);
      if (terminal.isJson) terminal.json(moved);
      else terminal.out(`${placeOf(from)} is now ${placeOf(moved)}.`);
      return 0;
    });
  },
};
