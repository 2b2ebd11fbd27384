import { type Command, expectWords } from '../../command';
import { limitOf } from '../../discovery-arguments';
import { counted, indent } from '../../terminal';
import { inCommands } from '../../wording';
import { EVERY_LIBRARY_COMMAND, listOf, shareOf, wholeLibrary, withLibrary } from './arguments';
import { pageLines } from './wording';

export const acquire: Command = {
  name: 'library acquire',
  usage: ['library acquire TOPIC [--url URL]... [--query TEXT]... [--max N] [--threshold N] [--from HOST]...'],
  summary: 'Fetch pages on a topic from the web, and add those that have to do with it',
  details: [
    'Pages of --url and those of the same site that they link to, and what --query finds where a search endpoint is set up',
    '(--web-search). robots.txt is obeyed. Says what each page came to, and how coverage improved.',
  ].join('\n'),
  options: {
    url: { type: 'string', multiple: true, value: 'URL', help: 'a page to begin with; may be repeated' },
    query: { type: 'string', multiple: true, value: 'TEXT', help: 'what to search for; may be repeated' },
    max: { type: 'string', value: 'N', help: 'pages, 1 to 50; 10 unless told (WEB_ACQUISITION_MAX_PAGES)' },
    threshold: {
      type: 'string',
      value: 'N',
      help: 'how relevant, 0 to 1; 0.6 unless told (WEB_ACQUISITION_RELEVANCE_THRESHOLD)',
    },
    from: { type: 'string', multiple: true, value: 'HOST', help: 'only this host; may be repeated' },
    'in-order': { type: 'boolean', help: 'do not take authoritative pages first' },
    ...EVERY_LIBRARY_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['TOPIC']);
    const request = {
      topic: args.positionals[0]!,
      urls: listOf(args, 'url'),
      search_queries: listOf(args, 'query'),
      max_pages: limitOf(args, 'max', 50),
      relevance_threshold: shareOf(args, 'threshold'),
      domain_allowlist: listOf(args, 'from'),
      prefer_authoritative: args.flag('in-order') ? false : undefined,
    };
    return withLibrary(args, terminal, async (session) => {
      await wholeLibrary(session, terminal);
      const result = await session.library.acquire(request, session.change);
      if (terminal.isJson) {
        terminal.json(result);
        return 0;
      }
      const { pages, documents_added, chunks_added, coverage_before, coverage_after, message } = result;
      if (pages.length > 0) terminal.out(pageLines(pages, terminal));
      terminal.out(
        `${counted(documents_added, 'document')} added (${counted(chunks_added, 'passage')}); coverage ${coverage_before.toFixed(2)} → ${coverage_after.toFixed(2)}.`,
      );
      if (message) terminal.say(inCommands(message));
      const proposals = [...result.proposed_queries.map((query) => `search for: ${query}`), ...result.proposed_sites];
      if (proposals.length > 0) terminal.say(indent(proposals.join('\n')));
      return 0;
    });
  },
};
