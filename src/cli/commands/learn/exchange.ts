import { readFile } from 'node:fs/promises';
import { COLLECTIONS } from '../../../learning';
import { writeWhole } from '../../../transfer';
import { type Arguments, type Command, expectWords, type Option, UsageError } from '../../command';
import { expectReplaceable } from '../../replacing';
import { counted, readFileOrInput, table } from '../../terminal';
import { withRelations } from '../relations/arguments';
import { EVERY_LEARN_COMMAND } from './arguments';

const COLLECTION_OPTION: Option = {
  type: 'string',
  value: 'NAME',
  multiple: true,
  help: `only this; repeatable: ${COLLECTIONS.join(', ')}`,
};

export const exportLearned: Command = {
  name: 'learn export',
  usage: [
    'learn export [FILE|-] [--collection NAME]… [--personal] [--overwrite]',
    'learn export FILE --parquet [--collection NAME]… [--personal] [--overwrite]',
  ],
  summary: 'Write what was learned to a file (JSON): records, feedback, counts and relations',
  details:
    'To standard output without FILE. What is personal, all that names it, and what was asked are left out unless ' +
    '--personal is given. The same knowledge always gives the same bytes. A file that is there is kept unless it is an ' +
    'earlier export in JSON, or --overwrite is given.',
  options: {
    collection: COLLECTION_OPTION,
    parquet: { type: 'boolean', help: 'write a table of Apache Parquet' },
    personal: { type: 'boolean', help: 'what is personal as well' },
    overwrite: { type: 'boolean', help: 'replace what is there' },
    ...EVERY_LEARN_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 1);
    const file = args.positionals[0] ?? '-';
    if (args.flag('parquet') && file === '-') throw new UsageError('--parquet needs a FILE.');
    if (file !== '-' && !args.flag('overwrite'))
      // What a table holds says only its end.
      await expectReplaceable(file, (beginning) => /^\s*\{\s*"format"\s*:\s*"kaizen-learning"/.test(beginning));
    return withRelations(args, terminal, async ({ administration }) => {
      const { content, counts } = await administration.export({
        format: args.flag('parquet') ? 'parquet' : 'json',
        collections: collectionsOf(args),
        personal: args.flag('personal'),
      });
      if (file === '-') {
        terminal.raw(content.toString());
        return 0;
      }
      await writeWhole(file, content);
      if (terminal.isJson) terminal.json({ file, counts });
      else {
        const said = Object.entries(counts).filter(([, count]) => count > 0);
        terminal.out(`${said.map(([name, count]) => `${count} ${name}`).join(', ') || 'Nothing'} written to ${file}.`);
      }
      return 0;
    });
  },
};

export const importLearned: Command = {
  name: 'learn import',
  usage: ['learn import FILE|- [--collection NAME]… [--overwrite] [--dry-run]'],
  summary: 'Take in what learn export wrote',
  details:
    'Everything is checked before anything is changed. What exists and differs is kept and counted; nothing is there ' +
    'twice, however often a file is imported. What is personal becomes yours.',
  options: {
    collection: COLLECTION_OPTION,
    overwrite: { type: 'boolean', help: 'replace what exists and differs' },
    'dry-run': { type: 'boolean', help: 'change nothing, only tell what would be done' },
    ...EVERY_LEARN_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, ['FILE']);
    const file = args.positionals[0]!;
    const content = file === '-' ? await readFileOrInput(file, terminal) : await readFile(file);
    return withRelations(args, terminal, async ({ administration, author }) => {
      const rehearse = args.flag('dry-run');
      const options = { collections: collectionsOf(args), overwrite: args.flag('overwrite') };
      const imported = await administration.import(content, options, { author, rehearse });
      if (terminal.isJson) {
        terminal.json(imported);
        return 0;
      }
      const { added, updated, unchanged, kept, feedback, counts, relationships } = imported;
      const head = ['', 'ADDED', 'REPLACED', 'IDENTICAL', 'KEPT'].map((word) => terminal.paint('bold', word));
      const row = (name: string, ...numbers: number[]) => [
        name,
        ...numbers.map((each) => (each === 0 ? '-' : `${each}`)),
      ];
      terminal.out(
        table([
          head,
          row('records', added, updated, unchanged, kept.length),
          row('feedback', feedback),
          row('counts', 0, counts),
          row('relations', relationships.added, relationships.updated, relationships.unchanged, relationships.kept),
        ]),
      );
      if (relationships.left_out > 0) {
        terminal.say(`${counted(relationships.left_out, 'relation')} left out: an end is not here.`);
      }
      if (kept.length + relationships.kept > 0) {
        terminal.say('What was kept differs from the file; --overwrite takes the file instead.');
      }
      if (rehearse) terminal.say('Nothing was changed.');
      return 0;
    });
  },
};

function collectionsOf(args: Arguments): string[] | undefined {
  const named = args.strings('collection');
  return named.length > 0 ? named : undefined;
}
