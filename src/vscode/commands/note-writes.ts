import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { NoteRevision, Space } from '../../notes';
import { showError } from '../log';
import { withoutLinks } from '../messages';
import { showWhereMoved } from '../notes';
import type { CommandContext } from './command';
import { withProgress } from './long-work';

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
  announceWithUndo(context, message, () => undoAll(context, parts, revisions));
}

/**
 * Takes changes back one after the other, and has the tabs follow files that go back to where they were. Throws what
 * the first of them throws that cannot be taken back.
 */
export function undoAll(
  { knowledge }: CommandContext,
  parts: KaizenParts,
  revisions: readonly NoteRevision[],
): Promise<void> {
  return withProgress(vscode.l10n.t('Undoing'), async ({ signal }) => {
    for (const revision of revisions) {
      const move = moveIn(revision);
      // The editor knows it by this name, and nobody can look it up once the file has gone.
      const from = move && (await fileAt(parts, move.to));
      await parts.notes.undo(revision.id, { ...knowledge.change(), signal });
      const to = move && (await fileAt(parts, move.from));
      if (from && to) await showWhereMoved(from, to);
    }
  });
}

interface FilePlace {
  space: Space;
  file: string;
}

/** Where one file has gone and one has come, it is the same one. */
function moveIn({ space: own, files }: NoteRevision): { from: FilePlace; to: FilePlace } | undefined {
  const placeOf = ({ space = own, file }: NoteRevision['files'][number]) => ({ space, file });
  const [from, ...others] = files.filter(({ after }) => after === null).map(placeOf);
  const [to, ...more] = files.filter(({ before }) => before === null).map(placeOf);
  return from && to && others.length === 0 && more.length === 0 ? { from, to } : undefined;
}

/** Undefined where there is none. */
async function fileAt({ notes }: KaizenParts, { space, file }: FilePlace): Promise<vscode.Uri | undefined> {
  return notes.locate(space, file).then(
    (path) => vscode.Uri.file(path),
    () => undefined,
  );
}

/** The same where taking it back is no matter of revisions. */
export function announceWithUndo({ log }: CommandContext, message: string, takeBack: () => Promise<void>): void {
  const ask = async () => {
    const undo = vscode.l10n.t('Undo');
    if ((await vscode.window.showInformationMessage(withoutLinks(message), undo)) === undo) await takeBack();
  };
  ask().catch((error) => showError(log, error));
}
