import { type DocumentRequest, REQUESTED_TYPES, URGENCIES } from '../../../library';
import { type Arguments, type Command, expectWords, UsageError } from '../../command';
import { chosen } from '../../discovery-arguments';
import { counted, type Terminal } from '../../terminal';
import { EVERY_LIBRARY_COMMAND, type LibrarySession, listOf, withLibrary } from './arguments';
import { requestLine } from './wording';

const ADDING = ['why', 'type', 'example', 'urgency', 'for', 'needed', 'workaround'] as const;

export const requests: Command = {
  name: 'library requests',
  usage: [
    'library requests [--all]',
    'library requests add TOPIC --why TEXT [--type TYPE] [--example TEXT]... [--urgency LEVEL]',
    'library requests close ID --by DOCUMENT',
    'library requests dismiss ID',
    'library requests reopen ID',
  ],
  summary: 'Documents that agents asked for: list, add, answer, dismiss',
  details: 'A request is closed by itself when a document comes in that answers it.',
  options: {
    all: { type: 'boolean', help: 'list also those that were answered or dismissed' },
    why: { type: 'string', value: 'TEXT', help: 'why it is needed' },
    type: { type: 'string', value: 'TYPE', help: REQUESTED_TYPES.join(', ') },
    example: { type: 'string', multiple: true, value: 'TEXT', help: 'a document that would do; may be repeated' },
    urgency: { type: 'string', value: 'LEVEL', help: `${URGENCIES.join(', ')}; important unless told` },
    for: { type: 'string', value: 'TEXT', help: 'the work that it is for' },
    needed: { type: 'boolean', help: 'the work cannot go on without it' },
    workaround: { type: 'string', value: 'TEXT', help: 'what to do where it cannot be had' },
    by: { type: 'string', value: 'DOCUMENT', help: 'the document that answers it' },
    ...EVERY_LIBRARY_COMMAND,
  },

  async run(args, terminal) {
    const [word, ...words] = args.positionals;
    const act = ACTIONS.get(word ?? 'list');
    if (act === undefined) throw new UsageError(`requests takes add, close, dismiss or reopen, not "${word}".`);
    if (word !== 'add') refuse(args, ADDING, 'requests add');
    if (word !== 'close') refuse(args, ['by'], 'requests close');
    if (word !== undefined && args.flag('all')) throw new UsageError('--all goes with the list only.');
    return withLibrary(args, terminal, (session) => act({ args, words, session, terminal }));
  },
};

interface Asked {
  args: Arguments;
  /** What follows the action. */
  words: readonly string[];
  session: LibrarySession;
  terminal: Terminal;
}

const ACTIONS: ReadonlyMap<string, (asked: Asked) => Promise<number>> = new Map([
  ['list', list],
  ['add', add],
  ['close', close],
  ['dismiss', (asked: Asked) => settle(asked, 'dismissed')],
  ['reopen', (asked: Asked) => settle(asked, 'open')],
]);

function refuse(args: Arguments, options: readonly string[], where: string): void {
  const given = options.find((name) => args.string(name) !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} goes with ${where} only.`);
}

async function list({ args, session: { library }, terminal }: Asked): Promise<number> {
  const found = await library.requests(args.flag('all') ? undefined : 'open');
  if (terminal.isJson) {
    terminal.json(found);
    return 0;
  }
  if (found.length > 0) terminal.out(found.map((each) => requestLine(each, terminal)).join('\n\n'));
  terminal.say(`${counted(found.length, args.flag('all') ? 'request' : 'open request')}.`);
  return 0;
}

async function add({ args, words, session: { library, change }, terminal }: Asked): Promise<number> {
  expectWords(words, ['TOPIC']);
  const rationale = args.string('why');
  if (rationale === undefined) throw new UsageError('--why is missing: say what the document is needed for.');
  const input = {
    topic: words[0]!,
    rationale,
    document_type: chosen(args, 'type', REQUESTED_TYPES),
    example_documents: listOf(args, 'example'),
    urgency: chosen(args, 'urgency', URGENCIES),
    workflow_context: args.string('for'),
    can_proceed_without: args.flag('needed') ? false : undefined,
    workaround_if_unavailable: args.string('workaround'),
  };
  return tell(await library.requestDocument(input, change), terminal);
}

async function close({ args, words, session: { library, change }, terminal }: Asked): Promise<number> {
  expectWords(words, ['ID']);
  const answered_by = args.string('by');
  if (answered_by === undefined) throw new UsageError('--by is missing: the id of the document that answers it.');
  return tell(await library.settleRequest(words[0]!, { answered_by }, change), terminal);
}

async function settle({ words, session, terminal }: Asked, outcome: 'dismissed' | 'open'): Promise<number> {
  expectWords(words, ['ID']);
  return tell(await session.library.settleRequest(words[0]!, outcome, session.change), terminal);
}

function tell(request: DocumentRequest, terminal: Terminal): number {
  if (terminal.isJson) terminal.json(request);
  else terminal.out(requestLine(request, terminal));
  return 0;
}
