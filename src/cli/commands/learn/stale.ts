import type { StaleContent } from '../../../learning';
import { type Command, expectWords } from '../../command';
import { limitOf } from '../../discovery-arguments';
import { counted, table } from '../../terminal';
import { EVERY_RELATIONS_COMMAND, withRelations } from '../relations/arguments';

const MOST_DAYS = 36_500;
const MOST = 1_000;

export const stale: Command = {
  name: 'learn stale',
  usage: ['learn stale [--days N] [--limit N]'],
  summary: 'What nobody has changed, checked or used for long, oldest first',
  details:
    'As stale_content of the tool knowledge_admin: documents, entries, nodes, notes, and scores that age lowers.',
  options: {
    days: { type: 'string', value: 'N', help: `what is older, 1 to ${MOST_DAYS}; 365 unless told` },
    limit: { type: 'string', value: 'N', help: `at most so many of each, 1 to ${MOST}; 100 unless told` },
    ...EVERY_RELATIONS_COMMAND,
  },

  async run(args, terminal) {
    expectWords(args.positionals, []);
    const [max_age_days, limit] = [limitOf(args, 'days', MOST_DAYS), limitOf(args, 'limit', MOST)];
    return withRelations(args, terminal, async ({ administration }) => {
      const found = await administration.stale({ max_age_days, limit });
      if (terminal.isJson) {
        terminal.json(found);
        return 0;
      }
      const sections = sectionsOf(found)
        .filter(([, rows]) => rows.length > 0)
        .map(([title, rows]) => `${terminal.paint('bold', title)}\n${table(rows)}`);
      if (sections.length > 0) terminal.out(sections.join('\n\n'));
      const { documents, entries, nodes, notes, scores } = found.counts;
      const said = [
        ...[counted(documents, 'document'), counted(entries, 'entry', 'entries'), counted(nodes, 'node')],
        ...[counted(notes, 'note'), counted(scores, 'score')],
      ];
      terminal.say(`Older than ${counted(found.max_age_days, 'day')}: ${said.join(', ')}.`);
      if (found.undated_documents > 0) {
        terminal.say(`Without a date: ${counted(found.undated_documents, 'document')}.`);
      }
      if (found.message !== undefined) terminal.say(found.message);
      return 0;
    });
  },
};

function sectionsOf({ documents, entries, nodes, notes, scores }: StaleContent): [title: string, rows: string[][]][] {
  const rowsOf = (items: StaleContent['documents']) =>
    items.map(({ age_days, title, by, date, uri }) => [
      ...[`${age_days} days`, title, `${by.replace('_', ' ')} ${date.slice(0, 10)}`, uri],
    ]);
  return [
    ['Documents', rowsOf(documents)],
    ['Entries', rowsOf(entries)],
    ['Nodes', rowsOf(nodes)],
    ['Notes', rowsOf(notes)],
    [
      'Scores',
      scores.map(({ staleness_penalty, composite_score, artifact }) => [
        ...[`- ${Math.round(staleness_penalty * 100)} %`, composite_score.toFixed(2), artifact],
      ]),
    ],
  ];
}
