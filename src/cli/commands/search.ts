import { SEARCH_TYPES } from '../../discovery';
import { type Command, expectWords } from '../command';
import { chosen, limitOf } from '../discovery-arguments';
import { emphasised, heading } from '../discovery-output';
import { waitForIndex } from '../indexing';
import { BASES_OPTIONS, COMMON_OPTIONS, NOTES_OPTIONS, withKaizen } from '../session';
import { indent } from '../terminal';
import { inCommands } from '../wording';

export const search: Command = {
  name: 'search',
  usage: ['search QUERY [--type hybrid|semantic|keyword] [--scope ID]... [--limit N]'],
  summary: 'Search entries and knowledge bases',
  details: [
    'Plain words, any of which may occur, as agents search (tool search_knowledge). The number before a hit says how',
    'directly it is about the query: from 0.9 it is, from 0.7 it is important, from 0.5 it may be of use.',
  ].join('\n'),
  options: {
    type: { type: 'string', value: 'TYPE', help: `${SEARCH_TYPES.join(', ')}; hybrid unless told` },
    scope: {
      type: 'string',
      multiple: true,
      value: 'ID',
      help: 'only in this knowledge base, node (with what is below it) or scope; may be repeated',
    },
    limit: { type: 'string', value: 'N', help: '1 to 100; 10 unless told' },
    ...BASES_OPTIONS,
    ...NOTES_OPTIONS,
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['QUERY']);
    const scope = args.strings('scope');
    const request = {
      query: args.positionals[0]!,
      search_type: chosen(args, 'type', SEARCH_TYPES),
      scope: scope.length > 0 ? scope : undefined,
      max_results: limitOf(args, 'limit', 100),
    };
    return withKaizen(args, terminal, async (session) => {
      await waitForIndex(session, terminal);
      const answer = await session.discovery.search(request);
      if (terminal.isJson) {
        terminal.json(answer);
        return 0;
      }
      const { results, total, message } = answer;
      for (const { id, path, title, type, score, snippet } of results) {
        terminal.out(heading({ id, path, title, type, score }, terminal));
        terminal.out(`${indent(emphasised(snippet, terminal), '      ')}\n`);
      }
      if (message) terminal.say(inCommands(message));
      else if (total > results.length) terminal.say(`${results.length} of ${total} are shown; --limit shows more.`);
      return 0;
    });
  },
};
