import * as vscode from 'vscode';
import type { CommandContext } from './command';
import { requireProject } from './current-project';
import { askInSteps, askText, keep, pickMany, type Step } from './multi-step';
import { captureLessonsOfSession } from './session-lessons';
import { askDomain, tasksOf } from './tasks';

interface SessionAnswers {
  summary: string;
  tasks: string[];
  otherTasks: string;
  domain: string;
  next: string;
}

/** Asks what was done and what comes next, and keeps it for the next session. */
export async function logSession(context: CommandContext): Promise<void> {
  const { knowledge: window, editors } = context;
  const project = await requireProject(window);
  if (!project) return;
  const { id, change, continuity } = project;
  const open = tasksOf(continuity, id).filter(({ state }) => state !== 'completed');

  const askSummary: Step<SessionAnswers> = async (state, place) => {
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t('What was done? One or two sentences.'),
      value: state.summary,
      validate: (text) => (text.trim() === '' ? vscode.l10n.t('A session needs a summary.') : undefined),
    });
    return keep(answer, (summary) => Object.assign(state, { summary }));
  };
  const askTasks: Step<SessionAnswers> = async (state, place) => {
    const answer = await pickMany({
      ...place,
      placeholder: vscode.l10n.t('Tasks that are completed now (none, one or several)'),
      items: [...new Set(open.map(({ name }) => name))].map((name) => ({ label: name, value: name })),
      active: (name) => state.tasks?.includes(name) ?? false,
    });
    return keep(answer, (tasks) => Object.assign(state, { tasks }));
  };
  const askOtherTasks: Step<SessionAnswers> = async (state, place) => {
    const prompt = vscode.l10n.t('Other tasks that were completed, separated by commas (optional)');
    const answer = await askText({ ...place, prompt, value: state.otherTasks });
    return keep(answer, (otherTasks) => Object.assign(state, { otherTasks }));
  };
  const askNext: Step<SessionAnswers> = async (state, place) => {
    const answer = await askText({ ...place, prompt: vscode.l10n.t('What comes next? (optional)'), value: state.next });
    return keep(answer, (next) => Object.assign(state, { next }));
  };
  // A task that is completed in another domain than its own would count as another task.
  const domainOf = ({ tasks: completed }: Partial<SessionAnswers>) => {
    const domains = new Set(open.filter(({ name }) => completed?.includes(name)).map(({ domain }) => domain));
    const [only] = domains;
    return domains.size === 1 ? (only ?? undefined) : undefined;
  };
  const steps = [
    askSummary,
    ...(open.length > 0 ? [askTasks] : []),
    askOtherTasks,
    askDomain<SessionAnswers>(continuity, id, domainOf),
    askNext,
  ];
  const answers = await askInSteps<SessionAnswers>(vscode.l10n.t('Log Session'), steps);
  if (!answers) return;
  const { summary, tasks = [], otherTasks, domain, next } = answers;
  const others = otherTasks
    .split(',')
    .map((task) => task.trim())
    .filter((task) => task !== '');
  await continuity.storeSessionSummary(
    {
      project_id: id,
      summary,
      tasks_completed: [...new Set([...tasks, ...others])],
      domain: domain || undefined,
      next_planned: next,
    },
    change,
  );
  const show = vscode.l10n.t('Open Project');
  const learn = vscode.l10n.t('Capture Lessons');
  const choice = await vscode.window.showInformationMessage(vscode.l10n.t('Logged the session.'), show, learn);
  if (choice === show) editors.openProject();
  if (choice === learn) await captureLessonsOfSession(context, continuity.getSessionHistory(id, 1)[0]);
}
