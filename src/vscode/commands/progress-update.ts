import * as vscode from 'vscode';
import { statedProgress, TASK_STATES, type TaskInput, type TaskState } from '../../continuity';
import { KaizenError } from '../../core/errors';
import { withoutLinks } from '../messages';
import { stateText } from '../task-state';
import type { CommandContext } from './command';
import { type CurrentProject, requireProject } from './current-project';
import { askInSteps, askText, keep, pick, type Step } from './multi-step';
import { askDomain, isTask, noteOf, type Task, taskItems, taskNamed, tasksOf } from './tasks';

type Subject = { task: Task } | { newTask: string } | { field: 'overall_progress' | 'current_sprint' };

interface ProgressAnswers {
  subject: Subject;
  name: string;
  domain: string;
  state: TaskState;
  text: string;
}

/** Changes a task, adds one, or says how the whole project stands. */
export async function updateProgress({ knowledge: window }: CommandContext, node?: unknown): Promise<void> {
  const project = await requireProject(window);
  if (!project) return;
  const { id, change, continuity } = project;
  const asking = new ProgressQuestions(project);
  const task = asking.taskOf(node);
  const answers = await askInSteps<ProgressAnswers>(
    vscode.l10n.t('Update Progress'),
    (state) => asking.steps(state, task !== undefined),
    task && { subject: { task } },
  );
  if (!answers) return;
  const { subject, text } = answers;
  if ('field' in subject) {
    await continuity.updateProgress({ project_id: id, [subject.field]: text }, change);
    void vscode.window.showInformationMessage(vscode.l10n.t('Updated the progress.'));
    return;
  }
  const identity =
    'task' in subject
      ? { name: subject.task.name, domain: subject.task.domain ?? undefined }
      : { name: answers.name, domain: answers.domain || undefined };
  const changed: TaskInput = { ...identity, state: answers.state, ...noteOf(answers.state, text) };
  await continuity.updateProgress({ project_id: id, tasks: [changed] }, change);
  const message = vscode.l10n.t('"{0}" is now: {1}.', identity.name, stateText(answers.state));
  void vscode.window.showInformationMessage(withoutLinks(message));
}

/** Completes a task at once; *Undo* brings back the state that it had. */
export async function completeTask({ knowledge: window }: CommandContext, node?: unknown): Promise<void> {
  const project = await requireProject(window);
  if (!project) return;
  const { id, change, continuity } = project;
  const open = tasksOf(continuity, id).filter(({ state }) => state !== 'completed');
  const named = taskNamed(node);
  const task = named ? open.find((each) => isTask(each, named)) : await pickOpenTask(open);
  if (!task) {
    if (named) throw gone(named.name);
    return;
  }
  const { name, domain, state, note } = task;
  const identity = { name, domain: domain ?? undefined };
  await continuity.updateProgress({ project_id: id, tasks: [{ ...identity, state: 'completed' }] }, change);
  const undo = vscode.l10n.t('Undo');
  const choice = await vscode.window.showInformationMessage(
    withoutLinks(vscode.l10n.t('Completed "{0}".', name)),
    undo,
  );
  if (choice !== undo) return;
  const before = { ...identity, state, ...noteOf(state, note ?? '') };
  await continuity.updateProgress({ project_id: id, tasks: [before] }, change);
}

async function pickOpenTask(open: readonly Task[]): Promise<Task | undefined> {
  if (open.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No task is open.'));
    return undefined;
  }
  const placeHolder = vscode.l10n.t('Task that is completed');
  return (await vscode.window.showQuickPick(taskItems(open), { placeHolder }))?.value;
}

function gone(name: string): KaizenError {
  return new KaizenError(
    'unknown_entry',
    vscode.l10n.t('There is no open task "{0}" any more.', name),
    vscode.l10n.t('It was completed or removed meanwhile.'),
  );
}

/** The questions of *Update Progress*. */
class ProgressQuestions {
  private readonly tasks: readonly Task[];
  private readonly values: { overall_progress: string; current_sprint: string };

