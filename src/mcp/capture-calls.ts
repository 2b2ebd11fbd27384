import type { KaizenParts } from '../kaizen';
import type { LearningWrite, LessonInput, OutcomeInput, ProjectInput, TaskInput, Transition } from '../learning';
import { changeBy, writeOrHold } from './agent-writes';
import { capturedResult } from './capture-answers';
import type { EnvelopedResult } from './envelope';
import { isSaid, type Needs, neededIn, requireNeeded } from './needed';
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
    capturedResult(input.operation, await parts.learning.write(input, change), parts.learning.settings),
  );
}

function writeOf(args: CaptureArguments): LearningWrite {
  requireNeeded(args, NEEDS);
  const { operation, project_id = '', project = {}, lesson = {}, outcome = {}, template_name = '' } = args;
  switch (operation) {
    case 'capture_project': {
      const tasks = project.tasks?.map((task, at) => ({
        ...task,
        name: neededIn(operation, `project.tasks[${at}]`, task, 'name'),
      }));
      const name = neededIn(operation, 'project', project, 'name');
      const source_template_id = isSaid(project.source_template_id) ? project.source_template_id : undefined;
      return { operation, project: { ...project, name, tasks, source_template_id } };
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
