import type { NoteRevision } from '../../../notes';
import { type Command, expectWords } from '../../command';
import { limitOf } from '../../discovery-arguments';
import { COMMON_OPTIONS, NOTES_OPTIONS, withKaizen } from '../../session';
import { table } from '../../terminal';
import { authorOf, timeOf } from '../../wording';

export const changes: Command = {
  name: 'notes changes',
  usage: ['notes changes [ID] [--limit N]'],
  summary: 'List what was changed through Kaizen, the latest first',
  options: {
    limit: { type: 'string', value: 'N', help: '1 to 1000; 20 unless told' },
    ...NOTES_OPTIONS,
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 1);
    const [zettel_id] = args.positionals;
    const limit = limitOf(args, 'limit', 1_000) ?? 20;
    return withKaizen(args, terminal, async ({ notes }) => {
      const found = notes.revisions({ limit, ...(zettel_id === undefined ? {} : { zettel_id }) });
      if (terminal.isJson) terminal.json(found);
      else if (found.length === 0) terminal.out('No note was changed through Kaizen yet.');
      else terminal.out(table(found.map((revision) => rowOf(revision))));
      return 0;
    });
  },
};

function rowOf(revision: NoteRevision): string[] {
  const { id, action, zettel_id, space, at, files } = revision;
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  return [String(id), action, `${zettel_id} (${space})${more}`, timeOf(at), authorOf(revision)];
}
