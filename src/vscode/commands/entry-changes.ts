import * as vscode from 'vscode';
import { KaizenError } from '../../core/errors';
import type { EntryKey, KnowledgePart } from '../../knowledge';
import { showError } from '../log';
import { withoutLinks } from '../messages';
import type { CommandContext } from './command';

/** Longer contents are cut in a dialog, which does not scroll. */
const SHOWN_CHARACTERS = 600;

/** From so many on it may take longer than a second. */
const SLOW_FROM = 20;

/** Says what was done to an entry, which is shown in the view, and offers to open it and to take it back. */
export async function announce(context: CommandContext, key: EntryKey, message: string): Promise<void> {
  const { knowledge } = await context.knowledge.parts();
  const revision = lastRevision(knowledge, key);
  void context.explorer.knowledge.reveal(key);
  const open = vscode.l10n.t('Open');
  const undo = vscode.l10n.t('Undo');
  const choice = await vscode.window.showInformationMessage(withoutLinks(message), open, undo);
  if (choice === open) await context.editors.openEntry(key);
  if (choice === undo) await knowledge.undo(key, revision, context.knowledge.change());
}

/** The number of an entry's last revision: what can be taken back. */
export function lastRevision(knowledge: KnowledgePart, key: EntryKey): number {
  return knowledge.history(key).at(-1)?.number ?? 0;
}

export function shown(content: string): string {
  return content.length > SHOWN_CHARACTERS ? `${content.slice(0, SHOWN_CHARACTERS)}…` : content;
}

export function requireScopes(knowledge: KnowledgePart): void {
  if (knowledge.listScopes().length > 0) return;
  throw new KaizenError(
    'unknown_scope',
    vscode.l10n.t('There is no scope to store in yet.'),
    vscode.l10n.t('Define one first: Kaizen: Define Scope.'),
  );
}

export function requireEntries(knowledge: KnowledgePart): void {
  if (knowledge.listScopes().some(({ entry_count }) => entry_count > 0)) return;
  throw new KaizenError(
    'unknown_entry',
    vscode.l10n.t('Nothing is stored here yet.'),
    vscode.l10n.t('Begin with Kaizen: Store Knowledge.'),
  );
}

/** When a command was given something that it cannot be done to. */
export function noEntry(): KaizenError {
  return new KaizenError(
    'invalid_argument',
    vscode.l10n.t('This is no entry.'),
    vscode.l10n.t('Choose an entry in the view Knowledge, or run the command from the Command Palette.'),
  );
}

/**
 * Does the same to several things, one after the other; many of them with progress and a way to stop.
 * @param title says what is done, while it is done
 * @returns those that it was done to: when something fails after the first, the person is told, and the rest is left
 * @throws what the first one throws
 */
export async function oneByOne<T>(
  { log }: CommandContext,
  items: readonly T[],
  title: string,
  run: (item: T) => Promise<unknown>,
): Promise<T[]> {
  const done: T[] = [];
  const goOn = async (item: T) => {
    try {
      await run(item);
      done.push(item);
      return true;
    } catch (error) {
      if (done.length === 0) throw error;
      void showError(log, error);
      return false;
    }
  };
  if (items.length < SLOW_FROM) {
    for (const item of items) if (!(await goOn(item))) break;
    return done;
  }
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  await vscode.window.withProgress(options, async (progress, token) => {
    for (const item of items) {
      if (token.isCancellationRequested || !(await goOn(item))) break;
      progress.report({ increment: 100 / items.length });
    }
  });
  return done;
}
