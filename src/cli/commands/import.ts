import { isoTime, systemClock } from '../../core/clock';
import { isKaizenError, KaizenError } from '../../core/errors';
import { type ImportResult, parseLines } from '../../transfer';
import { type Command, expectWords } from '../command';
import { COMMON_OPTIONS, withKaizen } from '../session';
import { readFileOrInput, type Terminal, table } from '../terminal';

export const importFile: Command = {
  name: 'import',
  usage: ['import FILE|- [--overwrite]'],
  summary: 'Load knowledge from a file that export wrote, or one written by hand',
  details: 'The whole file is checked before anything is changed. What exists and differs is kept and counted.',
  options: {
    overwrite: { type: 'boolean', help: 'replace what exists and differs; the old text stays in the history' },
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['FILE']);
    const file = args.positionals[0]!;
    const text = await readFileOrInput(file, terminal);
    return withKaizen(args, terminal, async ({ kaizen, author }) => {
      const result = await naming(file, async () => {
        const records = parseLines(text, { author, at: isoTime(systemClock.now()) });
        return kaizen.importRecords(records, { author, overwrite: args.flag('overwrite') });
      });
      if (terminal.isJson) terminal.json(result);
      else report(result, terminal);
      return 0;
    });
  },
};

/** A problem with a line is told with the file's name before it. */
async function naming<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (file === '-' || !isKaizenError(error) || !error.message.startsWith('line ')) throw error;
    throw new KaizenError(error.code, `${file}, ${error.message}`, error.hint, { cause: error });
  }
}

const NAMES: Record<keyof ImportResult, string> = {
  scope: 'scopes',
  category: 'category descriptions',
  entry: 'entries',
  overview: 'project overviews',
  session: 'sessions',
  progress: 'progress',
  task: 'tasks',
};

function report(result: ImportResult, terminal: Terminal): void {
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
