import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import { parseLearningUri } from '../../core/knowledge-uri';
import type { KaizenParts } from '../../kaizen';
import { type ProjectRecord, type Transition, type Way, waysFrom } from '../../learning';
import { projectStatusName } from '../views';
import { artifactGiven } from './artifact-given';
import type { CommandContext, CommandHandlers } from './command';
import { announceWritten, chooseRecords } from './learned-given';
import { askInSteps, askText, keep, pick, type Step } from './multi-step';

/** Projects that were captured: planned, carried out, and what became of them. */
export function projectsCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.openProjects': (given?: unknown) => openProjects(context, given),
    'kaizen.captureProject': (given?: unknown) => captureProject(context, given),
    'kaizen.changeProject': (given?: unknown) => changeProject(context, given),
    'kaizen.transitionProject': (given?: unknown, transition?: unknown) =>
      transitionProject(context, given, transition),
    'kaizen.captureOutcome': (given?: unknown) => captureOutcome(context, given),
    'kaizen.captureTemplate': (given?: unknown) => captureTemplate(context, given),
  };
}

async function openProjects(context: CommandContext, given: unknown): Promise<void> {
  const project = await idOf(context, given, 'project');
  await context.editors.openProjects(project === undefined ? undefined : { project });
}

/** @param given a template that the new project is to follow */
async function captureProject(context: CommandContext, given: unknown): Promise<void> {
  context.learning.change();
  const template = await idOf(context, given, 'template');
  await context.editors.openProjects({ form: 'create', template });
}

async function changeProject(context: CommandContext, given: unknown): Promise<void> {
  context.learning.change();
  const project = await chooseProject(context, await context.learning.start(), vscode.l10n.t('Change Project'), given);
  if (project) await context.editors.openProjects({ project: project.id, form: 'change' });
}

async function captureOutcome(context: CommandContext, given: unknown): Promise<void> {
  context.learning.change();
  const title = vscode.l10n.t('Capture Outcome');
  const project = await chooseProject(context, await context.learning.start(), title, given);
  if (!project) return;
  if (project.status === 'completed' || project.status === 'abandoned') {
    throw new KaizenError(
      'invalid_transition',
      vscode.l10n.t('"{0}" has ended already: {1}.', project.name, projectStatusName(project.status)),
    );
  }
  await context.editors.openProjects({ project: project.id, form: 'end' });
}

/** @param asked the transition, where it is known already */
async function transitionProject(context: CommandContext, given: unknown, asked: unknown): Promise<void> {
  const change = context.learning.change();
  const parts = await context.learning.start();
  const title = vscode.l10n.t('Move Project On');
  const project = await chooseProject(context, parts, title, given);
  if (!project) return;
  const ways = waysFrom(project.status);
  if (ways.length === 0) {
    throw new KaizenError(
      'invalid_transition',
      vscode.l10n.t('Nothing leads on from there: "{0}" is {1}.', project.name, projectStatusName(project.status)),
      vscode.l10n.t('Plan a new project.'),
    );
  }
  const told = ways.find(({ transition }) => transition === asked)?.transition;
  const steps = ({ transition }: Partial<Onward>) => [
    ...(told ? [] : [askWay(project, ways)]),
    ...(transition === 'abandon' ? [askReason] : []),
  ];
  const answers = await askInSteps<Onward>(title, steps, { transition: told });
  if (!answers) return;
  const { transition, reason } = answers;
  if (transition === 'complete') {
    await context.editors.openProjects({ project: project.id, form: 'end' });
    return;
  }
  const write = { operation: 'transition_project', project_id: project.id, transition, reason } as const;
  const written = await parts.learning.write(write, change);
  const status = projectStatusName((written.record as ProjectRecord).status);
  announceWritten(context, written, vscode.l10n.t('"{0}" is now: {1}.', project.name, status));
}

interface Onward {
  transition: Transition;
  reason?: string;
}

