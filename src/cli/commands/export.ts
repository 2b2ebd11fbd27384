import {
  AGENTS_FILE_BYTES,
  type AgentsFile,
  agentsFile,
  htmlReport,
  markdownFiles,
  ofScopes,
  serialise,
  type TextFile,
  writeFolder,
  writeWhole,
} from '../../transfer';
import { type Arguments, type Command, expectWords, UsageError } from '../command';
import { expectReplaceable } from '../replacing';
import { COMMON_OPTIONS, type Session, withKaizen } from '../session';
import { counted, type Terminal } from '../terminal';

const FORMATS = ['jsonl', 'markdown', 'agents', 'html'] as const;
type Format = (typeof FORMATS)[number];

export const exportFile: Command = {
  name: 'export',
  usage: [
    'export [FILE|-] [--scope SCOPE]... [--overwrite]',
    'export FOLDER --format markdown [--scope SCOPE]... [--overwrite]',
    'export [FILE|-] --format agents [--scope SCOPE] [--limit BYTES] [--no-authors]',
    'export [FILE|-] --format html [--scope SCOPE] [--no-authors] [--overwrite]',
  ],
  summary: 'Write what is known to a file (JSON Lines), a folder (Markdown), AGENTS.md or an HTML report',
  details:
    'To standard output without FILE. The same knowledge always gives the same bytes. JSON Lines hold everything with its ' +
    'history. A folder of Markdown holds what is known now; files that are there with another text are kept unless ' +
    '--overwrite is given, and so is a file of another kind where the lines or the report should go. "agents" and "html" hold what holds in one scope, the current project unless told: AGENTS.md as a ' +
    'marked section, outside of which nothing in a file that is there is touched; the report as one file to share.',
  options: {
    format: { type: 'string', value: FORMATS.join('|'), help: 'jsonl unless told' },
    markdown: { type: 'boolean', help: 'the same as --format markdown' },
    scope: { type: 'string', multiple: true, value: 'SCOPE', help: 'only what belongs to it; may be repeated' },
    limit: {
      type: 'string',
      value: 'BYTES',
      help: `of AGENTS.md; ${AGENTS_FILE_BYTES} unless told. What carries a risk has the first place`,
    },
    'no-authors': { type: 'boolean', help: 'do not say who wrote what (agents, html)' },
    overwrite: {
      type: 'boolean',
      help: 'replace what is there and holds another text (jsonl, html: no earlier export)',
    },
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    const format = formatOf(args);
    const limit = limitOf(args);
    expectWords(args.positionals, format === 'markdown' ? ['FOLDER'] : [], 1);
    const target = args.positionals[0] ?? '-';
    return withKaizen(args, terminal, (session) => {
      switch (format) {
        case 'jsonl':
          return writeLines(session, args, target, terminal);
        case 'markdown':
          return writeMarkdown(session, args, target, terminal);
        case 'agents':
          return writeAgents(session, args, target, limit, terminal);
        case 'html':
          return writeReport(session, args, target, terminal);
      }
    });
  },
};

/** Throws UsageError for what does not go together. */
function formatOf(args: Arguments): Format {
  const named = args.string('format') ?? (args.flag('markdown') ? 'markdown' : 'jsonl');
  const format = FORMATS.find((each) => each === named);
  if (!format) throw new UsageError(`--format must be one of ${FORMATS.join(', ')}.`);
  if (args.flag('markdown') && format !== 'markdown') throw new UsageError(`--markdown is not --format ${format}.`);
  const only = (option: string, given: boolean, formats: readonly Format[]) => {
    if (given && !formats.includes(format))
      throw new UsageError(`--${option} goes with --format ${formats.join(' or ')}.`);
  };
  only('overwrite', args.flag('overwrite'), ['jsonl', 'markdown', 'html']);
  only('limit', args.string('limit') !== undefined, ['agents']);
  only('no-authors', args.flag('no-authors'), ['agents', 'html']);
  if (args.strings('scope').length > 1) only('scope, repeated,', true, ['jsonl', 'markdown']);
  return format;
}

