import type { Metaknowledge, StoredNotices } from '../../knowledge';
import { type Arguments, type Command, expectWords, UsageError } from '../command';
import { withRuleElsewhere } from '../rule-elsewhere';
import { type Session, WRITING_OPTIONS, withKaizen } from '../session';
import { indent, type Terminal } from '../terminal';

export const store: Command = {
  name: 'store',
  usage: ['store SCOPE CATEGORY KEYWORD [CONTENT|-] [--meta LABEL=TEXT]... [--overwrite]'],
  summary: 'Store an entry, unless there is one already',
  details: [
    'Without CONTENT, or with -, the text is read from standard input. Content that says DANGER:, WARNING: or LAST TIME:',
    'warns; APPLIES_TO names the files, MATCHES is a regular expression of the texts that it is about. With hooks set up,',
    'agents that are about to change such a file wait for your word where it says DANGER:',
    `  kaizen store shop db migrations "DANGER: Never edit a migration that ran." --meta APPLIES_TO='migrations/**'`,
  ].join('\n'),
  options: {
    meta: {
      type: 'string',
      multiple: true,
      value: 'LABEL=TEXT',
      help: 'metaknowledge such as REASON=…; may be repeated',
    },
    overwrite: { type: 'boolean', help: 'replace what is there; the old text stays in the history' },
    context: { type: 'string', value: 'TEXT', help: 'the project that it was learned in; the current one unless told' },
    reason: { type: 'string', value: 'TEXT', help: 'why it is changed, for the history' },
    ...WRITING_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['SCOPE', 'CATEGORY', 'KEYWORD'], 4);
    const [scope, category, keyword, given] = args.positionals as [string, string, string, string?];
    const metaknowledge = readLabels(args.strings('meta'));
    const content = given !== undefined && given !== '-' ? given : await terminal.readInput();
    if (content === undefined)
      throw new UsageError('CONTENT is missing: give it as the last word or on standard input.');

    return withKaizen(args, terminal, async (session) => {
      const entry = {
        target_scope_id: scope,
        category,
        keyword,
        // What an editor or `echo` ends a text with is not part of it.
        content: given === content ? content : content.replace(/\r?\n$/, ''),
        metaknowledge,
      };
      const change = {
        author: session.author,
        project_context: args.string('context') ?? session.project,
        reason: args.string('reason'),
      };
      return args.flag('overwrite')
        ? overwrite(session, entry, change, args, terminal)
        : storeIfMissing(session, entry, change, args, terminal);
    });
  },
};

type Entry = Parameters<Session['knowledge']['storeOverwrite']>[0];
type Change = Parameters<Session['knowledge']['storeOverwrite']>[1];

async function overwrite(
  session: Session,
  entry: Entry,
  change: Change,
  args: Arguments,
  terminal: Terminal,
): Promise<number> {
  const stored = await session.knowledge.storeOverwrite(entry, change);
  const result = await withRuleElsewhere(stored, entry, session, args);
  if (terminal.isJson) {
    terminal.json(result);
    return 0;
  }
  terminal.out(`${where(entry)} is stored.`);
  if (result.previous_content !== null) terminal.out(`It replaces:\n${indent(result.previous_content)}`);
  sayNotices(result, terminal);
  if (result.untied) {
    const labels = Object.entries(result.untied).map(([label, text]) => `${label}=${text}`);
    terminal.say('It has no longer what tied it to files; repeat it with --meta to have it warn there again:');
    terminal.say(indent(labels.join('\n')));
  }
  return 0;
}

async function storeIfMissing(
  session: Session,
  entry: Entry,
  change: Change,
  args: Arguments,
  terminal: Terminal,
): Promise<number> {
  const stored = await session.knowledge.storeIfMissing(entry, change);
  const result = stored.success ? await withRuleElsewhere(stored, entry, session, args) : stored;
  if (terminal.isJson) terminal.json(result);
  else if (result.success) {
    terminal.out(`${where(entry)} is stored.`);
    sayNotices(result, terminal);
  } else {
    terminal.say(`kaizen: ${where(entry)} exists already and was kept:`);
    terminal.say(indent(result.existing_content));
    terminal.say('Repeat it with --overwrite to replace it.');
  }
  return result.success ? 0 : 1;
}

function sayNotices({ notices = [] }: StoredNotices, terminal: Terminal): void {
  for (const notice of notices) terminal.say(`kaizen: ${notice}`);
}

function where({ target_scope_id, category, keyword }: Entry): string {
  return `${keyword} (${category}, ${target_scope_id})`;
}

function readLabels(pairs: readonly string[]): Metaknowledge {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`--meta needs LABEL=TEXT, not "${pair}".`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
