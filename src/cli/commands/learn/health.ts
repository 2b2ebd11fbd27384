import type { HealthReport } from '../../../learning';
import { type Command, expectWords } from '../../command';
import { type Colour, counted, table } from '../../terminal';
import { EVERY_RELATIONS_COMMAND, withRelations } from '../relations/arguments';

const COLOURS: Readonly<Record<HealthReport['status'], Colour>> = {
  healthy: 'green',
  attention: 'yellow',
  problems: 'red',
};

export const health: Command = {
  name: 'learn health',
  usage: ['learn health'],
  summary: 'How all knowledge is: how much there is, what is not as it should be, what to do about it',
  details: 'As health_report of the tool knowledge_admin. Ends with 1 where something cannot be read or searched.',
  options: { ...EVERY_RELATIONS_COMMAND },

  async run(args, terminal) {
    expectWords(args.positionals, []);
    return withRelations(args, terminal, async ({ administration }) => {
      const report = await administration.health();
      if (terminal.isJson) terminal.json(report);
      else {
        terminal.out(terminal.paint(COLOURS[report.status], report.status));
        terminal.out(table(amountsOf(report)));
        for (const { severity, message } of report.findings) terminal.out(`\n${severity}: ${message}`);
        const todo = report.recommendations ?? [];
        if (todo.length > 0) {
          const steps = todo.map(({ priority, action, tool }) => `${priority}. ${action}${tool ? ` (${tool})` : ''}`);
          terminal.out(`\n${terminal.paint('bold', 'What to do')}\n${steps.join('\n')}`);
        }
      }
      return report.status === 'problems' ? 1 : 0;
    });
  },
};

function amountsOf({ library, knowledge, bases, notes, learning, relations }: HealthReport): string[][] {
  const { feedback, project, template, pattern, decision, lesson } = learning;
  return [
    ['library', `${counted(library.documents, 'document')}, ${counted(library.chunks, 'passage')}, ${library.state}`],
    ['knowledge', `${counted(knowledge.entries, 'entry', 'entries')} in ${counted(knowledge.scopes, 'scope')}`],
    ['bases', `${counted(bases.nodes, 'node')} in ${counted(bases.bases, 'base')}`],
    ['notes', `${counted(notes.notes, 'note')} in ${counted(notes.spaces, 'space')}`],
    [
      'learning',
      [
        ...[counted(project, 'project'), counted(template, 'template'), counted(pattern, 'pattern')],
        ...[counted(decision, 'decision'), counted(lesson, 'lesson'), `${feedback} × feedback`],
      ].join(', '),
    ],
    ['relations', String(relations)],
  ];
}
