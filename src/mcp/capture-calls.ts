import { learningUri } from '../core/knowledge-uri';
import type { KaizenParts } from '../kaizen';
import type {
  LearnedRecords,
  LearningSettings,
  LearningWrite,
  LearningWritten,
  LessonInput,
  OutcomeInput,
  ProjectInput,
  TaskInput,
  Transition,
} from '../learning';
import { changeBy, writeOrHold } from './agent-writes';
import type { EnvelopedResult } from './envelope';
import { given } from './library-answers';
import { type Needs, neededIn, requireNeeded } from './needed';
import type { Held } from './policy';
import type { ToolCall } from './tool';

/** The capturing operations of `knowledge_planning_support` (seed 003, 5.4.4), and `transition_project`. */
export interface CaptureArguments {
  operation: 'capture_project' | 'transition_project' | 'capture_outcome' | 'capture_template' | 'capture_lesson';
  project?: Loose<Omit<ProjectInput, 'tasks'>> & { tasks?: readonly Loose<TaskInput>[] | undefined };
  project_id?: string | undefined;
  transition?: Exclude<Transition, 'complete'> | undefined;
  reason?: string | undefined;
  outcome?: OutcomeInput | undefined;
  template_name?: string | undefined;
  generalization_notes?: string | undefined;
  lesson?: Loose<LessonInput> | undefined;
}

/** As it may come: what is needed of it is said by name. */
type Loose<Input> = { [Name in keyof Input]?: Input[Name] | undefined };

const NEEDS: Needs<CaptureArguments['operation'], keyof CaptureArguments> = {
  capture_project: ['project'],
  transition_project: ['project_id', 'transition'],
  capture_outcome: ['project_id', 'outcome'],
  capture_template: ['project_id', 'template_name'],
  capture_lesson: ['lesson'],
};

/** Captures, or holds for review. Throws `invalid_argument`, naming the operation that needs something, and as `write` of `LearningPart`. */
export async function capture(
  parts: KaizenParts,
  args: CaptureArguments,
  call: ToolCall,
): Promise<EnvelopedResult | Held> {
  const input = writeOf(args);
  const change = changeBy(call);
  return writeOrHold(parts, call, { operation: 'write_learning', input }, change, async () =>
    answerOf(input.operation, await parts.learning.write(input, change), parts.learning.settings),
  );
}

function writeOf(args: CaptureArguments): LearningWrite {
  requireNeeded(args, NEEDS);
  const { operation, project_id = '', project = {}, lesson = {}, outcome = {}, template_name = '' } = args;
  switch (operation) {
    case 'capture_project': {
      const tasks = project.tasks?.map((task) => ({
        ...task,
        name: neededIn(operation, 'project.tasks', task, 'name'),
      }));
      const name = neededIn(operation, 'project', project, 'name');
      return { operation, project: { ...project, name, tasks } };
    }
    case 'transition_project': {
      const transition = args.transition!;
      return { operation, project_id, transition, reason: args.reason };
    }
    case 'capture_outcome':
      return { operation, project_id, outcome };
    case 'capture_template':
      return { operation, project_id, template_name, generalization_notes: args.generalization_notes };
    case 'capture_lesson': {
      const title = neededIn(operation, 'lesson', lesson, 'title');
      return { operation, lesson: { ...lesson, title, lesson: neededIn(operation, 'lesson', lesson, 'lesson') } };
    }
  }
}

/** Seed 003, 5.8 ("Project Capture Response"); the others in the same form. */
function answerOf(
  operation: LearningWrite['operation'],
  { kind, record, also, hint }: LearningWritten,
  settings: LearningSettings,
): EnvelopedResult {
  const common = { operation, [`${kind}_id`]: record.id, uri: learningUri(kind, record.id) };
  return {
    result: given({ ...common, ...SAYS[kind]?.(record as never, { operation, also, settings }), message: hint }),
  };
}

interface Told {
  operation: LearningWrite['operation'];
  also: LearningWritten['also'];
  settings: LearningSettings;
}

const SAYS: { readonly [K in keyof LearnedRecords]?: (record: LearnedRecords[K], told: Told) => object } = {
  project: (project, told) => ({
    status: project.status,
    summary: projectSummary(project, told),
    next_steps: projectSteps(project, told),
  }),
  template: ({ id, name, project_type, task_template, ...template }) => ({
    summary: given({
      ...{ name, project_type, task_count: task_template.length },
      typical_duration_range: template.typical_duration_range,
      abstracted_from_project_ids: template.abstracted_from_project_ids,
    }),
    next_steps: [
      `Begin the next such project from it: capture_project with source_template_id ${id}.`,
      'find_templates finds it from now on.',
    ],
  }),
  lesson: ({ title, project_type, domain }) => ({
    summary: given({ title, project_type, domain }),
    next_steps: ['find_similar, identify_risks and find_corrective find it from now on.'],
  }),
};

function projectSummary(project: LearnedRecords['project'], { operation, also }: Told): object {
  const { name, tasks, estimated_duration_days, source_template_id } = project;
  if (operation === 'transition_project') {
    const last = project.status_history.at(-1);
    return given({
      name,
      transition: last?.transition,
      from_status: last?.from_status,
      reason: last?.reason || undefined,
    });
  }
  if (operation === 'capture_outcome') {
    const { outcome_status, success_rating, actual_duration_days, actual_effort_hours } = project;
    return given({
      ...{ name, outcome_status, success_rating, estimated_duration_days, actual_duration_days, actual_effort_hours },
      source_template_id,
      lesson_ids: idsOf(also, 'lesson'),
      feedback_ids: idsOf(also, 'feedback'),
    });
  }
  return given({ name, task_count: tasks.length, estimated_duration_days, source_template_id });
}

function projectSteps({ id, status }: LearnedRecords['project'], { operation, settings }: Told): string[] {
  const capture = `capture_outcome of ${id} when it ends: what it took, what worked, what it taught.`;
  switch (status) {
    case 'planning':
      return [`transition_project of ${id} with activate when work begins.`, capture, ...askForFeedback(settings)];
    case 'active':
      return [capture];
    default:
      return [
        ...(operation === 'capture_outcome' && status === 'completed'
          ? [`capture_template of ${id}, if others will do the like.`]
          : []),
        ...askForFeedback(settings),
      ];
  }
}

function askForFeedback({ feedback_prompt_on_completion: asks }: LearningSettings): string[] {
  return asks ? ['Say how what you used served with knowledge_feedback (toolset learning).'] : [];
}

function idsOf(also: LearningWritten['also'], kind: LearningWritten['also'][number]['kind']): string[] {
  return also.filter((each) => each.kind === kind).map(({ id }) => id);
}
