import path from 'node:path';
import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import { type Note, RELATIONSHIP_TYPES, type RelationshipType } from '../../notes';
import { withoutLinks } from '../messages';
import { showWhereMoved } from '../notes';
import { relationshipName } from '../views';
import type { CommandContext } from './command';
import { oneByOne } from './entry-changes';
import { isRecord } from './given';
import { withProgress } from './long-work';
import { askInSteps, keep, pick, type Step } from './multi-step';
import { chooseNotes, fileOf, filesToChange, notesReady, requireSavedFiles } from './note-given';
import { idProblem } from './note-new';
import { pickNote } from './note-pick';
import { announceUndoable, recording } from './note-writes';

/** Names shown in a dialog, which does not scroll. */
const SHOWN = 12;

/** Gives a note another id, and with it another file name; links follow, and all of it can be taken back.
 * @param newId given by whoever has asked for it already */
export async function renameNote(
  context: CommandContext,
  first: unknown,
  others: unknown,
  newId?: unknown,
): Promise<void> {
  const change = context.knowledge.change();
  const parts = await notesReady(context);
  const [note] = await chooseNotes(context, parts, vscode.l10n.t('Rename Note'), first, others);
  if (!note) return;
  const { space, zettel_id } = note;
  const linking = backlinksOf(parts, note).length;
  const answer =
    typeof newId === 'string'
      ? newId
      : await vscode.window.showInputBox({
          title: vscode.l10n.t('Rename Note'),
          prompt:
            linking === 0
              ? vscode.l10n.t('New id. Nothing links to the note.')
              : vscode.l10n.t('New id. Links in other notes follow: {0}.', linking),
          value: zettel_id,
          ignoreFocusOut: true,
          validateInput: (text) =>
            isSameId(text.trim(), zettel_id) ? undefined : idProblem(parts.notes, space, text.trim()),
        });
  const new_zettel_id = answer?.trim();
  if (!new_zettel_id || new_zettel_id === zettel_id) return;
  const write = { action: 'rename', location: space, zettel_id, new_zettel_id } as const;
  requireSavedFiles(await filesToChange(parts, write));
  const from = await fileOf(parts, note);
  const { revisions } = await recording(context, parts, () =>
    withProgress(withoutLinks(vscode.l10n.t('Renaming {0}', zettel_id)), ({ signal }) =>
      parts.notes.write(write, { ...change, signal }),
    ),
  );
  const renamed = parts.notes.note(space, new_zettel_id);
  if (renamed) await showWhereMoved(from, await fileOf(parts, renamed));
  const followed = revisions[0]
    ? revisions.flatMap(({ files }) => files).filter(({ before, after }) => before !== null && after !== null).length
    : 0;
  const renamedTo =
    followed === 0
      ? vscode.l10n.t('Renamed {0} to {1}.', zettel_id, new_zettel_id)
      : vscode.l10n.t('Renamed {0} to {1}; files whose links followed: {2}.', zettel_id, new_zettel_id, followed);
  const message =
    note.version === undefined
      ? renamedTo
      : `${renamedTo} ${vscode.l10n.t('The registry goes on having the note as {0}.', zettel_id)}`;
  announceUndoable(context, parts, message, revisions);
}

/** Deletes notes, once the person has seen what links to them; each can be taken back. */
export async function deleteNotes(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const change = context.knowledge.change();
  const parts = await notesReady(context);
  const notes = await chooseNotes(context, parts, vscode.l10n.t('Delete Note'), first, others);
  const [note] = notes;
  if (!note || !(await confirmDeleting(parts, notes))) return;
  const { revisions } = await recording(context, parts, () =>
    oneByOne(context, notes, vscode.l10n.t('Deleting notes'), async (each) => {
      const { space: location, zettel_id, content_hash } = each;
      await parts.notes.write({ action: 'delete', location, zettel_id, content_hash }, change);
    }),
  );
  const message =
    notes.length === 1
      ? vscode.l10n.t('Deleted {0}.', note.zettel_id)
      : vscode.l10n.t('Deleted {0} notes.', revisions.length);
  announceUndoable(context, parts, message, revisions);
}

