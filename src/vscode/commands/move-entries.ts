import * as vscode from 'vscode';
import { isKaizenError } from '../../core/errors';
import { type Change, type EntryKey, type KnowledgePart, TIERS } from '../../knowledge';
import { documentUri } from '../documents';
import { withoutLinks } from '../messages';
import type { CommandContext } from './command';
import { lastRevision, oneByOne, shown } from './entry-changes';
import { sameKey } from './given';

/** An entry that was moved, and what it took the place of. */
interface Moved {
  from: EntryKey;
  to: EntryKey;
  /** The revision that deleted what stood there. */
  replaced?: number;
}

/**
 * Moves entries to a scope, category or keyword; what is left out stays as it is. Asks before rules begin to hold more
 * widely than before and before one takes the place of another, and offers to take everything back.
 */
export async function moveEntries(
  context: CommandContext,
  knowledge: KnowledgePart,
  keys: readonly EntryKey[],
  target: Partial<EntryKey>,
  change: Change,
): Promise<void> {
  const moves = keys
    .map((from) => ({ from, to: { ...from, ...defined(target) } }))
    .filter(({ from, to }) => !sameKey(from, to));
  if (moves.length === 0 || !(await confirmWiderScope(knowledge, moves))) return;
  const done: Moved[] = [];
  await oneByOne(context, moves, vscode.l10n.t('Moving entries'), async ({ from, to }) => {
    const moved = await moveOne(knowledge, from, to, change);
    if (moved) done.push(moved);
  });
  const [first] = done;
  if (!first) return;
  const { keyword, scope_id, category } = first.to;
  for (const { from, to } of done) await showWhereMoved(from, to);
  void context.explorer.knowledge.reveal(first.to);
  const message =
    done.length === 1
      ? vscode.l10n.t('Moved "{0}" to {1}, {2}.', keyword, scope_id, category)
      : vscode.l10n.t('Moved {0} entries to {1}.', done.length, target.category ?? scope_id);
  const undo = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(withoutLinks(message), undo)) !== undo) return;
  await oneByOne(context, [...done].reverse(), vscode.l10n.t('Moving entries back'), async (each) => {
    await moveBack(knowledge, each, context.knowledge.change());
    await showWhereMoved(each.to, each.from);
  });
}

/** Has the tabs of an entry show it where it is now; those with unsaved changes are left alone. */
async function showWhereMoved(from: EntryKey, to: EntryKey): Promise<void> {
  const old = documentUri(from).toString();
  for (const group of vscode.window.tabGroups.all) {
    for (const tab of group.tabs) {
      const { input, isDirty, isActive, isPreview } = tab;
      const isDocument = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
      if (!isDocument || isDirty || input.uri.toString() !== old) continue;
      const editor = input instanceof vscode.TabInputCustom ? input.viewType : 'default';
      const options = { viewColumn: group.viewColumn, preserveFocus: true, preview: isPreview, background: !isActive };
      await vscode.window.tabGroups.close(tab, true);
      await vscode.commands.executeCommand('vscode.openWith', documentUri(to), editor, options);
    }
  }
}

/** @returns nothing when the place is taken and the person leaves it so */
async function moveOne(
  knowledge: KnowledgePart,
  from: EntryKey,
  to: EntryKey,
  change: Change,
): Promise<Moved | undefined> {
  try {
    await knowledge.move(from, to, change);
    return { from, to };
  } catch (error) {
    const taken = isKaizenError(error) && error.code === 'conflict' ? knowledge.entry(to) : undefined;
    const moving = knowledge.entry(from);
    if (!taken || !moving) throw error;
    const base_revision = lastRevision(knowledge, to);
    if (!(await confirmReplacing(to, taken.content, moving.content))) return undefined;
    const reason = vscode.l10n.t('Replaced by an entry that was moved here.');
    await knowledge.delete(to, { ...change, reason, base_revision });
    const replaced = lastRevision(knowledge, to);
    try {
      await knowledge.move(from, to, change);
    } catch (failure) {
      // Nothing took its place.
      await knowledge.restore(to, base_revision, change).catch(() => {});
      throw failure;
    }
    return { from, to, replaced };
  }
}

async function moveBack(knowledge: KnowledgePart, { from, to, replaced }: Moved, change: Change): Promise<void> {
  await knowledge.move(to, from, change);
  // What it held before it was deleted.
  if (replaced) await knowledge.restore(to, replaced - 1, change);
}

/** A rule that moves to a more general tier begins to hold for others. */
async function confirmWiderScope(
  knowledge: KnowledgePart,
  moves: readonly { from: EntryKey; to: EntryKey }[],
): Promise<boolean> {
  const tierOf = (scopeId: string) => knowledge.scope(scopeId).tier;
  const wider = moves.filter(
    ({ from, to }) => TIERS.indexOf(tierOf(to.scope_id)) < TIERS.indexOf(tierOf(from.scope_id)),
  );
  const [first] = wider;
  if (!first) return true;
  const { scope_id } = first.to;
  const tier = tierOf(scope_id);
  const question =
    wider.length === 1
      ? vscode.l10n.t('Move "{0}" to {1} ({2})?', first.from.keyword, scope_id, tier)
      : vscode.l10n.t('Move {0} entries to {1} ({2})?', wider.length, scope_id, tier);
  const detail =
    tier === 'GENERAL'
      ? vscode.l10n.t('What is stored there holds for every project on this machine.')
      : vscode.l10n.t('What is stored there holds for every project that inherits from it.');
  const confirm = vscode.l10n.t('Move');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, confirm)) === confirm;
}

async function confirmReplacing(to: EntryKey, stored: string, moved: string): Promise<boolean> {
  const replace = vscode.l10n.t('Replace');
  const detail = vscode.l10n.t(
    'Stored:\n{0}\n\nMoved:\n{1}\n\nThe old content stays in the history either way.',
    shown(stored),
    shown(moved),
  );
  const question = vscode.l10n.t('"{0}" is stored already in {1}, {2}.', to.keyword, to.scope_id, to.category);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, replace)) === replace;
}

function defined({ scope_id, category, keyword }: Partial<EntryKey>): Partial<EntryKey> {
  return { ...(scope_id ? { scope_id } : {}), ...(category ? { category } : {}), ...(keyword ? { keyword } : {}) };
}
