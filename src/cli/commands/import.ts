import { isoTime, systemClock } from '../../core/clock';
import type { ImportPreview } from '../../kaizen';
import { described, type SecretPlace } from '../../safety';
import { type FileNote, type ImportResult, openSource, readSource, type Source, sourceOfText } from '../../transfer';
import { type Command, expectWords, UsageError } from '../command';
import { sourceKindOf } from '../import-arguments';
import { reviewAndStore } from '../import-review';
import { WRITING_OPTIONS, withKaizen } from '../session';
import { counted, readFileOrInput, type Terminal, table } from '../terminal';

export const importFile: Command = {
  name: 'import',
  usage: [
    'import FILE|FOLDER|- [--overwrite] [--dry-run]',
    'import FILE|FOLDER [--from KIND] [--scope SCOPE] [--category NAME] [--only N,…] [--overwrite] [--dry-run] [--yes]',
  ],
  summary: 'Load knowledge from an export, from Markdown notes, or from what other tools keep',
  details: [
    'Everything is checked before anything is changed. What an export wrote comes in as it is: a file of lines, or a ' +
      'folder of Markdown. What exists and differs is kept and counted.',
    '',
    'AGENTS.md, CLAUDE.md, copilot-instructions.md, *.instructions.md, .cursor/rules, .clinerules, .windsurfrules, ' +
      'decisions (docs/adr), the memory server’s memory.json and lines of JSON are found by name; a folder that holds ' +
      'none of them, and any other .md file, are notes: their category is the folder, the keyword the file’s name. They ' +
      'become entries that are shown first, with what is stored already and what looks alike; nothing is stored before ' +
      'you agree.',
  ].join('\n'),
  options: {
    overwrite: { type: 'boolean', help: 'replace what exists and differs; the old text stays in the history' },
    'dry-run': { type: 'boolean', help: 'change nothing, only tell what would be done, conflicts first' },
    scope: { type: 'string', value: 'SCOPE', help: 'where notes and rules go; rules to the project unless told' },
    category: { type: 'string', value: 'NAME', help: 'category of notes that stand in no folder; "notes" unless told' },
    from: { type: 'string', value: 'KIND', help: 'whose files they are: agents, claude, copilot, cursor, cline, …' },
    only: { type: 'string', value: 'N,…', help: 'the entries of the review to store: 1,4-7' },
    yes: { type: 'boolean', short: 'y', help: 'store what the review marks, without asking' },
    ...WRITING_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['FILE']);
    const file = args.positionals[0]!;
    const from = sourceKindOf(args);
    const category = args.string('category');
    const source: Source =
      file === '-'
        ? await sourceOfText('-', await readFileOrInput(file, terminal), { from, category })
        : await openSource(file, { from, category });
    if (source.kind === 'rules')
      return withKaizen(args, terminal, (session) => reviewAndStore(source, session, args, terminal));
    if (args.string('only') !== undefined)
      throw new UsageError('--only chooses among what other tools keep; this is no such file.');
    for (const option of ['scope', 'category']) {
      if (args.string(option) !== undefined)
        throw new UsageError(`--${option} says where goes what other tools keep; an export says so itself.`);
    }
    return withKaizen(args, terminal, async ({ kaizen, author }) => {
      const at = isoTime(systemClock.now());
      const { records, notes, tell } = await readSource(source, { author, at });
      const options = { author, overwrite: args.flag('overwrite') };
      try {
        if (args.flag('dry-run')) {
          const preview = await kaizen.previewImport(records, options);
          const secrets = await kaizen.secretsIn(records, options);
          if (terminal.isJson) terminal.json({ ...preview, notes, secrets });
          else reportPreview(preview, notes, secrets, terminal);
          return 0;
        }
        const result = await kaizen.importRecords(records, options);
        if (terminal.isJson) terminal.json(source.kind === 'lines' ? result : { ...result, notes });
        else report(result, notes, terminal);
        return 0;
      } catch (error) {
        throw tell(error);
      }
    });
  },
};

const NAMES: Record<keyof ImportResult, string> = {
  scope: 'scopes',
  category: 'category descriptions',
  entry: 'entries',
  overview: 'project overviews',
  session: 'sessions',
  progress: 'progress',
  task: 'tasks',
};

/** More than a person reads at once; `--json` has them all. */
const SHOWN = 50;

function reportPreview(
  { result, conflicts }: ImportPreview,
  notes: readonly FileNote[],
  secrets: readonly SecretPlace[],
  terminal: Terminal,
): void {
  if (conflicts.length > 0) {
    terminal.out(terminal.paint('bold', `${counted(conflicts.length, 'conflict')}: there is another text already`));
    for (const { kind, place } of conflicts.slice(0, SHOWN)) terminal.out(`  ${kind}  ${place.join(' / ')}`);
    if (conflicts.length > SHOWN) terminal.out(`  and ${conflicts.length - SHOWN} more`);
    terminal.out('');
  }
  report(result, notes, terminal);
  if (secrets.length > 0)
    terminal.say(
      `What looks like a secret is refused, taken out with --secrets redact, or stored with --allow-secret: ${described(secrets)}.`,
    );
  terminal.say('Nothing was changed.');
}

function report(result: ImportResult, notes: readonly FileNote[], terminal: Terminal): void {
  for (const { path, message } of notes.slice(0, SHOWN)) terminal.say(`${path}: ${message}`);
  if (notes.length > SHOWN) terminal.say(`and ${notes.length - SHOWN} more files with something to say.`);
  const rows = (Object.keys(NAMES) as (keyof ImportResult)[])
    .map((kind) => ({ name: NAMES[kind], counts: result[kind] }))
    .filter(({ counts }) => Object.values(counts).some((count) => count > 0))
    .map(({ name, counts: { added, identical, kept, overwritten } }) => [
      name,
      ...[added, overwritten, identical, kept].map((count) => (count === 0 ? '-' : String(count))),
    ]);
  if (rows.length === 0) {
    terminal.out('The file holds no records.');
    return;
  }
  const head = ['', 'ADDED', 'REPLACED', 'IDENTICAL', 'KEPT'].map((text) => terminal.paint('bold', text));
  terminal.out(table([head, ...rows]));
  if (Object.values(result).some(({ kept }) => kept > 0)) {
    terminal.say('What was kept differs from the file; --overwrite takes the file instead.');
  }
}
