import * as vscode from 'vscode';
import { WORKFLOW_TYPES, type WorkflowType } from '../../library';
import { workflowName } from '../views';
import type { CommandContext } from './command';
import { isRecord } from './given';
import { askInSteps, askText, keep, pick, type Step } from './multi-step';

interface Asked {
  about: 'topic' | WorkflowType;
  text: string;
  topics: string;
}

/** Shows how far the library covers a topic or a workflow. @param given `{ topic }`, or `{ workflow_type, … }` */
export async function openCoverage(context: CommandContext, given: unknown): Promise<void> {
  if (isRecord(given) && typeof given.topic === 'string') {
    return context.editors.openCoverage({ kind: 'topic', topic: given.topic });
  }
  const asked = await askInSteps<Asked>(vscode.l10n.t('Show Coverage'), ({ about }) =>
    about === undefined || about === 'topic' ? [askAbout, askWhat] : [askAbout, askWhat, askTopics],
  );
  if (!asked) return;
  const { about, text, topics = '' } = asked;
  if (about === 'topic') return context.editors.openCoverage({ kind: 'topic', topic: text });
  const named = topics
    .split(/[;\n]/)
    .map((each) => each.trim())
    .filter(Boolean);
  return context.editors.openCoverage({ kind: 'workflow', workflow: about, description: text, topics: named });
}

const askAbout: Step<Asked> = async (state, place) => {
  const items = [
    {
      label: vscode.l10n.t('A topic'),
      detail: vscode.l10n.t('Is there enough about it, and what is missing?'),
      value: 'topic' as const,
    },
    ...WORKFLOW_TYPES.map((value) => ({
      label: workflowName(value),
      detail: vscode.l10n.t('All topics of the work, before it begins'),
      value,
    })),
  ];
  const placeholder = vscode.l10n.t('What the library is to be enough for');
  const answer = await pick<Asked['about']>({ ...place, placeholder, items, active: (value) => value === state.about });
  return keep(answer, (about) => Object.assign(state, { about }));
};

const askWhat: Step<Asked> = async (state, place) => {
  const isTopic = state.about === 'topic';
  const prompt = isTopic
    ? vscode.l10n.t('Topic, in a few words')
    : vscode.l10n.t('What is to be done, in a sentence or two: topics are read from it');
  const validate = (text: string) => (text.trim() === '' ? vscode.l10n.t('It cannot be empty.') : undefined);
  const answer = await askText({ ...place, prompt, value: state.text, validate });
  return keep(answer, (text) => Object.assign(state, { text: text.trim() }));
};

const askTopics: Step<Asked> = async (state, place) => {
  const prompt = vscode.l10n.t('Its topics, between semicolons (optional)');
  return keep(await askText({ ...place, prompt, value: state.topics }), (topics) => Object.assign(state, { topics }));
};
