import * as vscode from 'vscode';
import type { EntryChange, EntryKey, KnowledgePart } from '../../knowledge';
import { revisionUri } from '../documents';
import { showError } from '../log';
import { withoutIcons, withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { shown } from './entry-changes';
import { sameKey } from './given';
import { askInSteps, askText, keep, pick, type Step } from './multi-step';

const LAST_REVIEW = 'kaizen.lastReviewOfAgentChanges';
const HOUR_MS = 60 * 60_000;
/** As many as the domain gives at once. */
const MAX_CHANGES = 1_000;

/** Shows what agents changed since a time that the person chooses: one by one, or all in one editor. */
export async function reviewChanges(context: CommandContext): Promise<void> {
  const { knowledge } = await context.knowledge.parts();
  const memory = context.extension.workspaceState;
  const since = await askSince(memory.get<string>(LAST_REVIEW));
  if (!since) return;
  const found = () => knowledge.changes({ since: since.time, by_agent: true, limit: MAX_CHANGES });
  const asked = new Date().toISOString();
  if (found().length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Agents changed no entry since {0}.', since.label));
    await memory.update(LAST_REVIEW, asked);
    return;
  }
  await showChanges(context, knowledge, since.label, found);
  await memory.update(LAST_REVIEW, asked);
}

/** Takes back what an agent did last, after a look at it. */
export async function undoAgentChange(context: CommandContext): Promise<void> {
  const change = context.knowledge.change();
  const { knowledge } = await context.knowledge.parts();
  const last = knowledge.changes({ by_agent: true, limit: MAX_CHANGES }).find(({ is_latest }) => is_latest);
  if (!last) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'There is no change by an agent to undo: there was none, or people changed the same entries since.',
      ),
    );
    return;
  }
  const undo = vscode.l10n.t('Undo');
  const compare = vscode.l10n.t('Compare');
  const nothing = vscode.l10n.t('(nothing)');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Undo the change of "{0}" by {1}?', last.keyword, last.author),
    {
      modal: true,
      detail: [
        vscode.l10n.t('{0}, {1}; changed {2}', last.scope_id, last.category, timeOf(last.at)),
        vscode.l10n.t('Before:\n{0}', last.previous_content === null ? nothing : shown(last.previous_content)),
        vscode.l10n.t('Now:\n{0}', last.content === null ? nothing : shown(last.content)),
      ].join('\n\n'),
    },
    undo,
    compare,
  );
  if (choice === compare) await compareChange(last);
  if (choice !== undo) return;
  await knowledge.undo(keyOf(last), last.number, change);
  announceUndone(last);
}

/** The list of changes, newest first; a button undoes what is still the last change of its entry. */
async function showChanges(
  context: CommandContext,
  knowledge: KnowledgePart,
  since: string,
  found: () => EntryChange[],
): Promise<void> {
  const undo: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('discard'),
    tooltip: vscode.l10n.t('Undo This Change'),
  };
  const list = vscode.window.createQuickPick<vscode.QuickPickItem & { change?: EntryChange }>();
  list.title = vscode.l10n.t('Agent changes since {0}', since);
  list.placeholder = vscode.l10n.t('Enter compares; the button undoes');
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.ignoreFocusOut = true;
  const show = () => {
    const changes = found();
    const before = list.activeItems[0]?.change;
    list.items = [
      { label: vscode.l10n.t('$(diff-multiple) Compare All in One Editor'), alwaysShow: true },
      ...changes.map((change) => ({
        label: withoutIcons(change.keyword),
        description: withoutIcons(describeChange(change)),
        detail: withoutIcons([change.scope_id, change.category, change.reason].filter(Boolean).join(' · ')),
        buttons: change.is_latest && vscode.workspace.isTrusted ? [undo] : [],
        change,
      })),
    ];
    const same = list.items.find(
      ({ change }) => change && before && change.number === before.number && sameKey(change, before),
    );
    if (same) list.activeItems = [same];
  };
  show();
  const attempt = (action: () => unknown) =>
    Promise.resolve()
      .then(action)
      .catch((error: unknown) => showError(context.log, error));
  list.onDidAccept(() => {
    const [row] = list.selectedItems;
    if (!row) return;
    if (row.change) void attempt(() => compareChange(row.change!, { preserveFocus: true }));
    else {
      list.hide();
      void attempt(() => compareAll(vscode.l10n.t('Agent changes since {0}', since), found()));
    }
  });
  list.onDidTriggerItemButton(({ item: { change } }) =>
    attempt(async () => {
      if (!change) return;
      await knowledge.undo(keyOf(change), change.number, context.knowledge.change());
      announceUndone(change);
      show();
    }),
  );
  const changes = context.knowledge.onDidChange(show);
  await new Promise<void>((resolve) => {
    list.onDidHide(() => resolve());
    list.show();
  });
  changes.dispose();
  list.dispose();
}

