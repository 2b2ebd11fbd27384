import path from 'node:path';
import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import { type Lesson, type LessonInput, lessonTitle, type Visibility } from '../../learning';
import { pathInFolder } from '../diagnostics';
import { withOthersChanges } from './answers-merged';
import { artifactInFront } from './artifact-given';
import type { CommandContext } from './command';
import { isRecord } from './given';
import { announceWritten, recordGiven } from './learned-given';
import { type AppliesTo, askAppliesTo, askFor, askVisibility } from './learned-questions';
import { askInSteps } from './multi-step';
import { selectedText } from './store-selection';

/** As much of a selection is kept as a record's text may hold, with some room for what is said of it. */
const MOST_EVIDENCE = 12_000;

interface LessonAnswers {
  lesson: string;
  title: string;
  recommendation: string;
  context: string;
  appliesTo: AppliesTo;
  visibility: Visibility;
}

/** What there is besides the answers. */
type Beside = Pick<LessonInput, 'id' | 'context' | 'sources'>;

/** @param given a project, or parts of a lesson by their names */
export async function captureLesson(context: CommandContext, given: unknown): Promise<void> {
  context.knowledge.change();
  const parts = await context.learning.start();
  const project = recordGiven(parts, given);
  const initial: Partial<LessonAnswers> = {};
  if (project?.kind === 'project') initial.appliesTo = { project_id: project.id };
  if (isRecord(given)) {
    for (const name of ['lesson', 'title', 'recommendation'] as const) {
      const text = given[name];
      if (typeof text === 'string') initial[name] = text;
    }
    if (typeof given.project_id === 'string') initial.appliesTo = { project_id: given.project_id };
  }
  const evidence = isRecord(given) && typeof given.context === 'string' ? given.context : undefined;
  await askAndWrite(context, vscode.l10n.t('Capture Lesson'), initial, { context: evidence });
}

/** The selection is the evidence: it is kept with its file and lines, and the person says what it taught. */
export async function captureLessonFromSelection(context: CommandContext): Promise<void> {
  context.knowledge.change();
  const editor = vscode.window.activeTextEditor;
  const text = editor ? selectedText(editor) : '';
  if (!editor || text === '') {
    throw new KaizenError(
      'invalid_argument',
      vscode.l10n.t('Nothing is selected.'),
      vscode.l10n.t('Select what shows the lesson, then capture it.'),
    );
  }
  const parts = await context.learning.start();
  const address = artifactInFront(context, parts);
  const beside = { context: evidenceIn(editor, text), sources: address === undefined ? [] : [address] };
  await askAndWrite(context, vscode.l10n.t('Capture Lesson from Selection'), {}, beside);
}

export async function editLesson(context: CommandContext, lesson: Lesson): Promise<void> {
  const { id, domain, project_id } = lesson;
  const appliesTo = { ...(project_id ? { project_id } : {}), ...(domain ? { domain } : {}) };
  await askAndWrite(context, vscode.l10n.t('Edit Lesson'), answersOf(lesson), { id }, appliesTo);
}

function answersOf({ lesson, title, recommendation, context, visibility }: Lesson): Partial<LessonAnswers> {
  return { lesson, title, recommendation, context, visibility };
}

async function askAndWrite(
  context: CommandContext,
  dialogTitle: string,
  initial: Partial<LessonAnswers>,
  beside: Beside,
  applied?: AppliesTo,
): Promise<void> {
  const { learning } = await context.learning.start();
  const isChange = beside.id !== undefined;
  const steps = [
    askFor<LessonAnswers>('lesson', {
      prompt: vscode.l10n.t('What was learned, so that somebody else can use it.'),
      missing: vscode.l10n.t('Say what was learned.'),
    }),
    askFor<LessonAnswers>(
      'title',
      {
        prompt: vscode.l10n.t('A title, by which it is recognised.'),
        missing: vscode.l10n.t('A lesson needs a title.'),
        isName: true,
      },
      ({ lesson }) => lesson && lessonTitle(lesson),
    ),
    askFor<LessonAnswers>('recommendation', { prompt: vscode.l10n.t('What to do the next time (optional).') }),
    ...(isChange
      ? [askFor<LessonAnswers>('context', { prompt: vscode.l10n.t('Where it was learned (optional).') })]
      : []),
    askAppliesTo<LessonAnswers>(learning, applied),
    askVisibility<LessonAnswers>(),
  ];
  const answers = await askInSteps<LessonAnswers>(dialogTitle, steps, initial);
  if (!answers) return;
  const now = beside.id === undefined ? undefined : learning.get('lesson', beside.id);
  const said = withOthersChanges(answers, initial, now && answersOf(now));
  const { lesson, title, recommendation, appliesTo, visibility, context: where = beside.context } = said;
  const input = { ...beside, lesson, title, recommendation, visibility, ...appliesTo, context: where };
  const written = await learning.write({ operation: 'capture_lesson', lesson: input }, context.learning.change());
  const message = isChange
    ? vscode.l10n.t('Changed “{0}”.', title)
    : vscode.l10n.t('Captured the lesson “{0}”.', title);
  announceWritten(context, written, message);
}

/** The file and its lines, then what stands there. */
function evidenceIn({ document, selections }: vscode.TextEditor, text: string): string {
  const file = pathInFolder(document.uri) ?? path.posix.basename(document.uri.path);
  const lines = selections
    .filter(({ isEmpty }) => !isEmpty)
    .map(({ start, end }) => {
      // A selection that ends before the first character of a line does not hold that line.
      const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
      return start.line + 1 === last ? `${last}` : `${start.line + 1}-${last}`;
    });
  const kept = text.length > MOST_EVIDENCE ? `${text.slice(0, MOST_EVIDENCE)}…` : text;
  // Longer than any fence in the text.
  const longest = Math.max(2, ...[...kept.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${file}:${lines.join(', ')}\n\n${fence}${languageOf(document)}\n${kept}\n${fence}`;
}

function languageOf({ languageId }: vscode.TextDocument): string {
  return languageId === 'plaintext' || !/^[\w-]+$/.test(languageId) ? '' : languageId;
}
