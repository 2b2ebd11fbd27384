import { learningUri } from '../core/knowledge-uri';
import type { LearnedRecords, LearningSettings, LearningWrite, LearningWritten } from '../learning';
import type { EnvelopedResult } from './envelope';
import { given } from './library-answers';

/** Seed 003, 5.8 ("Project Capture Response"); the others in the same form. */
export function capturedResult(
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