function askWay({ name, status }: ProjectRecord, ways: readonly Way[]): Step<Onward> {
  return async (state, place) => {
    const answer = await pick<Transition>({
      ...place,
      placeholder: vscode.l10n.t('"{0}" is {1}. Which way?', name, projectStatusName(status)),
      items: ways.map(({ transition, to }) => ({
        label: transitionName(transition),
        description: projectStatusName(to),
        value: transition,
      })),
    });
    return keep(answer, (transition) => Object.assign(state, { transition }));
  };
}

const askReason: Step<Onward> = async (state, place) => {
  const prompt = vscode.l10n.t('Why is it abandoned? Others plan by it.');
  const validate = (text: string) => (text.trim() === '' ? vscode.l10n.t('A reason is needed.') : undefined);
  const answer = await askText({ ...place, prompt, value: state.reason, validate });
  return keep(answer, (reason) => Object.assign(state, { reason: reason.trim() }));
};

function transitionName(transition: Transition): string {
  switch (transition) {
    case 'activate':
      return vscode.l10n.t('Activate');
    case 'complete':
      return vscode.l10n.t('Complete');
    case 'abandon':
      return vscode.l10n.t('Abandon');
    case 'reopen':
      return vscode.l10n.t('Reopen');
  }
}

interface NewTemplate {
  name: string;
  notes: string;
}

/** What generalises of a project, under a name; the name of one that is there already makes both one. */
async function captureTemplate(context: CommandContext, given: unknown): Promise<void> {
  const change = context.learning.change();
  const { learning, ...parts } = await context.learning.start();
  const title = vscode.l10n.t('Capture Template');
  const project = await chooseProject(context, { learning, ...parts }, title, given);
  if (!project) return;
  const source = project.source_template_id ? learning.get('template', project.source_template_id) : undefined;
  const answers = await askInSteps<NewTemplate>(title, TEMPLATE_STEPS, { name: source?.name ?? project.name });
  if (!answers) return;
  const written = await learning.write(
    {
      operation: 'capture_template',
      project_id: project.id,
      template_name: answers.name,
      generalization_notes: answers.notes || undefined,
    },
    change,
  );
  announceWritten(context, written, vscode.l10n.t('The template "{0}" is captured.', answers.name));
}

const TEMPLATE_STEPS: readonly Step<NewTemplate>[] = [
  async (state, place) => {
    const prompt = vscode.l10n.t('Name of the template; under the name of one of the same type it becomes one with it');
    const validate = (text: string) => (text.trim() === '' ? vscode.l10n.t('A name is needed.') : undefined);
    const answer = await askText({ ...place, prompt, value: state.name, validate });
    return keep(answer, (name) => Object.assign(state, { name: name.trim() }));
  },
  async (state, place) => {
    const prompt = vscode.l10n.t('What to know about it, for others who follow it (optional)');
    const answer = await askText({ ...place, prompt, value: state.notes });
    return keep(answer, (notes) => Object.assign(state, { notes: notes.trim() }));
  },
];

/** The project that is meant or that the person chooses; undefined on cancel. Throws for what is no project. */
async function chooseProject(
  context: CommandContext,
  parts: KaizenParts,
  title: string,
  given: unknown,
): Promise<ProjectRecord | undefined> {
  const isId = typeof given === 'string' && !given.includes('://');
  const meant = isId ? parts.learning.find(given)?.uri : given;
  const [found] = await chooseRecords(context, parts, { title, kinds: ['project'] }, meant);
  if (found?.kind === 'project') return found.record;
  if (meant !== undefined) {
    throw new KaizenError('invalid_argument', vscode.l10n.t('This is no project that was captured.'));
  }
  return undefined;
}

/** The id of what was given, by its address or as it is; undefined where it is of another kind. */
async function idOf(
  context: CommandContext,
  given: unknown,
  kind: 'project' | 'template',
): Promise<string | undefined> {
  if (given === undefined) return undefined;
  if (typeof given === 'string' && !given.includes('://')) return given;
  const address = artifactGiven(await context.learning.start(), given);
  const record = address === undefined ? undefined : parseLearningUri(address);
  return record?.kind === kind ? record.id : undefined;
}
