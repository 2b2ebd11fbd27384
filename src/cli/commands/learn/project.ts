import { OUTCOME_STATUSES, PROJECT_STATUSES, type ProjectInput } from '../../../learning';
import { type Arguments, type Command, expectWords } from '../../command';
import { chosen } from '../../discovery-arguments';
import { listOf, shareOf } from '../library/arguments';
import {
  amountOf,
  DOMAIN_OPTION,
  EVERY_LEARN_COMMAND,
  FROM_OPTION,
  fileOf,
  neededOf,
  said,
  TYPE_OPTION,
  VISIBILITY_OPTION,
  visibilityOf,
} from './arguments';
import { type Actions, type Asked, act, commonActions, write } from './records';

export const project: Command = {
  name: 'learn project',
  usage: [
    'learn project [--state STATE] [--type TYPE] [--domain DOMAIN]',
    'learn project show ID',
    'learn project add NAME [--from FILE] [--type TYPE] [--task NAME]... [--risk TEXT]... [--template ID]',
    'learn project activate ID',
    'learn project complete ID [--outcome STATUS] [--rating N] [--summary TEXT] [--lesson TEXT]...',
    'learn project abandon ID --why TEXT',
    'learn project reopen ID',
    'learn project delete ID',
  ],
  summary: 'What was planned and what came of it: list, add, follow to the outcome',
  details: 'A FILE has the form of "project" of the tool knowledge_planning_support (docs/toolsets/workflows.md).',
  options: {
    state: { type: 'string', value: 'STATE', help: `list only ${PROJECT_STATUSES.join(', ')}` },
    from: FROM_OPTION,
    description: { type: 'string', value: 'TEXT', help: 'what it is' },
    type: TYPE_OPTION,
    domain: DOMAIN_OPTION,
    task: { type: 'string', multiple: true, value: 'NAME', help: 'a task; may be repeated' },
    risk: { type: 'string', multiple: true, value: 'TEXT', help: 'a risk; may be repeated' },
    template: { type: 'string', value: 'ID', help: 'the template that it is made from' },
    days: { type: 'string', value: 'N', help: 'how long it is to take, or took' },
    hours: { type: 'string', value: 'N', help: 'the effort that it is to take, or took' },
    visibility: VISIBILITY_OPTION,
    outcome: { type: 'string', value: 'STATUS', help: `${OUTCOME_STATUSES.join(', ')}; completed unless told` },
    rating: { type: 'string', value: 'N', help: 'how well it went, 0 to 1' },
    summary: { type: 'string', value: 'TEXT', help: 'what came of it' },
    lesson: { type: 'string', multiple: true, value: 'TEXT', help: 'what it taught; may be repeated' },
    worked: { type: 'string', multiple: true, value: 'TEXT', help: 'what worked; may be repeated' },
    failed: { type: 'string', multiple: true, value: 'TEXT', help: "what didn't work; may be repeated" },
    why: { type: 'string', value: 'TEXT', help: 'why it is abandoned or reopened' },
    ...EVERY_LEARN_COMMAND,
  },
  run: (args, terminal) => act(args, terminal, ACTIONS),
};

const ACTIONS: Actions = {
  ...commonActions('project', filterOf),
  add,
  activate: (asked) => transition(asked, 'activate', 'Active'),
  complete,
  abandon: (asked) => transition(asked, 'abandon', 'Abandoned'),
  reopen: (asked) => transition(asked, 'reopen', 'Active again'),
};

function filterOf(args: Arguments) {
  const state = chosen(args, 'state', PROJECT_STATUSES);
  return { status: state && [state], project_type: args.string('type'), domain: args.string('domain') };
}

async function add(asked: Asked): Promise<number> {
  const { args, words } = asked;
  const file = await fileOf<ProjectInput>(args);
  expectWords(words, file?.name === undefined ? ['NAME'] : [], 1);
  const given = said({
    name: words[0],
    description: args.string('description'),
    project_type: args.string('type'),
    domain: args.string('domain'),
    tasks: listOf(args, 'task')?.map((name) => ({ name })),
    identified_risks: listOf(args, 'risk'),
    source_template_id: args.string('template'),
    estimated_duration_days: amountOf(args, 'days'),
    estimated_effort_hours: amountOf(args, 'hours'),
    visibility: visibilityOf(args),
  });
  const input = { ...file, ...given } as ProjectInput;
  return write(asked, { operation: 'capture_project', project: input }, 'Captured');
}

async function complete(asked: Asked): Promise<number> {
  const { args, words } = asked;
  expectWords(words, ['ID']);
  const outcome = {
    status: chosen(args, 'outcome', OUTCOME_STATUSES),
    success_rating: shareOf(args, 'rating'),
    outcome_summary: args.string('summary'),
    actual_duration_days: amountOf(args, 'days'),
    actual_effort_hours: amountOf(args, 'hours'),
    lessons_learned: listOf(args, 'lesson'),
    what_worked: listOf(args, 'worked'),
    what_didnt_work: listOf(args, 'failed'),
  };
  return write(asked, { operation: 'capture_outcome', project_id: words[0]!, outcome }, 'Captured');
}

async function transition(asked: Asked, to: 'activate' | 'abandon' | 'reopen', done: string): Promise<number> {
  const { args, words } = asked;
  expectWords(words, ['ID']);
  const reason = to === 'abandon' ? neededOf(args, 'why', 'say why it ends') : args.string('why');
  return write(asked, { operation: 'transition_project', project_id: words[0]!, transition: to, reason }, done);
}
