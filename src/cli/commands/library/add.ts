import { resolve } from 'node:path';
import { describeError, isKaizenError } from '../../../core/errors';
import { type IngestRequest, type IngestResult, SOURCE_FORMATS } from '../../../library';
import { type Arguments, type Command, expectWords, UsageError } from '../../command';
import { chosen } from '../../discovery-arguments';
import { counted, type Terminal } from '../../terminal';
import { inCommands } from '../../wording';
import { EVERY_LIBRARY_COMMAND, METADATA_OPTIONS, metadataOf, shareOf, withLibrary } from './arguments';
import { sourcesOf } from './files';
import { documentName } from './wording';

interface Outcome extends Partial<IngestResult> {
  source: string;
  error?: string;
  error_code?: string;
}

export const add: Command = {
  name: 'library add',
  usage: [
    'library add PATH|URL|-... [--title TEXT] [--type TYPE] [--authority LEVEL] [--standard ID] [--version TEXT]',
  ],
  summary: 'Add documents and web pages; what is there and unchanged is not read again',
  details: [
    'PDF, DOCX, Markdown and HTML, told by what is in them; of a folder all such files in and below it; - reads Markdown',
    'from standard input. What fails is told and kept with its reason, the others are added, and the exit code is 1.',
  ].join('\n'),
  options: {
    ...METADATA_OPTIONS,
    as: { type: 'string', value: 'FORMAT', help: `read it as ${SOURCE_FORMATS.join(', ')}` },
    'relevant-to': { type: 'string', value: 'TOPIC', help: 'only what has to do with it' },
    threshold: { type: 'string', value: 'N', help: 'how much, 0 to 1; 0.5 unless told' },
    force: { type: 'boolean', help: 'read again what seems not to have changed' },
    ...EVERY_LIBRARY_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['PATH|URL'], Number.POSITIVE_INFINITY);
    const request = requestOf(args);
    const sources = await sourcesOf(args.positionals);
    if (sources.length === 0) throw new UsageError('The folder has no file that can be read.');
    if (sources.length > 1 && args.string('title') !== undefined) {
      throw new UsageError('--title goes with one source only.');
    }
    return withLibrary(args, terminal, async ({ library, change }) => {
      const outcomes: Outcome[] = [];
      for (const source of sources) {
        change.signal.throwIfAborted();
        try {
          const given = source === '-' ? `content:${(await terminal.readInput()) ?? ''}` : fromHere(source);
          outcomes.push({ source, ...(await library.ingest({ ...request, source: given }, change)) });
        } catch (error) {
          if (!isKaizenError(error) || error.code === 'cancelled' || sources.length === 1) throw error;
          outcomes.push({ source, error: describeError(error), error_code: error.code });
        }
        if (!terminal.isJson) tell(outcomes.at(-1)!, terminal);
      }
      if (terminal.isJson) terminal.json(outcomes);
      const failed = outcomes.filter(({ error }) => error !== undefined).length;
      if (sources.length > 1 && !terminal.isJson) {
        const bad = failed > 0 ? `, ${counted(failed, 'failure')}` : '';
        terminal.say(`${counted(sources.length - failed, 'source')} done${bad}.`);
      }
      return failed > 0 ? 1 : 0;
    });
  },
};

function requestOf(args: Arguments): Omit<IngestRequest, 'source'> {
  const context = args.string('relevant-to');
  const threshold = shareOf(args, 'threshold');
  if (threshold !== undefined && context === undefined) throw new UsageError('--threshold goes with --relevant-to.');
  return {
    source_type: chosen(args, 'as', SOURCE_FORMATS),
    metadata_overrides: metadataOf(args),
    ...(context === undefined ? {} : { assess_relevance: true, relevance_context: context }),
    relevance_threshold: threshold,
    force: args.flag('force') || undefined,
  };
}

/** A path counts from the current folder, wherever the workspace is. */
function fromHere(source: string): string {
  return /^(https?|file|content):/i.test(source) ? source : resolve(source);
}

function tell({ source, status, document, chunks, message, error, requests_closed = [] }: Outcome, terminal: Terminal) {
  if (error !== undefined) {
    terminal.say(`kaizen: ${source}: ${inCommands(error)}`);
    return;
  }
  const name = document ? documentName(document) : source;
  const count = chunks && status !== 'skipped' ? `, ${counted(chunks.total, 'passage')}` : '';
  terminal.out(`${terminal.paint(status === 'skipped' ? 'dim' : 'green', `${status}`)}  ${name}${count}`);
  for (const remark of status === 'added' || status === 'updated' ? (document?.remarks ?? []) : [])
    terminal.say(remark);
  if (message) terminal.say(inCommands(message));
  if (requests_closed.length > 0) terminal.say(`It answers ${counted(requests_closed.length, 'request')}.`);
}