  constructor(private readonly project: CurrentProject) {
    const status = project.continuity.getProgressStatus(project.id);
    // What the tasks say is not proposed as an answer: once given, it would hold whatever becomes of them.
    this.values = { overall_progress: statedProgress(status), current_sprint: status.current_sprint ?? '' };
    this.tasks = tasksOf(project.continuity, project.id);
  }

  /** The task that a line of the view stands for; undefined when it is gone or another thing. */
  taskOf(node: unknown): Task | undefined {
    const named = taskNamed(node);
    return named && this.tasks.find((task) => isTask(task, named));
  }

  steps({ subject }: Partial<ProgressAnswers>, isKnown: boolean): Step<ProgressAnswers>[] {
    const first = isKnown ? [] : [this.askSubject];
    if (!subject || 'task' in subject) return [...first, this.askState, this.askNote];
    if ('field' in subject) return [...first, this.askNote];
    const domain = askDomain<ProgressAnswers>(this.project.continuity, this.project.id);
    const name = subject.newTask === '' ? [this.askName] : [];
    return [...first, ...name, domain, this.askState, this.askNote];
  }

  private readonly askSubject: Step<ProgressAnswers> = async (state, place) => {
    const rows = (label: string, description: string, value: Subject) => ({ label, description, value });
    const { overall_progress, current_sprint } = this.values;
    const answer = await pick<Subject>({
      ...place,
      placeholder: vscode.l10n.t('What has changed? Pick a task, or type the name of a new one'),
      items: [
        ...taskItems(this.tasks).map((item) => ({ ...item, value: { task: item.value } })),
        rows(`$(add) ${vscode.l10n.t('New task…')}`, '', { newTask: '' }),
        rows(`$(graph) ${vscode.l10n.t('Overall progress')}`, overall_progress, { field: 'overall_progress' }),
        rows(`$(milestone) ${vscode.l10n.t('Current sprint')}`, current_sprint, { field: 'current_sprint' }),
      ],
      fromText: {
        label: (text) => vscode.l10n.t('New task "{0}"', text),
        value: (newTask) => ({ newTask }),
      },
    });
    return keep(answer, (subject) => {
      // Another subject has other answers.
      delete state.text;
      delete state.state;
      Object.assign(state, { subject, ...('newTask' in subject ? { name: subject.newTask } : {}) });
    });
  };

  private readonly askName: Step<ProgressAnswers> = async (state, place) => {
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t('Name of the task'),
      value: state.name,
      validate: (text) => (text.trim() === '' ? vscode.l10n.t('A task needs a name.') : undefined),
    });
    return keep(answer, (name) => Object.assign(state, { name: name.trim() }));
  };

  private readonly askState: Step<ProgressAnswers> = async (state, place) => {
    const current = state.subject && 'task' in state.subject ? state.subject.task.state : undefined;
    const answer = await pick<TaskState>({
      ...place,
      placeholder: vscode.l10n.t('How does it stand?'),
      items: TASK_STATES.map((each) => ({
        label: stateText(each),
        description: each === current ? vscode.l10n.t('as it is') : '',
        value: each,
      })),
      active: (each) => each === (state.state ?? current),
    });
    return keep(answer, (chosen) => {
      if (chosen !== state.state) delete state.text;
      state.state = chosen;
    });
  };

  private readonly askNote: Step<ProgressAnswers> = async (state, place) => {
    const { subject } = state;
    const task = subject && 'task' in subject ? subject.task : undefined;
    if (!(subject && 'field' in subject) && state.state === 'completed') {
      state.text = '';
      return true;
    }
    const before =
      subject && 'field' in subject ? this.values[subject.field] : task?.state === state.state ? task?.note : '';
    const prompt =
      subject && 'field' in subject
        ? vscode.l10n.t('In one line; empty removes it')
        : state.state === 'blocked'
          ? vscode.l10n.t('What blocks it? (optional)')
          : vscode.l10n.t('Its status in a few words (optional)');
    const answer = await askText({ ...place, prompt, value: state.text ?? before ?? '' });
    return keep(answer, (text) => Object.assign(state, { text: text.trim() }));
  };
}
