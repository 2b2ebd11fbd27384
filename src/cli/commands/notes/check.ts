import type { NoteProblem } from '../../../notes';
import { type Command, expectWords } from '../../command';
import { counted, table } from '../../terminal';
import { EVERY_NOTES_COMMAND, SPACE_OPTION, spaceOf, withNotes } from './arguments';

export const check: Command = {
  name: 'notes check',
  usage: ['notes check [--in project|user]'],
  summary: 'Say what is wrong with notes: front matter, ids, links that lead nowhere',
  details: 'The exit code is 1 when something is: for continuous integration.',
  options: { ...SPACE_OPTION, ...EVERY_NOTES_COMMAND },

  async run(args, terminal) {
    expectWords(args.positionals, []);
    const space = spaceOf(args);
    return withNotes(args, terminal, async ({ notes }) => {
      const problems = notes.problems().filter((problem) => space === undefined || problem.space === space);
      if (terminal.isJson) terminal.json(problems);
      else if (problems.length === 0) terminal.out(`${counted(notes.notes(space).length, 'note')}, nothing is wrong.`);
      else {
        terminal.out(table(problems.map((problem) => [placeOf(problem), String(problem.message)])));
        terminal.say(`${counted(problems.length, 'problem')} in ${counted(notes.notes(space).length, 'note')}.`);
      }
      return problems.length > 0 ? 1 : 0;
    });
  },
};

/** `project patterns/042-x.md:3`, lines as editors count them. */
function placeOf({ space, file, line }: NoteProblem): string {
  if (file === undefined) return space;
  return `${space} ${file}${line === undefined ? '' : `:${line + 1}`}`;
}
