import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { NoteRevision } from '../../notes';
import { showError } from '../log';
import { withoutIcons, withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { chooseNotes, notesReady } from './note-given';

/** More than anybody looks through. */
const SHOWN = 200;

/**
 * Lists what was changed through Kaizen, newest first, of one note where a line of the view is given: Enter compares, a
 * button undoes.
 */
export async function showNoteChanges(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const parts = await notesReady(context);
  const title = vscode.l10n.t('Changes of Notes');
  const [note] = first === undefined ? [] : await chooseNotes(context, parts, title, first, others);
  const filter = { limit: SHOWN, ...(note ? { zettel_id: note.zettel_id } : {}) };
  if (parts.notes.revisions(filter).length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing was changed through Kaizen yet.'));
    return;
  }
  const undo: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('discard'),
    tooltip: vscode.l10n.t('Undo This Change'),
  };
  const list = vscode.window.createQuickPick<vscode.QuickPickItem & { revision: NoteRevision }>();
  list.title = note ? vscode.l10n.t('Changes of {0}', note.zettel_id) : title;
  list.placeholder = vscode.l10n.t('Enter compares; the button undoes');
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.ignoreFocusOut = true;
  const show = () => {
    list.items = parts.notes.revisions(filter).map((revision) => ({
      label: withoutIcons(revision.zettel_id),
      description: withoutIcons(describeRevision(revision)),
      detail: withoutIcons(revision.files.map(({ file }) => file).join(', ')),
      buttons: vscode.workspace.isTrusted ? [undo] : [],
      revision,
    }));
  };
  show();
  const attempt = (action: () => Promise<unknown>) => action().catch((error: unknown) => showError(context.log, error));
  list.onDidAccept(() => {
    const [row] = list.selectedItems;
    if (row) void attempt(() => compareChange(context, row.revision, { preserveFocus: true }));
  });
  list.onDidTriggerItemButton(({ item: { revision } }) =>
    attempt(async () => {
      await parts.notes.undo(revision.id, context.knowledge.change());
      announceUndone(revision);
      show();
    }),
  );
  await new Promise<void>((resolve) => {
    list.onDidHide(() => resolve());
    list.show();
  });
  list.dispose();
}

/** Takes back what was changed last, whoever did it, after a look at it. */
export async function undoNoteChange(context: CommandContext): Promise<void> {
  const change = context.knowledge.change();
  const parts = await notesReady(context);
  const last = lastStanding(parts);
  if (!last) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no change of notes to undo.'));
    return;
  }
  const undo = vscode.l10n.t('Undo');
  const compare = vscode.l10n.t('Compare');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Undo the last change of {0}?', last.zettel_id),
    { modal: true, detail: [describeRevision(last), ...last.files.map(({ file }) => file)].join('\n') },
    undo,
    compare,
  );
  if (choice === compare) await compareChange(context, last);
  if (choice !== undo) return;
  await parts.notes.undo(last.id, change);
  announceUndone(last);
}

/** The last change that was not taken back: an undoing and what it undid do not count. */
function lastStanding({ notes }: KaizenParts): NoteRevision | undefined {
  let undone = 0;
  for (const revision of notes.revisions({ limit: SHOWN })) {
    if (revision.action === 'undo') undone += 1;
    else if (undone > 0) undone -= 1;
    else return revision;
  }
  return undefined;
}

/** Each file as it was beside what it became. */
async function compareChange(
  { texts }: CommandContext,
  revision: NoteRevision,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const title = vscode.l10n.t('{0} ({1})', revision.zettel_id, describeRevision(revision));
  const sides = revision.files.map(({ file, before, after }) => ({
    before: before === null ? undefined : texts.add(file, before),
    after: after === null ? undefined : texts.add(file, after),
  }));
  const [only] = sides;
  if (sides.length === 1 && only?.before && only.after) {
    await vscode.commands.executeCommand('vscode.diff', only.before, only.after, title, { preview: true, ...options });
    return;
  }
  // With one side only, the editor for several files shows it as added or deleted.
  const rows = sides.flatMap(({ before, after }) => (before || after ? [[after ?? before, before, after]] : []));
  await vscode.commands.executeCommand('vscode.changes', title, rows);
}

function describeRevision({ action, author, at }: NoteRevision): string {
  const when = new Date(at).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  switch (action) {
    case 'create':
      return vscode.l10n.t('created by {0}, {1}', author, when);
    case 'update':
      return vscode.l10n.t('changed by {0}, {1}', author, when);
    case 'delete':
      return vscode.l10n.t('deleted by {0}, {1}', author, when);
    case 'rename':
      return vscode.l10n.t('renamed by {0}, {1}', author, when);
    case 'link':
      return vscode.l10n.t('linked by {0}, {1}', author, when);
    case 'unlink':
      return vscode.l10n.t('unlinked by {0}, {1}', author, when);
    case 'collection':
      return vscode.l10n.t('collected by {0}, {1}', author, when);
    case 'publish':
      return vscode.l10n.t('published by {0}, {1}', author, when);
    case 'download':
      return vscode.l10n.t('downloaded by {0}, {1}', author, when);
    case 'undo':
      return vscode.l10n.t('taken back by {0}, {1}', author, when);
  }
}

function announceUndone({ zettel_id, author }: NoteRevision): void {
  void vscode.window.showInformationMessage(
    withoutLinks(vscode.l10n.t('Undid the change of "{0}" by {1}.', zettel_id, author)),
  );
}
