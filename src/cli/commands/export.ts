import { markdownFiles, serialise, type TextFile, writeFolder, writeWhole } from '../../transfer';
import { type Command, expectWords, UsageError } from '../command';
import { COMMON_OPTIONS, withKaizen } from '../session';
import { counted } from '../terminal';

export const exportFile: Command = {
  name: 'export',
  usage: ['export [FILE|-]', 'export FOLDER --markdown [--overwrite]'],
  summary: 'Write everything that is known to a file (JSON Lines), or the entries to a folder (Markdown)',
  details:
    'To standard output without FILE. The same knowledge always gives the same bytes. A folder of Markdown holds what ' +
    'is known now, without revisions, sessions and progress; files that are there with another text are kept unless ' +
    '--overwrite is given.',
  options: {
    markdown: { type: 'boolean', help: 'write a folder of Markdown files with front matter' },
    overwrite: { type: 'boolean', help: 'replace files of the folder that hold another text' },
    ...COMMON_OPTIONS,
  },

  async run(args, terminal) {
    const markdown = args.flag('markdown');
    if (args.flag('overwrite') && !markdown) throw new UsageError('--overwrite goes with --markdown.');
    expectWords(args.positionals, markdown ? ['FOLDER'] : [], 1);
    const file = args.positionals[0] ?? '-';
    return withKaizen(args, terminal, async ({ kaizen }) => {
      const records = await kaizen.exportRecords();
      if (markdown) {
        const files: TextFile[] = [];
        for await (const each of markdownFiles(records)) files.push(each);
        const result = await writeFolder(file, files, { overwrite: args.flag('overwrite') });
        if (terminal.isJson) {
          terminal.json({ folder: file, ...result });
          return 0;
        }
        const { written, unchanged, others } = result;
        const rest = unchanged > 0 ? `, ${unchanged} unchanged` : '';
        terminal.out(`${counted(written, 'file')} written to ${file}${rest}.`);
        if (others.length > 0) {
          terminal.say(
            `${counted(others.length, 'file')} there ${others.length === 1 ? 'is' : 'are'} not part of what is known now, such as ${others[0]}.`,
          );
        }
        return 0;
      }
      const text = serialise(records);
      if (file === '-') {
        terminal.raw(text);
        return 0;
      }
      await writeWhole(file, text);
      if (terminal.isJson) terminal.json({ file, records: records.length });
      else terminal.out(`${counted(records.length, 'record')} written to ${file}.`);
      return 0;
    });
  },
};
