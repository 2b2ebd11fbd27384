import { ENTRY_TYPES } from '../../../notes';
import { type Command, expectWords } from '../../command';
import { chosen, limitOf } from '../../discovery-arguments';
import { emphasised, heading } from '../../discovery-output';
import { waitForIndex } from '../../indexing';
import { indent } from '../../terminal';
import { inCommands } from '../../wording';
import { EVERY_NOTES_COMMAND, SOURCE_OPTION, sourcesOf, withNotes } from './arguments';

export const search: Command = {
  name: 'notes search',
  usage: [
    'notes search QUERY [--source local|registry]... [--category FOLDER] [--type TYPE] [--tag TAG]... [--limit N]',
  ],
  summary: 'Search notes in the spaces, in the registry, or in both',
  options: {
    ...SOURCE_OPTION,
    category: { type: 'string', value: 'FOLDER', help: 'only in this folder, with what is below it' },
    type: { type: 'string', value: 'TYPE', help: `only of this type: ${ENTRY_TYPES.join(', ')}` },
    tag: { type: 'string', multiple: true, value: 'TAG', help: 'only with this tag; may be repeated' },
    limit: { type: 'string', value: 'N', help: '1 to 100; 10 unless told' },
    ...EVERY_NOTES_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['QUERY']);
    const tags = args.strings('tag');
    const request = {
      query: args.positionals[0]!,
      sources: sourcesOf(args),
      category: args.string('category'),
      entry_type: chosen(args, 'type', ENTRY_TYPES),
      tags: tags.length > 0 ? tags : undefined,
      limit: limitOf(args, 'limit', 100),
    };
    return withNotes(args, terminal, async (session) => {
      if (request.sources.includes('local')) await waitForIndex(session, terminal);
      const answer = await session.discovery.searchNotes(request);
      if (terminal.isJson) {
        terminal.json(answer);
        return 0;
      }
      const { results, total, message } = answer;
      for (const { zettel_id, title, entry_type, source_location, relevance_score, snippet, version } of results) {
        const path = version === undefined ? source_location : `${source_location} ${version}`;
        const type = entry_type ?? 'note';
        terminal.out(heading({ id: zettel_id, path, title, type, score: relevance_score }, terminal));
        terminal.out(`${indent(emphasised(snippet, terminal), '      ')}\n`);
      }
      if (message) terminal.say(inCommands(message));
      else if (total > results.length) terminal.say(`${results.length} of ${total} are shown; --limit shows more.`);
      return 0;
    });
  },
};
