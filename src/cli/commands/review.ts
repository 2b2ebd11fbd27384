import { KaizenError } from '../../core/errors';
import type { NoteWrite } from '../../notes';
import {
  feedbackTitle,
  type LearningProposal,
  type LibraryWrite,
  learningTitle,
  libraryTitle,
  type ProposalPreview,
  type ProposedWrite,
  relationTitle,
} from '../../review';
import { type Arguments, type Command, expectWords, UsageError } from '../command';
import { BASES_OPTIONS, LIBRARY_OPTIONS, NOTES_OPTIONS, type Session, WRITING_OPTIONS, withKaizen } from '../session';
import { counted, indent, type Terminal, table } from '../terminal';

const ACTIONS = ['show', 'accept', 'reject'] as const;
/** A space that is not read after this long answers with what there is. */
const LONGEST_MS = 10 * 60_000;

export const review: Command = {
  name: 'review',
  usage: ['review', 'review --show ID', 'review --accept ID [--yes]', 'review --reject ID'],
  summary: 'Decide on what agents want to write (kaizen mcp --agent-writes review)',
  details: [
    'Lists what waits. What is accepted is written with the agent as its author and your name in the reason. Decided',
    'proposals can be shown for 30 days; nothing of them is exported. A proposed text of a knowledge base is shown as the',
    'lines of its file that change, and accepting it writes the file: name the base as the server does (--base, --config).',
  ].join('\n'),
  options: {
    show: { type: 'string', value: 'ID', help: 'show what is stored now and what would be' },
    accept: { type: 'string', value: 'ID', help: 'write what the agent proposed' },
    reject: { type: 'string', value: 'ID', help: 'do not' },
    yes: { type: 'boolean', short: 'y', help: 'accept also when the entry, node or note was changed since' },
    ...BASES_OPTIONS,
    ...NOTES_OPTIONS,
    ...LIBRARY_OPTIONS,
    ...WRITING_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, []);
    const action = chosenAction(args);
    if (args.flag('yes') && action?.name !== 'accept') throw new UsageError('--yes only goes with --accept.');
    return withKaizen(args, terminal, async (session) => {
      if (action) await knowNotes(session, action.id);
      switch (action?.name) {
        case 'show':
          return show(session, action.id, terminal);
        case 'accept':
          await session.review.accept(action.id, { confirmed: args.flag('yes') }, { author: session.author });
          return tell(session, action.id, 'accepted', terminal);
        case 'reject':
          await session.review.reject(action.id, { author: session.author });
          return tell(session, action.id, 'rejected', terminal);
        default:
          return list(session, terminal);
      }
    });
  },
};

/** What is proposed of notes is compared with the files as they are. */
async function knowNotes({ review: part, notes }: Session, id: number): Promise<void> {
  if (part.proposal(id)?.operation !== 'write_note') return;
  notes.start();
  await notes.ready(LONGEST_MS);
}

function chosenAction(args: Arguments): { name: (typeof ACTIONS)[number]; id: number } | undefined {
  const [name, ...more] = ACTIONS.filter((each) => args.string(each) !== undefined);
  if (name === undefined) return undefined;
  if (more.length > 0) throw new UsageError(`--${name} and --${more[0]} do not go together.`);
  const id = args.string(name)!;
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new UsageError(`--${name} needs the number of a proposal, not "${id}".`);
  return { name, id: Number(id) };
}

function list({ review: part }: Session, terminal: Terminal): number {
  const proposals = part.proposals();
  if (terminal.isJson) {
    terminal.json(proposals);
    return 0;
  }
  if (proposals.length === 0) {
    terminal.out('Nothing waits for review.');
    return 0;
  }
  const rows = proposals.map((proposal) => [
    terminal.paint('bold', String(proposal.id)),
    describe(proposal),
    terminal.paint('dim', `${proposal.author}, ${time(proposal.at)}`),
  ]);
  terminal.out(`${table(rows)}\n\n${counted(proposals.length, 'proposal waits', 'proposals wait')} for review.`);
  return 0;
}

async function show({ review: part }: Session, id: number, terminal: Terminal): Promise<number> {
  const proposal = part.proposal(id);
  const preview = await part.preview(id);
  if (!proposal || !preview) {
    throw new KaizenError('unknown_proposal', `There is no proposal ${id}.`, '"kaizen review" lists what waits.');
  }
  if (terminal.isJson) {
    terminal.json({ ...proposal, ...preview });
    return 0;
  }
  const { author, at, reason, decision } = proposal;
  const changedFile = changedFileOf(proposal);
  const lines = [
    `${terminal.paint('bold', `${id}  ${describe(proposal)}`)}  ${author}, ${time(at)}`,
    ...(reason ? [indent(`Reason: ${reason}`)] : []),
    ...(preview.warnings ?? []).map((each) => indent(terminal.paint('red', `Tries to instruct agents, ${each}`))),
    ...(decision ? [indent(`${capitalized(decision.action)} by ${decision.by}, ${time(decision.at)}`)] : []),
    ...(changedFile !== undefined && preview.before !== ''
      ? changedLines(terminal, changedFile, preview)
      : [
          ...section(terminal, decision ? 'What is stored' : 'Now', preview.before, 'red'),
          ...section(terminal, 'Proposed', preview.after, 'green'),
        ]),
  ];
  terminal.out(lines.join('\n'));
  return 0;
}

