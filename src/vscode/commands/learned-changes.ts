import * as vscode from 'vscode';
import { type LearningRevision, recordMarkdown } from '../../learning';
import { showError } from '../log';
import { withoutIcons, withoutLinks } from '../messages';
import { learnedIcon, learnedKindName, titleOfRecord } from '../views';
import type { CommandContext } from './command';
import { recordGiven } from './learned-given';
import { lastStanding } from './learned-standing';

/** More than anybody looks through. */
const SHOWN = 200;

/**
 * Lists what was captured, changed and deleted, newest first, of one record where a line of the view is given: Enter
 * compares, a button undoes.
 */
export async function showLearningChanges(context: CommandContext, given: unknown): Promise<void> {
  const parts = await context.learning.start();
  const record = recordGiven(parts, given);
  const filter = { limit: SHOWN, ...(record ? { kind: record.kind, id: record.id } : {}) };
  const { learning } = parts;
  if (learning.revisions(filter).length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing was captured or changed here yet.'));
    return;
  }
  const undo: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('discard'),
    tooltip: vscode.l10n.t('Undo This Change'),
  };
  const list = vscode.window.createQuickPick<vscode.QuickPickItem & { revision: LearningRevision }>();
  list.title = record
    ? vscode.l10n.t('Changes of {0}', titleOfRecord(record))
    : vscode.l10n.t('Changes of What Was Learned');
  list.placeholder = vscode.l10n.t('Enter compares; the button undoes');
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.ignoreFocusOut = true;
  const show = () => {
    list.items = learning.revisions(filter).map((revision) => ({
      label: withoutIcons(revision.title),
      description: withoutIcons(describeRevision(revision)),
      detail: learnedKindName(revision.kind),
      iconPath: learnedIcon(revision.kind),
      buttons: vscode.workspace.isTrusted ? [undo] : [],
      revision,
    }));
  };
  show();
  const changes = context.learning.onDidChange(show);
  const attempt = (action: () => Promise<unknown>) => action().catch((error: unknown) => showError(context.log, error));
  list.onDidAccept(() => {
    const [row] = list.selectedItems;
    if (row) void attempt(() => compareChange(context, row.revision, { preserveFocus: true }));
  });
  list.onDidTriggerItemButton(({ item: { revision } }) => attempt(() => undoChange(context, revision)));
  await new Promise<void>((resolve) => {
    list.onDidHide(() => resolve());
    list.show();
  });
  changes.dispose();
  list.dispose();
}

/** Takes back what was captured or changed last, whoever did it, after a look at it. */
export async function undoLearning(context: CommandContext): Promise<void> {
  context.knowledge.change();
  const { learning } = await context.learning.start();
  const last = lastStanding(learning.revisions({ limit: SHOWN }));
  if (!last) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no change of what was learned to undo.'));
    return;
  }
  const undo = vscode.l10n.t('Undo');
  const compare = vscode.l10n.t('Compare');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Undo the last change of “{0}”?', last.title),
    { modal: true, detail: [learnedKindName(last.kind), describeRevision(last)].join('\n') },
    undo,
    compare,
  );
  if (choice === compare) await compareChange(context, last);
  if (choice === undo) await undoChange(context, last);
}

async function undoChange(context: CommandContext, revision: LearningRevision): Promise<void> {
  const { learning } = await context.learning.start();
  await learning.undo(revision.revision, context.learning.change());
  void vscode.window.showInformationMessage(
    withoutLinks(vscode.l10n.t('Undid the change of "{0}" by {1}.', revision.title, revision.author)),
  );
}

/** The record as it was beside what it became. */
async function compareChange(
  { texts }: CommandContext,
  revision: LearningRevision,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const { kind, id, before, after } = revision;
  const text = (record: LearningRevision['before']) =>
    texts.add(`${id}.md`, record === null ? '' : recordMarkdown(kind, record as never));
  const title = vscode.l10n.t('{0} ({1})', revision.title, describeRevision(revision));
  await vscode.commands.executeCommand('vscode.diff', text(before), text(after), title, { preview: true, ...options });
}

function describeRevision({ operation, before, after, author, at }: LearningRevision): string {
  const when = new Date(at).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  if (operation === 'undo') return vscode.l10n.t('taken back by {0}, {1}', author, when);
  if (operation === 'import') return vscode.l10n.t('imported by {0}, {1}', author, when);
  if (after === null) return vscode.l10n.t('deleted by {0}, {1}', author, when);
  if (before === null) return vscode.l10n.t('captured by {0}, {1}', author, when);
  return vscode.l10n.t('changed by {0}, {1}', author, when);
}