async function confirmDeleting(parts: KaizenParts, notes: readonly Note[]): Promise<boolean> {
  const deleted = new Set(notes.map(({ uri }) => uri));
  const linking = new Set(notes.flatMap((note) => backlinksOf(parts, note)).filter((uri) => !deleted.has(uri)));
  const question =
    notes.length === 1
      ? vscode.l10n.t('Delete "{0}"?', notes[0]!.title)
      : vscode.l10n.t('Delete {0} notes?', notes.length);
  const detail = [
    notes
      .slice(0, SHOWN)
      .map(({ file }) => path.posix.basename(file))
      .join('\n'),
    linking.size > 0 ? vscode.l10n.t('Links that will lead nowhere are in other notes: {0}.', linking.size) : '',
    vscode.l10n.t('Kaizen keeps the text, so that this can be undone.'),
  ];
  const confirm = vscode.l10n.t('Delete');
  const options = { modal: true, detail: detail.filter(Boolean).join('\n\n') };
  return (await vscode.window.showWarningMessage(question, options, confirm)) === confirm;
}

/** The notes that link to one. */
function backlinksOf({ notes }: KaizenParts, note: Note): string[] {
  const ids = notes
    .relationships(note)
    .filter(({ direction }) => direction === 'incoming')
    .map(({ source_location, zettel_id }) => `${source_location}/${zettel_id}`);
  return [...new Set(ids)];
}

/** Links a note to another one: the relationship stands in the front matter of the first. */
export async function linkNotes(context: CommandContext, first: unknown, others: unknown): Promise<void> {
  const change = context.knowledge.change();
  const parts = await notesReady(context);
  const title = vscode.l10n.t('Link Notes');
  const chosen = await chooseNotes(context, parts, title, first, others);
  const [from] = chosen;
  if (!from) return;
  const type = await askRelationship(title, from, isRecord(others) ? others.type : undefined);
  if (!type) return;
  // Two that are selected are linked to each other, in the order of the view.
  const to =
    chosen[1] ??
    (await pickNote(parts, {
      title,
      placeholder: vscode.l10n.t('{0} {1} …', from.zettel_id, relationshipName(type)),
      without: [from],
    }));
  if (!to) return;
  requireSavedFiles([await fileOf(parts, from)]);
  const { result, revisions } = await recording(context, parts, () =>
    parts.notes.write(
      {
        action: 'link',
        location: from.space,
        from_zettel_id: from.zettel_id,
        to_zettel_id: to.zettel_id,
        to_location: to.space,
        relationship_type: type,
      },
      change,
    ),
  );
  if (result.action === 'link' && !result.changed) {
    void vscode.window.showInformationMessage(vscode.l10n.t('They are linked so already.'));
    return;
  }
  const message = vscode.l10n.t('{0} {1} {2}.', from.zettel_id, relationshipName(type), to.zettel_id);
  announceUndoable(context, parts, message, revisions);
}

async function askRelationship(title: string, from: Note, given: unknown): Promise<RelationshipType | undefined> {
  const known = RELATIONSHIP_TYPES.find((type) => type === given);
  if (known) return known;
  const ask: Step<{ type: RelationshipType }> = async (state, place) => {
    const items = RELATIONSHIP_TYPES.map((type) => ({
      label: relationshipName(type),
      description: type,
      value: type,
    }));
    const placeholder = vscode.l10n.t('What is {0} to the other note?', from.zettel_id);
    return keep(await pick<RelationshipType>({ ...place, placeholder, items }), (type) =>
      Object.assign(state, { type }),
    );
  };
  return (await askInSteps<{ type: RelationshipType }>(title, [ask]))?.type;
}

function isSameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