/** What one file is called that is there and is to say something else; undefined for other writes. */
function changedFileOf(write: ProposedWrite): string | undefined {
  if (write.operation === 'update_node') return write.input.file;
  if (write.operation !== 'write_note') return undefined;
  switch (write.input.action) {
    case 'update':
      return write.input.zettel_id;
    case 'link':
    case 'unlink':
      return write.input.from_zettel_id;
    case 'update_collection':
      return write.input.id;
    default:
      return undefined;
  }
}

/** Of a whole file only what differs: from the first line that does to the last one. */
function changedLines(terminal: Terminal, file: string, { before, after }: ProposalPreview): string[] {
  const [old, proposed] = [before.split(/\r\n|\r|\n/), after.split(/\r\n|\r|\n/)];
  let start = 0;
  while (start < old.length && old[start] === proposed[start]) start++;
  if (start === old.length && start === proposed.length) return [`${file} has this text.`];
  let end = 0;
  const shorter = Math.min(old.length, proposed.length) - start;
  while (end < shorter && old.at(-1 - end) === proposed.at(-1 - end)) end++;
  const between = (lines: readonly string[]) => lines.slice(start, lines.length - end).join('\n');
  return [
    ...section(terminal, `${file}, line ${start + 1}, now`, between(old), 'red'),
    ...section(terminal, 'Proposed', between(proposed), 'green'),
  ];
}

function section(terminal: Terminal, title: string, text: string, colour: 'red' | 'green'): string[] {
  return [terminal.paint(colour, `${title}:`), indent(text.trimEnd() || '(nothing)')];
}

function tell({ review: part }: Session, id: number, action: 'accepted' | 'rejected', terminal: Terminal): number {
  if (terminal.isJson) terminal.json({ success: true });
  else {
    const proposal = part.proposal(id);
    const what = proposal ? ` (${describe(proposal)}) is ${action}` : ` is ${action}`;
    terminal.out(`Proposal ${id}${what}; ${counted(part.proposals().length, 'proposal', 'proposals')} left.`);
  }
  return 0;
}

/** What would happen to what, in a line. */
function describe(write: ProposedWrite): string {
  switch (write.operation) {
    case 'store': {
      const { target_scope_id: scope, category, keyword } = write.input;
      return `store ${keyword} (${category}, ${scope})`;
    }
    case 'delete':
      return `delete ${write.input.keyword} (${write.input.category}, ${write.input.scope_id})`;
    case 'define_scope':
      return `define the ${write.input.tier} scope ${write.input.scope_id}`;
    case 'store_overview':
      return `overview of ${write.input.project_id}`;
    case 'store_session':
      return `session summary of ${write.input.project_id}`;
    case 'update_progress':
      return `progress of ${write.input.project_id}`;
    case 'update_node':
      return `update ${write.input.node_id} (${write.input.base}: ${write.input.file})`;
    case 'write_note':
      return describeNoteWrite(write.input);
    case 'write_library':
      return describeLibraryWrite(write.input);
    case 'write_relation':
      return `${write.input.action} the relation ${relationTitle(write.input)}`;
    case 'write_learning':
      return describeLearningWrite(write.input);
    case 'give_feedback':
      return `feedback on ${feedbackTitle(write.input)}`;
  }
}

function describeLearningWrite(write: LearningProposal): string {
  const title = learningTitle(write);
  switch (write.operation) {
    case 'transition_project':
      return `${write.transition} the project ${title}`;
    case 'capture_outcome':
      return `outcome of the project ${title}`;
    case 'update_project':
      return `change the project ${title}`;
    case 'delete':
      return `delete the ${write.kind} ${title}`;
    default:
      return `capture the ${write.operation.replace('capture_', '')} ${title}`;
  }
}

function describeLibraryWrite(write: LibraryWrite): string {
  const title = libraryTitle(write);
  switch (write.action) {
    case 'ingest':
      return `add ${title} to the library`;
    case 'acquire':
      return `fetch from the web on ${title}`;
    case 'request_document':
      return `ask for a document on ${title}`;
    case 'refresh':
      return `look again at ${title}`;
  }
}

function describeNoteWrite(write: NoteWrite): string {
  switch (write.action) {
    case 'create':
      return `create the note ${write.input.zettel_id} (${write.location})`;
    case 'rename':
      return `rename the note ${write.zettel_id} to ${write.new_zettel_id}`;
    case 'download':
      return `download the note ${write.zettel_id} (${write.destination.join(', ')})`;
    case 'link':
    case 'unlink':
      return `${write.action} ${write.from_zettel_id} ${write.relationship_type} ${write.to_zettel_id}`;
    case 'create_collection':
      return `create the collection ${write.input.name} (${write.location})`;
    case 'update_collection':
      return `update the collection ${write.id}`;
    case 'delete_collection':
      return `delete the collection ${write.id}`;
    default:
      return `${write.action} the note ${write.zettel_id}`;
  }
}

function time(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
