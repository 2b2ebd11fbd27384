import { KaizenError } from '../../../core/errors';
import type { FoundRecord, LearnedKind, LearningWrite, LearningWritten, RecordFilter } from '../../../learning';
import { type Arguments, expectWords, UsageError } from '../../command';
import type { Session } from '../../session';
import { withKaizen } from '../../session';
import { counted, type Terminal } from '../../terminal';

/** One action of a command: what was typed after it, and what it works with. */
export interface Asked {
  args: Arguments;
  /** What follows the action. */
  words: readonly string[];
  session: Session;
  terminal: Terminal;
}

export type Actions = Readonly<Record<string, (asked: Asked) => Promise<number>>>;

/** Runs the action that the first word names; `list` without any. Throws UsageError, naming those that there are. */
export async function act(args: Arguments, terminal: Terminal, actions: Actions): Promise<number> {
  const [word = 'list', ...words] = args.positionals;
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
  if (action === undefined) {
    throw new UsageError(`There is no "${word}" here. Known are: ${Object.keys(actions).join(', ')}.`);
  }
  return withKaizen(args, terminal, (session) => action({ args, words, session, terminal }));
}

/** What each kind of record has: a list, showing one, deleting one. */
export function commonActions(kind: LearnedKind, filterOf: (args: Arguments) => RecordFilter = () => ({})): Actions {
  return {
    list: async ({ args, words, session: { learning }, terminal }) => {
      expectWords(words, []);
      const found = learning.list(kind, filterOf(args));
      if (terminal.isJson) terminal.json(found);
      else {
        for (const record of found) terminal.out(recordLine({ kind, record } as FoundRecord, terminal));
        terminal.say(`${counted(found.length, kind)}.`);
      }
      return 0;
    },
    show: async ({ words, session: { learning }, terminal }) => {
      expectWords(words, ['ID']);
      const record = learning.get(kind, words[0]!);
      const text = record && learning.markdown(`knowledge://learning/${kind}/${encodeURIComponent(record.id)}`);
      if (!record || text === undefined) {
        throw new KaizenError(
          `unknown_${kind}`,
          `There is no ${kind} "${words[0]}".`,
          `"kaizen learn ${kind}" lists them.`,
        );
      }
      if (terminal.isJson) terminal.json(record);
      else terminal.out(text.trimEnd());
      return 0;
    },
    delete: async (asked) => {
      expectWords(asked.words, ['ID']);
      return write(asked, { operation: 'delete', kind, id: asked.words[0]! }, 'Deleted');
    },
  };
}

/** Makes one change, and tells of it; the number is for `learn undo`. */
export async function write(asked: Asked, input: LearningWrite, done: string): Promise<number> {
  const { terminal } = asked;
  const written = await made(asked, input);
  if (terminal.isJson) {
    terminal.json(written);
    return 0;
  }
  terminal.out(recordLine(written as unknown as FoundRecord, terminal));
  const lessons = written.also.filter(({ kind }) => kind === 'lesson').length;
  const more = lessons > 0 ? `, with ${counted(lessons, 'lesson')}` : '';
  terminal.say(`${done}${more}. "kaizen learn undo ${written.revision}" takes it back.`);
  if (written.hint) terminal.say(written.hint);
  return 0;
}

async function made({ args, session: { learning, author } }: Asked, input: LearningWrite): Promise<LearningWritten> {
  try {
    return await learning.write(input, { author });
  } catch (error) {
    const file = args.string('from');
    // What a file says may be of any type; that it is the wrong one shows when it is checked, and nothing is kept then.
    if (file === undefined || !(error instanceof TypeError)) throw error;
    throw new UsageError(`${file} does not have the form that is asked for (${error.message}).`);
  }
}

/** `Payment service  proj-payment-service-1a2b3c4d  active, service` */
export function recordLine({ kind, record }: Pick<FoundRecord, 'kind' | 'record'>, terminal: Terminal): string {
  const title = 'title' in record ? record.title : record.name;
  return `${terminal.paint('bold', title)}  ${record.id}  ${terminal.paint('dim', about({ kind, record } as FoundRecord))}`;
}

function about({ kind, record }: FoundRecord): string {
  switch (kind) {
    case 'project':
      return [record.status, record.outcome_status === 'partial' ? 'partial' : '', record.project_type, record.domain]
        .filter(Boolean)
        .join(', ');
    case 'template':
      return [record.project_type, counted(record.task_template.length, 'task')].filter(Boolean).join(', ');
    case 'pattern':
      return `${record.pattern_type}, ${record.domain}, ${record.severity}`;
    case 'decision':
      return [record.decision_date.slice(0, 10), record.domain].filter(Boolean).join(', ');
    case 'lesson':
      return [record.created_at.slice(0, 10), record.project_type, record.domain].filter(Boolean).join(', ');
  }
}
