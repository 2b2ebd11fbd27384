import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { NoteRevision } from '../../notes';
import { showError } from '../log';
import { withoutLinks } from '../messages';
import type { CommandContext } from './command';

/** More than one command ever makes; a migration asks for what it needs. */
const MOST = 1_000;

/** What a command has done to notes, so that it can be taken back. */
export interface NotesChanged<T> {
  result: T;
  /** Latest first. */
  revisions: readonly NoteRevision[];
}

/** Does `work` and tells which revisions the person made by it. */
export async function recording<T>(
  context: CommandContext,
  { notes }: KaizenParts,
  work: () => Promise<T>,
): Promise<NotesChanged<T>> {
  const { author } = context.knowledge.change();
  const [last] = notes.revisions({ limit: 1 });
  const result = await work();
  const since = notes.revisions({ limit: MOST }).filter(({ id }) => id > (last?.id ?? 0));
  // An agent may have written meanwhile.
  return { result, revisions: since.filter((each) => !each.by_agent && each.author === author) };
}

/** Says what was done, and offers to take it back. Nobody waits for the answer. */
export function announceUndoable(
  context: CommandContext,
  parts: KaizenParts,
  message: string,
  revisions: readonly NoteRevision[],
): void {
  announceWithUndo(context, message, async () => {
    for (const { id } of revisions) await parts.notes.undo(id, context.knowledge.change());
  });
}

/** The same where taking it back is no matter of revisions. */
export function announceWithUndo({ log }: CommandContext, message: string, takeBack: () => Promise<void>): void {
  const ask = async () => {
    const undo = vscode.l10n.t('Undo');
    if ((await vscode.window.showInformationMessage(withoutLinks(message), undo)) === undo) await takeBack();
  };
  ask().catch((error) => showError(log, error));
}
