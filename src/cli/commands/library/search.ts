import { type FoundChunk, placeOf, SOURCE_TYPES } from '../../../library';
import { type Command, expectWords } from '../../command';
import { chosen, limitOf } from '../../discovery-arguments';
import { heading } from '../../discovery-output';
import { indent, type Terminal } from '../../terminal';
import { inCommands } from '../../wording';
import { EVERY_LIBRARY_COMMAND, listOf, shareOf, wholeLibrary, withLibrary } from './arguments';

export const search: Command = {
  name: 'library search',
  usage: [
    'library search QUERY [--limit N] [--type TYPE]... [--source document|web] [--normative] [--min-authority N]',
  ],
  summary: 'Search the passages of the library, with where each stands',
  options: {
    limit: { type: 'string', value: 'N', help: '1 to 100; 10 unless told' },
    type: { type: 'string', multiple: true, value: 'TYPE', help: 'only documents of this type; may be repeated' },
    source: { type: 'string', value: 'KIND', help: 'only documents, or only web pages' },
    document: { type: 'string', multiple: true, value: 'ID', help: 'only in this document; may be repeated' },
    normative: { type: 'boolean', help: 'only what is binding ("shall")' },
    'min-authority': { type: 'string', value: 'N', help: '0 to 1' },
    threshold: { type: 'string', value: 'N', help: 'only what scores at least so much, 0 to 1' },
    ...EVERY_LIBRARY_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['QUERY']);
    const request = {
      query: args.positionals[0]!,
      n_results: limitOf(args, 'limit', 100),
      filter: {
        document_type: listOf(args, 'type'),
        source_type: chosen(args, 'source', SOURCE_TYPES),
        documents: listOf(args, 'document'),
        normative_only: args.flag('normative') || undefined,
        min_authority: shareOf(args, 'min-authority'),
      },
      score_threshold: shareOf(args, 'threshold'),
    };
    return withLibrary(args, terminal, async (session) => {
      await wholeLibrary(session, terminal);
      const answer = await session.library.search({ ...request, signal: session.change.signal });
      if (terminal.isJson) {
        terminal.json(answer);
        return 0;
      }
      const { results, total_results, message } = answer;
      for (const found of results) showFound(found, terminal);
      if (message) terminal.say(inCommands(String(message)));
      else if (results.length === 0) terminal.say('Nothing was found.');
      else if (total_results > results.length) {
        terminal.say(`${results.length} of ${total_results} are shown; --limit shows more.`);
      }
      return 0;
    });
  },
};

function showFound({ uri, combined_score, snippet, chunk }: FoundChunk, terminal: Terminal): void {
  const title = [chunk.document_title, placeOf(chunk)].filter(Boolean).join(', ');
  terminal.out(heading({ id: uri, path: uri, title, type: chunk.document_type, score: combined_score }, terminal));
  let shown = snippet.text;
  // From the end on, so that places before stay right.
  for (const { start, end } of [...snippet.marks].sort((a, b) => b.start - a.start)) {
    shown = shown.slice(0, start) + terminal.paint('bold', shown.slice(start, end)) + shown.slice(end);
  }
  terminal.out(`${indent(shown.trim(), '      ')}\n`);
}
