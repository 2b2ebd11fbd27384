import { KaizenError } from '../../core/errors';
import type { EntryKey, Revision } from '../../knowledge';
import { type Command, expectWords, UsageError } from '../command';
import { type Session, WRITING_OPTIONS, withKaizen } from '../session';
import { indent, type Terminal, table } from '../terminal';
import { authorOf, timeOf } from '../wording';

export const history: Command = {
  name: 'history',
  usage: ['history SCOPE CATEGORY KEYWORD', 'history SCOPE CATEGORY KEYWORD --restore N'],
  summary: "Show an entry's revisions, or bring one back",
  options: {
    restore: { type: 'string', value: 'N', help: 'make what revision N says hold again; this is a new revision' },
    reason: { type: 'string', value: 'TEXT', help: 'why it is restored' },
    ...WRITING_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['SCOPE', 'CATEGORY', 'KEYWORD']);
    const [scope_id, category, keyword] = args.positionals as [string, string, string];
    const key: EntryKey = { scope_id, category, keyword };
    const wanted = args.string('restore');
    if (wanted !== undefined && !/^[1-9]\d*$/.test(wanted)) {
      throw new UsageError(`--restore needs the number of a revision, not "${wanted}".`);
    }
    return withKaizen(args, terminal, async (session) =>
      wanted === undefined
        ? show(session, key, terminal)
        : restore(session, key, Number(wanted), args.string('reason'), terminal),
    );
  },
};

async function restore(
  { knowledge, author, project }: Session,
  key: EntryKey,
  number: number,
  reason: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const entry = await knowledge.restore(key, number, { author, project_context: project, reason });
  if (terminal.isJson) terminal.json(entry);
  else terminal.out(`${key.keyword} says again what revision ${number} said:\n${indent(entry.content)}`);
  return 0;
}

function show({ knowledge }: Session, key: EntryKey, terminal: Terminal): number {
  const revisions = knowledge.history(key);
  if (revisions.length === 0) {
    throw new KaizenError(
      'unknown_entry',
      `There never was an entry ${key.keyword} in ${key.category} of ${key.scope_id}.`,
      `"kaizen get ${key.scope_id}" lists what is there.`,
    );
  }
  if (terminal.isJson) terminal.json(revisions);
  else terminal.out(revisions.map((revision) => revisionText(revision, terminal)).join('\n\n'));
  return 0;
}

function revisionText(revision: Revision, terminal: Terminal): string {
  const { number, action, at, project_context: context, reason, content, metaknowledge } = revision;
  const by = `${authorOf(revision)}${context ? `, in ${context}` : ''}`;
  const head = `${terminal.paint('bold', `${number}  ${action}`)}  ${timeOf(at)}  ${by}`;
  const labels = Object.entries(metaknowledge ?? {}).map(([label, text]) => [terminal.paint('dim', label), text]);
  return [
    head,
    ...(reason ? [indent(`Reason: ${reason}`)] : []),
    ...(content !== null ? [indent(content)] : []),
    ...(labels.length > 0 ? [indent(table(labels))] : []),
  ].join('\n');
}
