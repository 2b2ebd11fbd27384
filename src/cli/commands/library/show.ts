import { parseLibraryUri } from '../../../core/knowledge-uri';
import { citationOf, type KnowledgeChunk, placeOf, type SourceListing } from '../../../library';
import { type Command, expectWords, UsageError } from '../../command';
import { counted, indent, type Terminal, table } from '../../terminal';
import { EVERY_LIBRARY_COMMAND, withLibrary } from './arguments';

export const show: Command = {
  name: 'library show',
  usage: ['library show DOCUMENT|URI [--text | --passages]'],
  summary: 'Print what is known of a source, its text, or a passage',
  details: 'DOCUMENT is an id as "kaizen library list" prints it, URI an address as a search gives it.',
  options: {
    text: { type: 'boolean', help: 'the stored text, Markdown' },
    passages: { type: 'boolean', help: 'its passages, each with where it stands' },
    ...EVERY_LIBRARY_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['DOCUMENT']);
    const [word = ''] = args.positionals;
    const [text, passages] = [args.flag('text'), args.flag('passages')];
    if (text && passages) throw new UsageError('--text and --passages do not go together.');
    const { document_id = word, chunk } = parseLibraryUri(word) ?? {};
    return withLibrary(args, terminal, async ({ library }) => {
      if (chunk !== undefined) showPassage(await library.chunk(word), terminal);
      else if (text) showText(await library.text(document_id), terminal);
      else if (passages) showPassages(await library.chunks(document_id), terminal);
      else showSource(await library.source(document_id), terminal);
      return 0;
    });
  },
};

function showText(text: string, terminal: Terminal): void {
  if (terminal.isJson) terminal.json({ text });
  else terminal.out(text.trimEnd());
}

function showPassage(chunk: KnowledgeChunk, terminal: Terminal): void {
  if (terminal.isJson) terminal.json(chunk);
  else terminal.out(`${chunk.content.trim()}\n\n— ${citationOf(chunk)}`);
}

function showPassages(chunks: readonly KnowledgeChunk[], terminal: Terminal): void {
  if (terminal.isJson) {
    terminal.json(chunks);
    return;
  }
  for (const chunk of chunks) {
    const { chunk_type, token_count, id, content } = chunk;
    const about = [chunk_type, counted(token_count, 'token'), id].join('  ');
    terminal.out(`${terminal.paint('bold', placeOf(chunk) || chunk.document_title)}  ${terminal.paint('dim', about)}`);
    terminal.out(`${indent(content.trim())}\n`);
  }
}

function showSource(source: SourceListing, terminal: Terminal): void {
  if (terminal.isJson) {
    terminal.json(source);
    return;
  }
  const { title, document_id, source_path, format, document_type, authority_level, authority_score, freshness } =
    source;
  const { standard_id, version, publication_date, language, pages, chunk_count, token_count } = source;
  const { processing_status, processing_error, remarks, added_by, created_at, updated_at, crawled_at } = source;
  const rows = [
    ['id', document_id],
    ['source', source_path === 'content:' ? 'given as text' : source_path],
    ['format', pages === undefined ? format : `${format}, ${counted(pages, 'page')}`],
    ['type', document_type],
    ['authority', `${authority_level} (${authority_score})`],
    ['freshness', freshness.date === undefined ? freshness.level : `${freshness.level} (${freshness.date})`],
    ...(standard_id ? [['standard', standard_id]] : []),
    ...(version ? [['version', version]] : []),
    ...(publication_date ? [['published', publication_date]] : []),
    ...(language ? [['language', language]] : []),
    ['passages', `${chunk_count} (${counted(token_count, 'token')})`],
    ['status', processing_status],
    ...(crawled_at ? [['fetched', crawled_at]] : []),
    ['added', `${created_at} by ${added_by}`],
    ...(updated_at === created_at ? [] : [['changed', updated_at]]),
  ];
  terminal.out(`${terminal.paint('bold', title)}\n${table(rows)}`);
  if (processing_error) terminal.out(terminal.paint('red', processing_error));
  for (const remark of remarks) terminal.out(terminal.paint('dim', String(remark)));
}
