import * as vscode from 'vscode';
import type { FoundRecord, LearnedRecords } from '../../learning';
import { cut } from '../messages';
import { titleOfRecord } from '../views';
import { withOthersChanges } from './answers-merged';
import type { CommandContext, CommandHandlers } from './command';
import { captureDecision, editDecision } from './decision-capture';
import { oneByOne } from './entry-changes';
import { showLearningChanges, undoLearning } from './learned-changes';
import { announceWritten, chooseRecords, offerUndo } from './learned-given';
import { askFor } from './learned-questions';
import { copyLearned, findLearned } from './learned-search';
import { captureLesson, captureLessonFromSelection, editLesson } from './lesson-capture';
import { askInSteps } from './multi-step';
import { capturePattern, editPattern } from './pattern-capture';
import { captureLessonsOfSession } from './session-lessons';

/** In a dialog, which does not scroll. */
const SHOWN_CHARACTERS = 600;

export function learnedCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.captureLesson': (given?: unknown) => captureLesson(context, given),
    'kaizen.captureLessonFromSelection': () => captureLessonFromSelection(context),
    'kaizen.captureLessonsOfSession': (given?: unknown) => captureLessonsOfSession(context, given),
    'kaizen.captureDecision': (given?: unknown) => captureDecision(context, given),
    'kaizen.capturePattern': () => capturePattern(context),
    'kaizen.findLearned': (text?: unknown) => findLearned(context, text),
    'kaizen.editLearned': (given?: unknown) => editLearned(context, given),
    'kaizen.deleteLearned': (first?: unknown, others?: unknown) => deleteLearned(context, first, others),
    'kaizen.copyLearnedReference': (first?: unknown, others?: unknown) => copyReferences(context, first, others),
    'kaizen.showLearningChanges': (given?: unknown) => showLearningChanges(context, given),
    'kaizen.undoLearning': () => undoLearning(context),
  };
}

/** Asks for what a record says, with what is there already. */
async function editLearned(context: CommandContext, given: unknown): Promise<void> {
  context.knowledge.change();
  const parts = await context.learning.start();
  const [found] = await chooseRecords(context, parts, { title: vscode.l10n.t('Edit Captured Record') }, given);
  switch (found?.kind) {
    case undefined:
      return;
    case 'lesson':
      return editLesson(context, found.record);
    case 'decision':
      return editDecision(context, found.record);
    case 'pattern':
      return editPattern(context, found.record);
    case 'template':
      return editTemplate(context, found.record);
    case 'project':
      await vscode.commands.executeCommand('kaizen.changeProject', found.uri);
  }
}

type TemplateAnswers = Pick<LearnedRecords['template'], 'name' | 'description'>;

/** All else of it is abstracted from its projects. */
async function editTemplate(context: CommandContext, template: LearnedRecords['template']): Promise<void> {
  const steps = [
    askFor<TemplateAnswers>('name', {
      prompt: vscode.l10n.t('What the template is called.'),
      missing: vscode.l10n.t('A template needs a name.'),
      isName: true,
    }),
    askFor<TemplateAnswers>('description', { prompt: vscode.l10n.t('What it is for (optional).') }),
  ];
  const { name, description } = template;
  const answers = await askInSteps<TemplateAnswers>(vscode.l10n.t('Edit Template'), steps, { name, description });
  if (!answers) return;
  const { learning } = await context.learning.start();
  const now = learning.get('template', template.id);
  const said = withOthersChanges(
    { name: answers.name, description: answers.description },
    { name, description },
    now && { name: now.name, description: now.description },
  );
  const written = await learning.write(
    { operation: 'update_template', template_id: template.id, template: said },
    context.learning.change(),
  );
  announceWritten(context, written, vscode.l10n.t('Changed “{0}”.', answers.name));
}

async function deleteLearned(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  context.knowledge.change();
  const parts = await context.learning.start();
  const title = vscode.l10n.t('Delete Captured Record');
  const records = await chooseRecords(context, parts, { title }, first, others);
  const [only] = records;
  if (!only || !(await confirmDeletion(records))) return;
  const revisions: number[] = [];
  const deleted = await oneByOne(context, records, vscode.l10n.t('Deleting what was learned'), async ({ kind, id }) => {
    const { revision } = await parts.learning.write({ operation: 'delete', kind, id }, context.learning.change());
    revisions.push(revision);
  });
  const message =
    deleted.length === 1
      ? vscode.l10n.t('Deleted "{0}".', titleOfRecord(only))
      : vscode.l10n.t('Deleted {0} records.', deleted.length.toLocaleString(vscode.env.language));
  await offerUndo(context, message, revisions);
}

async function confirmDeletion(records: readonly FoundRecord[]): Promise<boolean> {
  const question =
    records.length === 1
      ? vscode.l10n.t('Delete “{0}”?', titleOfRecord(records[0]!))
      : vscode.l10n.t('Delete {0} records?', records.length.toLocaleString(vscode.env.language));
  const detail = [
    records.length === 1 ? '' : cut(records.map(titleOfRecord).join('\n'), SHOWN_CHARACTERS),
    vscode.l10n.t('It can be undone, and is found among the changes.'),
  ];
  const confirm = vscode.l10n.t('Delete');
  const options = { modal: true, detail: detail.filter(Boolean).join('\n\n') };
  return (await vscode.window.showWarningMessage(question, options, confirm)) === confirm;
}

async function copyReferences(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const parts = await context.learning.start();
  const title = vscode.l10n.t('Copy Reference for Agent');
  await copyLearned(await chooseRecords(context, parts, { title }, first, others));
}
