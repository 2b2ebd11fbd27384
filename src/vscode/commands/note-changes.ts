import * as vscode from 'vscode';
import type { NoteRevision } from '../../notes';
import { showError } from '../log';
import { withoutIcons, withoutLinks } from '../messages';
import { locationName } from '../views';
import type { CommandContext } from './command';
import { chooseNotes, notesReady } from './note-given';
import { lastStanding } from './note-standing';
import { undoAll } from './note-writes';

/** More than anybody looks through. */
const SHOWN = 200;
/** In a dialog, which does not scroll. */
const MOST_FILES = 12;

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
      detail: withoutIcons(filesIn(revision).join(', ')),
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
      await undoAll(context, parts, [revision]);
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
  context.knowledge.change();
  const parts = await notesReady(context);
  const last = lastStanding(parts.notes.revisions({ limit: SHOWN }));
  if (!last) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no change of notes to undo.'));
    return;
  }
  const undo = vscode.l10n.t('Undo');
  const compare = vscode.l10n.t('Compare');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Undo the last change of {0}?', last.zettel_id),
    { modal: true, detail: [describeRevision(last), ...filesIn(last).slice(0, MOST_FILES)].join('\n') },
    undo,
    compare,
  );
  if (choice === compare) await compareChange(context, last);
  if (choice !== undo) return;
  await undoAll(context, parts, [last]);
  announceUndone(last);
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

/** With their space where they lie in both. */
function filesIn({ space, files }: NoteRevision): string[] {
  const isInBoth = new Set(files.map((each) => each.space ?? space)).size > 1;
  return files.map((each) => (isInBoth ? `${locationName(each.space ?? space)}: ${each.file}` : each.file));
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
