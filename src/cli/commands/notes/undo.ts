import { KaizenError } from '../../../core/errors';
import { type Command, expectWords, UsageError } from '../../command';
import { timeOf } from '../../wording';
import { EVERY_NOTES_COMMAND, withNotes } from './arguments';

export const undo: Command = {
  name: 'notes undo',
  usage: ['notes undo [NUMBER]'],
  summary: 'Take back a change of notes: the last one, or one of "kaizen notes changes"',
  details: 'Refused when one of its files was changed since. This is a change too, and can be undone.',
  options: EVERY_NOTES_COMMAND,

  async run(args, terminal) {
    expectWords(args.positionals, [], 1);
    const [word] = args.positionals;
    if (word !== undefined && !/^[1-9]\d{0,14}$/.test(word)) {
      throw new UsageError(`NUMBER is one of "kaizen notes changes", not "${word}".`);
    }
    return withNotes(args, terminal, async ({ notes, author }) => {
      const id = word === undefined ? notes.revisions({ limit: 1 })[0]?.id : Number(word);
      if (id === undefined) throw new KaizenError('unknown_revision', 'No note was changed through Kaizen yet.');
      const undone = notes.revisions().find((each) => each.id === id);
      const revision = await notes.undo(id, { author });
      if (terminal.isJson) terminal.json({ undone: undone ?? null, revision });
      else if (undone) terminal.out(`Undid ${undone.action} of ${undone.zettel_id}, ${timeOf(undone.at)}.`);
      return 0;
    });
  },
};