async function compareChange(change: EntryChange, options: vscode.TextDocumentShowOptions = {}): Promise<void> {
  const { before, after } = sidesOf(change, change);
  const title = vscode.l10n.t('{0} ({1})', change.keyword, describeChange(change));
  if (before && after) {
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true, ...options });
    return;
  }
  // With one side only, the editor for several files shows it as added or deleted.
  await vscode.commands.executeCommand('vscode.changes', title, [[after ?? before, before, after]]);
}

/** One row for each entry: from what it was before the first of the changes to what it was after the last. */
async function compareAll(title: string, changes: readonly EntryChange[]): Promise<void> {
  const entries = new Map<string, { first: EntryChange; last: EntryChange }>();
  for (const change of changes) {
    const id = JSON.stringify(keyOf(change));
    const known = entries.get(id);
    // They come newest first.
    if (known) known.first = change;
    else entries.set(id, { first: change, last: change });
  }
  const rows = [...entries.values()].flatMap(({ first, last }) => {
    const { before, after } = sidesOf(first, last);
    return before || after ? [[after ?? before, before, after]] : [];
  });
  await vscode.commands.executeCommand('vscode.changes', title, rows);
}

/** The documents before one change and after another; undefined where there was no entry. */
function sidesOf(first: EntryChange, last: EntryChange): { before?: vscode.Uri; after?: vscode.Uri } {
  return {
    ...(first.previous_content === null ? {} : { before: revisionUri(keyOf(first), first.number - 1) }),
    ...(last.content === null ? {} : { after: revisionUri(keyOf(last), last.number) }),
  };
}

interface SinceAnswers {
  /** Empty for a day of the person's choice. */
  time: string;
  day: string;
}

async function askSince(lastReview: string | undefined): Promise<{ time: string; label: string } | undefined> {
  const now = new Date();
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
  const day = vscode.l10n.t('A date…');
  const rows = [
    ...(lastReview ? [{ label: vscode.l10n.t('The last review'), value: lastReview }] : []),
    { label: vscode.l10n.t('Today'), value: today },
    { label: vscode.l10n.t('24 hours ago'), value: ago(24 * HOUR_MS) },
    { label: vscode.l10n.t('7 days ago'), value: ago(7 * 24 * HOUR_MS) },
    { label: day, value: '' },
  ];
  const askWhen: Step<SinceAnswers> = async (state, place) =>
    keep(
      await pick({
        ...place,
        placeholder: vscode.l10n.t('Since when?'),
        items: rows.map((row) => ({ ...row, description: row.value && timeOf(row.value) })),
      }),
      (time) => Object.assign(state, { time }),
    );
  const askDay: Step<SinceAnswers> = async (state, place) =>
    keep(
      await askText({
        ...place,
        prompt: vscode.l10n.t('Since which day? For example {0}', isoDay(now)),
        value: state.day ?? isoDay(now),
        placeholder: isoDay(now),
        validate: (text) => (dayOf(text) ? undefined : vscode.l10n.t('Write the day as {0}.', isoDay(now))),
      }),
      (day) => Object.assign(state, { day }),
    );
  const answers = await askInSteps<SinceAnswers>(vscode.l10n.t('Review Agent Changes'), ({ time }) =>
    time === '' ? [askWhen, askDay] : [askWhen],
  );
  if (!answers) return undefined;
  if (answers.time !== '') return { time: answers.time, label: timeOf(answers.time) };
  const since = dayOf(answers.day);
  return since && { time: since.toISOString(), label: since.toLocaleDateString(vscode.env.language) };
}

/** Midnight, where the person is; undefined for what is no day. */
function dayOf(text: string): Date | undefined {
  const [, year, month, day] = /^\s*(\d{4})-(\d{2})-(\d{2})\s*$/.exec(text) ?? [];
  if (!year) return undefined;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  return date.getMonth() === Number(month) - 1 ? date : undefined;
}

function isoDay(date: Date): string {
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

function describeChange({ action, author, at }: EntryChange): string {
  const when = timeOf(at);
  switch (action) {
    case 'create':
      return vscode.l10n.t('created by {0}, {1}', author, when);
    case 'update':
      return vscode.l10n.t('changed by {0}, {1}', author, when);
    case 'delete':
      return vscode.l10n.t('deleted by {0}, {1}', author, when);
    case 'restore':
      return vscode.l10n.t('restored by {0}, {1}', author, when);
  }
}

function announceUndone({ keyword, author }: EntryChange): void {
  void vscode.window.showInformationMessage(
    withoutLinks(vscode.l10n.t('Undid the change of "{0}" by {1}.', keyword, author)),
  );
}

function keyOf({ scope_id, category, keyword }: EntryChange): EntryKey {
  return { scope_id, category, keyword };
}

function timeOf(iso: string): string {
  return new Date(iso).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}
