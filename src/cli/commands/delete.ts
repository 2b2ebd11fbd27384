import { type Command, expectWords } from '../command';
import { WRITING_OPTIONS, withKaizen } from '../session';

export const deleteEntry: Command = {
  name: 'delete',
  usage: ['delete SCOPE CATEGORY KEYWORD'],
  summary: 'Delete an entry; its history stays and can be restored',
  options: {
    context: { type: 'string', value: 'TEXT', help: 'the project that asks for it; the current one unless told' },
    reason: { type: 'string', value: 'TEXT', help: 'why, for the history' },
    ...WRITING_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['SCOPE', 'CATEGORY', 'KEYWORD']);
    const [scope_id, category, keyword] = args.positionals as [string, string, string];
    return withKaizen(args, terminal, async ({ knowledge, author, project }) => {
      await knowledge.delete(
        { scope_id, category, keyword },
        { author, project_context: args.string('context') ?? project, reason: args.string('reason') },
      );
      if (terminal.isJson) terminal.json({ success: true });
      else terminal.out(`${keyword} (${category}, ${scope_id}) is deleted; kaizen history shows what it said.`);
      return 0;
    });
  },
};
