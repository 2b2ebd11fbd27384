import { writeFile } from 'node:fs/promises';
import { serialise } from '../../transfer';
import { type Command, expectWords } from '../command';
import { COMMON_OPTIONS, withKaizen } from '../session';
import { counted } from '../terminal';

export const exportFile: Command = {
  name: 'export',
  usage: ['export [FILE|-]'],
  summary: 'Write everything that is known to a file (JSON Lines)',
  details: 'To standard output without FILE. The same knowledge always gives the same bytes.',
  options: COMMON_OPTIONS,

  async run(args, terminal) {
    expectWords(args.positionals, [], 1);
    const file = args.positionals[0] ?? '-';
    return withKaizen(args, terminal, async ({ kaizen }) => {
      const records = await kaizen.exportRecords();
      const text = serialise(records);
      if (file === '-') {
        terminal.raw(text);
        return 0;
      }
      await writeFile(file, text);
      if (terminal.isJson) terminal.json({ file, records: records.length });
      else terminal.out(`${counted(records.length, 'record')} written to ${file}.`);
      return 0;
    });
  },
};
