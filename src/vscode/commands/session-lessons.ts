import * as vscode from 'vscode';
import type { SessionSummary } from '../../continuity';
import { lessonTitle } from '../../learning';
import { cut, withoutIcons } from '../messages';
import type { CommandContext } from './command';
import { requireProject } from './current-project';
import { oneByOne } from './entry-changes';
import { isRecord } from './given';
import { offerUndo } from './learned-given';
import { linesOf } from './session-lines';

const SHOWN_SESSIONS = 50;
const MOST_CONTEXT = 4_000;

/** Offers what a session says, ticked where it tells of a lesson; each line that is chosen becomes one.
 * @param given a line of the view, or a session; without, the person chooses one of the current project */
export async function captureLessonsOfSession(context: CommandContext, given: unknown): Promise<void> {
  context.knowledge.change();
  const session = sessionIn(given) ?? (await chooseSession(context));
  if (!session) return;
  const lines = linesOf(session);
  if (lines.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('That session says nothing that could be a lesson.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(
    lines.map(({ text, isLikely }) => ({ label: withoutIcons(text), picked: isLikely, text })),
    {
      title: vscode.l10n.t('Capture Lessons of the Session of {0}', session.date),
      placeHolder: vscode.l10n.t('Each line that is ticked becomes a lesson'),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  if (!picked || picked.length === 0) return;
  const { learning } = await context.learning.start();
  const { domain, date, summary } = session;
  const where = vscode.l10n.t('Session of {0}: {1}', date, cut(summary, MOST_CONTEXT));
  const revisions: number[] = [];
  const done = await oneByOne(context, picked, vscode.l10n.t('Capturing lessons'), async ({ text }) => {
    const lesson = { title: lessonTitle(text), lesson: text, context: where, ...(domain ? { domain } : {}) };
    const { revision } = await learning.write({ operation: 'capture_lesson', lesson }, context.learning.change());
    revisions.push(revision);
  });
  const message =
    done.length === 1
      ? vscode.l10n.t('Captured 1 lesson.')
      : vscode.l10n.t('Captured {0} lessons.', done.length.toLocaleString(vscode.env.language));
  await offerUndo(context, message, revisions);
}

function sessionIn(value: unknown): SessionSummary | undefined {
  if (!isRecord(value)) return undefined;
  const session = value.kind === 'session' ? value.session : value;
  if (!isRecord(session) || typeof session.summary !== 'string' || typeof session.date !== 'string') return undefined;
  return session as unknown as SessionSummary;
}

async function chooseSession({ knowledge }: CommandContext): Promise<SessionSummary | undefined> {
  const project = await requireProject(knowledge);
  if (!project) return undefined;
  const sessions = project.continuity.getSessionHistory(project.id, SHOWN_SESSIONS);
  if (sessions.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No session was logged yet.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    sessions.map((session) => ({ label: session.date, detail: withoutIcons(cut(session.summary, 200)), session })),
    { title: vscode.l10n.t('Capture Lessons of Session'), placeHolder: vscode.l10n.t('Session'), matchOnDetail: true },
  );
  return picked?.session;
}