function limitOf(args: Arguments): number | undefined {
  const given = args.string('limit');
  if (given === undefined) return undefined;
  const limit = Number(given);
  if (!/^\d+$/.test(given) || limit < 1_000 || limit > 10_000_000) {
    throw new UsageError(`--limit must be a number of bytes from 1000 to 10000000, not "${given}".`);
  }
  return limit;
}

async function recordsOf({ kaizen, knowledge }: Session, args: Arguments) {
  const scopes = args.strings('scope');
  // Throws for one that is not there.
  for (const scope of scopes) knowledge.scope(scope);
  const all = await kaizen.exportRecords();
  return scopes.length === 0 ? all : ofScopes(all, new Set(scopes));
}

function scopeOf({ project }: Session, args: Arguments): string {
  return args.strings('scope')[0] ?? project;
}

async function writeLines(session: Session, args: Arguments, file: string, terminal: Terminal): Promise<number> {
  const records = await recordsOf(session, args);
  const text = serialise(records);
  if (file === '-') {
    terminal.raw(text);
    return 0;
  }
  if (!args.flag('overwrite'))
    await expectReplaceable(file, (beginning) => /^\s*\{\s*"type"\s*:\s*"kaizen"/.test(beginning));
  await writeWhole(file, text);
  if (terminal.isJson) terminal.json({ file, records: records.length });
  else terminal.out(`${counted(records.length, 'record')} written to ${file}.`);
  return 0;
}

async function writeMarkdown(session: Session, args: Arguments, folder: string, terminal: Terminal): Promise<number> {
  const files: TextFile[] = [];
  for await (const each of markdownFiles(await recordsOf(session, args))) files.push(each);
  const result = await writeFolder(folder, files, { overwrite: args.flag('overwrite') });
  if (terminal.isJson) {
    terminal.json({ folder, ...result });
    return 0;
  }
  const { written, unchanged, others } = result;
  const rest = unchanged > 0 ? `, ${unchanged} unchanged` : '';
  terminal.out(`${counted(written, 'file')} written to ${folder}${rest}.`);
  if (others.length > 0) {
    terminal.say(
      `${counted(others.length, 'file')} there ${others.length === 1 ? 'is' : 'are'} not part of what is known now, such as ${others[0]}.`,
    );
  }
  return 0;
}

async function writeAgents(
  session: Session,
  args: Arguments,
  file: string,
  limitBytes: number | undefined,
  terminal: Terminal,
): Promise<number> {
  const holding = await session.kaizen.holding(scopeOf(session, args));
  const made = agentsFile(holding, { limitBytes, authors: !args.flag('no-authors') });
  const { text, written, left } = made;
  if (file === '-') {
    terminal.raw(text);
    sayLeft(made, terminal);
    return 0;
  }
  const { writeKnowledgeSection } = await import('../../agents');
  const state = await writeKnowledgeSection(file, text);
  if (terminal.isJson) terminal.json({ file, state, entries: written, left });
  else {
    const how = {
      created: 'written to',
      changed: 'written to the marked section of',
      unchanged: 'in place already in',
    };
    terminal.out(`${counted(written, 'entry', 'entries')} ${how[state]} ${file}.`);
  }
  sayLeft(made, terminal);
  return 0;
}

function sayLeft({ left }: AgentsFile, terminal: Terminal): void {
  if (left > 0) terminal.say(`${counted(left, 'entry', 'entries')} found no room; --limit makes more.`);
}

async function writeReport(session: Session, args: Arguments, file: string, terminal: Terminal): Promise<number> {
  const holding = await session.kaizen.holding(scopeOf(session, args));
  const html = await htmlReport(holding, { authors: !args.flag('no-authors') });
  if (file === '-') {
    terminal.raw(html);
    return 0;
  }
  if (!args.flag('overwrite'))
    await expectReplaceable(file, (beginning) => beginning.includes('<meta name="generator" content="Kaizen">'));
  await writeWhole(file, html);
  const entries = holding.entries.length;
  if (terminal.isJson) terminal.json({ file, entries });
  else terminal.out(`A report of ${counted(entries, 'entry', 'entries')} was written to ${file}.`);
  return 0;
}
