import { described } from '../../safety';
import { type Command, type CommandGroup, expectWords } from '../command';
import { COMMON_OPTIONS, withKaizen } from '../session';

const scan: Command = {
  name: 'safety scan',
  usage: ['safety scan'],
  summary: 'List what is stored and looks as if it held a secret',
  details: 'Names the places and never the secrets. Changes nothing; its exit code is 1 when it finds something.',
  options: COMMON_OPTIONS,

  async run(args, terminal) {
    expectWords(args.positionals, []);
    return withKaizen(args, terminal, async ({ kaizen, notes }) => {
      notes.start();
      await notes.ready(LONGEST_MS);
      const found = await kaizen.findSecrets();
      if (terminal.isJson) terminal.json(found);
      else if (found.length === 0) terminal.say('Nothing that is stored looks as if it held a secret.');
      else for (const { where, places } of found) terminal.out(`${where}: ${described(places)}`);
      return found.length === 0 ? 0 : 1;
    });
  },
};

/** Notes of a folder on a network may take long to be read. */
const LONGEST_MS = 60_000;

export const safety: CommandGroup = { name: 'safety', summary: 'Find secrets in what is stored', commands: [scan] };
