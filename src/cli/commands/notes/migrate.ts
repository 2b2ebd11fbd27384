import { resolve } from 'node:path';
import type { MigrationStep } from '../../../notes';
import { type Command, expectWords } from '../../command';
import { counted, indent, type Terminal } from '../../terminal';
import { EVERY_NOTES_COMMAND, SPACE_OPTION, spaceOf, withNotes } from './arguments';

const OLD_LAYOUT = 'knowledge/base';

export const migrate: Command = {
  name: 'notes migrate',
  usage: ['notes migrate [FOLDER] [--in project|user] [--apply]'],
  summary: 'Bring notes of the old layout (knowledge/base/) over',
  details: 'Says what would be written, and writes it with --apply. The old files stay, and no note is replaced.',
  options: {
    apply: { type: 'boolean', help: 'write what was said' },
    ...SPACE_OPTION,
    ...EVERY_NOTES_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, [], 1);
    const workspace = resolve(args.string('workspace') ?? '.');
    const from = resolve(workspace, args.positionals[0] ?? OLD_LAYOUT);
    const space = spaceOf(args) ?? 'project';
    const apply = args.flag('apply');
    return withNotes(args, terminal, async ({ notes, author }) => {
      const steps = await notes.planMigration(from, space);
      const written = apply ? await notes.migrate(steps, space, { author }) : 0;
      if (terminal.isJson) {
        terminal.json({ written, steps: steps.map(({ text: _text, ...step }) => step) });
        return 0;
      }
      for (const step of steps) terminal.out(describe(step, terminal));
      const converted = steps.filter(({ status }) => status === 'convert').length;
      if (apply) terminal.say(`${counted(written, 'note')} written; the old files are where they were.`);
      else if (converted === 0) terminal.say('There is nothing to bring over.');
      else terminal.say(`${counted(converted, 'note')} would be written; --apply does it.`);
      return 0;
    });
  },
};

function describe({ from, to, status, remarks }: MigrationStep, terminal: Terminal): string {
  const head = {
    convert: `${from} → ${to}`,
    unchanged: `${from} is there as ${to} already`,
    conflict: terminal.paint('yellow', `${from}: ${to} is taken`),
    unreadable: terminal.paint('red', `${from} cannot be brought over`),
  }[status];
  return [head, ...remarks.map((remark) => indent(terminal.paint('dim', remark)))].join('\n');
}
