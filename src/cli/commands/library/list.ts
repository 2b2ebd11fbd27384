import { SOURCE_TYPES, type SourceListing } from '../../../library';
import { type Command, expectWords } from '../../command';
import { chosen, limitOf } from '../../discovery-arguments';
import { counted, type Terminal, table } from '../../terminal';
import { EVERY_LIBRARY_COMMAND, listOf, withLibrary } from './arguments';

const ORDERS = ['title', 'date_added', 'chunk_count', 'authority', 'score'] as const;
const ALL = 100_000;

export const list: Command = {
  name: 'library list',
  usage: ['library list [--source document|web] [--type TYPE]... [--sort ORDER] [--limit N]'],
  summary: 'List the sources, with type, authority, freshness and what failed',
  options: {
    source: { type: 'string', value: 'KIND', help: 'only documents, or only web pages' },
    type: { type: 'string', multiple: true, value: 'TYPE', help: 'only of this type; may be repeated' },
    sort: { type: 'string', value: 'ORDER', help: ORDERS.join(', ') },
    limit: { type: 'string', value: 'N', help: 'all unless told' },
    ...EVERY_LIBRARY_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 0);
    const request = {
      source_type: chosen(args, 'source', SOURCE_TYPES),
      document_type: listOf(args, 'type'),
      sort_by: chosen(args, 'sort', ORDERS),
      limit: limitOf(args, 'limit', ALL) ?? ALL,
    };
    return withLibrary(args, terminal, async ({ library }) => {
      const sources = await library.sources(request);
      if (terminal.isJson) {
        terminal.json(sources);
        return 0;
      }
      if (sources.length > 0) terminal.out(table(sources.map((each) => row(each, terminal))));
      terminal.say(`${counted(sources.length, 'source')} in ${library.state.place}.`);
      return 0;
    });
  },
};

function row({ title, document_id, ...source }: SourceListing, terminal: Terminal): string[] {
  const { document_type, authority_level, freshness, chunk_count, processing_status } = source;
  const state =
    processing_status === 'complete'
      ? counted(chunk_count, 'passage')
      : terminal.paint(processing_status === 'failed' ? 'red' : 'yellow', processing_status);
  return [
    terminal.paint('bold', title),
    document_type,
    authority_level,
    freshness.level,
    state,
    terminal.paint('dim', document_id),
  ];
}
