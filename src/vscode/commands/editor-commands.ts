import * as vscode from 'vscode';
import type { EntryKey, Revision } from '../../knowledge';
import { documentUri, entryOf } from '../documents';
import { compareRevision } from '../editors';
import { showError } from '../log';
import { withoutIcons, withoutLinks } from '../messages';
import type { CommandContext, CommandHandlers } from './command';
import { requireEntries } from './entry-changes';
import { pickEntry } from './entry-pick';
import { givenEntries, givenValues, openEntry } from './given';

export function editorCommands(context: CommandContext): CommandHandlers {
  return {
    'kaizen.openAsForm': async (given?: unknown) => {
      const uri = await chosenDocument(context, vscode.l10n.t('Open as Form'), given);
      if (uri) await context.editors.openAsForm(uri, { preview: false });
    },
    'kaizen.openAsText': async (given?: unknown) => {
      const uri = await chosenDocument(context, vscode.l10n.t('Open as Text'), given);
      if (uri) await context.editors.openAsText(uri, { preview: false });
    },
    'kaizen.entryHistory': async (given?: unknown) => {
      const uri = await chosenDocument(context, vscode.l10n.t('Entry History'), given);
      const key = uri && entryOf(uri);
      if (key) await showHistory(context, key);
    },
  };
}

/** The document of the entry that a command was called with, else of the one in front, else of the one that is picked. */
async function chosenDocument(
  { knowledge: window, explorer }: CommandContext,
  title: string,
  given: unknown,
): Promise<vscode.Uri | undefined> {
  if (given === undefined) {
    const inFront = openEntry();
    if (inFront) return documentUri(inFront);
  }
  const { knowledge } = await window.parts();
  requireEntries(knowledge);
  const exists = (key: EntryKey) => knowledge.entry(key) !== undefined;
  const values = await givenValues(given, undefined, () => explorer.knowledge.underKeyboard());
  const [key] = givenEntries(values, exists);
  const chosen = key ?? (await pickEntry(knowledge, { title, placeholder: vscode.l10n.t('Which entry?') }));
  return chosen && documentUri(chosen);
}

interface RevisionItem extends vscode.QuickPickItem {
  revision: Revision;
}

/** Lets the person look through all revisions of an entry, newest first: choosing one shows what it changed. */
async function showHistory({ knowledge: window, editors, log }: CommandContext, key: EntryKey): Promise<void> {
  const { knowledge } = await window.parts();
  const history = knowledge.history(key);
  if (history.length === 0) {
    void vscode.window.showInformationMessage(
      withoutLinks(vscode.l10n.t('Nothing was stored yet as "{0}".', key.keyword)),
    );
    return;
  }
  const compare: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('git-compare'),
    tooltip: vscode.l10n.t('Compare with Now'),
  };
  const restore: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('discard'),
    tooltip: vscode.l10n.t('Restore'),
  };
  const pick = vscode.window.createQuickPick<RevisionItem>();
  pick.title = vscode.l10n.t('History of {0}', key.keyword);
  pick.placeholder = vscode.l10n.t('Choose a revision to see what it changed');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = history.toReversed().map((revision) => {
    const canRestore = revision.content !== null && vscode.workspace.isTrusted;
    return { ...revisionItem(revision), buttons: canRestore ? [compare, restore] : [compare] };
  });
  const attempt = (done: Promise<void>) => void done.catch((error) => showError(log, error));
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    pick.hide();
    if (item) attempt(compareRevision(key, item.revision.number, 'before'));
  });
  pick.onDidTriggerItemButton(({ item, button }) => {
    pick.hide();
    const { number } = item.revision;
    attempt(button === restore ? editors.restore(key, number) : compareRevision(key, number, 'document'));
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

function revisionItem(revision: Revision): RevisionItem {
  const { number, by_agent, author, at, reason } = revision;
  const date = new Date(at).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    label: vscode.l10n.t('Revision {0}: {1}', number, actionText(revision)),
    description: by_agent
      ? vscode.l10n.t('{0} (agent) · {1}', author, date)
      : vscode.l10n.t('{0} (person) · {1}', author, date),
    ...(reason && { detail: withoutIcons(reason) }),
    iconPath: new vscode.ThemeIcon(by_agent ? 'hubot' : 'account'),
    revision,
  };
}

function actionText({ action }: Revision): string {
  switch (action) {
    case 'create':
      return vscode.l10n.t('stored');
    case 'update':
      return vscode.l10n.t('changed');
    case 'delete':
      return vscode.l10n.t('deleted');
    case 'restore':
      return vscode.l10n.t('restored');
  }
}
