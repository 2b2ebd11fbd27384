import * as vscode from 'vscode';
import { lineBreakOf, spliceBetween, withLineFeeds } from '../../../webview-ui/protocol/text-splices';
import { describeError } from '../../core/errors';
import type { Note, NotesPart, Range } from '../../notes';
import { errorInWords } from '../in-words';
import { type Log, showError } from '../log';
import { withoutLinks } from '../messages';
import type { NotesAtWork } from '../notes';
import { meantNote } from './navigation';
import { linkAt, type NoteText, type NoteTexts, rangeIn } from './note-texts';
import { documentsOf, isTakenIn, TAKING_IN_MS } from './open-documents';
import { renameNote } from './rename-note';

/** Renames the note that the caret means: where it is linked, or in the note itself. */
export class NoteRename implements vscode.RenameProvider {
  constructor(
    private readonly texts: NoteTexts,
    private readonly log: Log,
  ) {}

  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ range: vscode.Range; placeholder: string } | undefined> {
    const read = await this.texts.read(document);
    const found = read && this.found(read, document.offsetAt(position));
    // Other Markdown is renamed by whoever knows it, such as headings.
    if (!found) return undefined;
    return { range: rangeIn(document, found.range), placeholder: found.note.zettel_id };
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const read = await this.texts.read(document);
    const found = read && this.found(read, document.offsetAt(position));
    if (!found) return undefined;
    try {
      await renameNote((place) => this.texts.uriOf(place), read.notes, found.note, newName.trim());
    } catch (error) {
      // The editor would say that renaming is not possible here, and not why.
      await showError(this.log, error);
    }
    // The files are written already, all of them or none, and can be put back as one change.
    return new vscode.WorkspaceEdit();
  }

  private found(read: NoteText, offset: number): { note: Note; range: Range } | undefined {
    const link = linkAt(read, offset);
    const note = meantNote(read, offset);
    if (!note) return undefined;
    if (link) return { note, range: link.targetRange };
    const id = idRange(read);
    return id && id.start <= offset && offset <= id.end ? { note, range: id } : undefined;
  }
}

/** Where the front matter says the id. */
function idRange({ text, parsed }: Pick<NoteText, 'text' | 'parsed'>): Range | undefined {
  const found = /^(\uFEFF?---[\s\S]*?^zettel_id:[ \t]*["']?)([^"'\s#]+)/m.exec(text.slice(0, parsed.bodyStart));
  if (!found) return undefined;
  return { start: found[1]!.length, end: found[0].length };
}

/**
 * Where a note's file is renamed in the Explorer, has its id and the links to it follow, as edits that go with the
 * renaming: the editor asks the person, and shows them on request.
 */
export function followFileRenames(texts: NoteTexts, notes: NotesAtWork, log: Log): vscode.Disposable {
  return vscode.workspace.onWillRenameFiles((event) => {
    const renamed = event.files.filter(({ oldUri, newUri }) => isRenamed(notes, oldUri, newUri));
    const [only] = renamed;
    // Who renames several at once, or a folder, moves things; ids stay, and links find them.
    if (!only || event.files.length > 1) return;
    event.waitUntil(
      editsFor(texts, only).catch((error) => {
        log.warn(describeError(error));
        void vscode.window.showWarningMessage(withoutLinks(errorInWords(error)));
        return undefined;
      }),
    );
  });
}

function isRenamed(notes: NotesAtWork, oldUri: vscode.Uri, newUri: vscode.Uri): boolean {
  const [from, to] = [notes.placeOf(oldUri), notes.placeOf(newUri)];
  return from !== undefined && to?.space === from.space && idOfFile(from.file) !== idOfFile(to.file);
}

async function editsFor(
  texts: NoteTexts,
  { oldUri, newUri }: { oldUri: vscode.Uri; newUri: vscode.Uri },
): Promise<vscode.WorkspaceEdit | undefined> {
  const notes = await texts.part();
  const note = notes?.noteAt(oldUri.fsPath);
  const newId = idOfFile(newUri.path);
  if (!notes || !note || note.zettel_id !== idOfFile(oldUri.path)) return undefined;
  return linkEdits(texts, notes, note, newId);
}

/** What renaming would change, as edits of files that the editor makes itself. */
async function linkEdits(
  texts: NoteTexts,
  notes: NotesPart,
  { space, zettel_id, file }: Note,
  newId: string,
): Promise<vscode.WorkspaceEdit> {
  const { files } = await notes.preview({ action: 'rename', location: space, zettel_id, new_zettel_id: newId });
  const edit = new vscode.WorkspaceEdit();
  // Of all together: the editor waits for nobody forever.
  const until = Date.now() + TAKING_IN_MS;
  const own = files.find((each) => each.before === undefined)?.after;
  const left: string[] = [];
  for (const each of files) {
    const isOwn = each.space === space && each.file === file;
    const [before, after] = [each.before, isOwn ? own : each.after];
    if (before === undefined || after === undefined) continue;
    const uri = texts.uriOf(each);
    const [open] = documentsOf([uri]);
    const document = open ?? (await vscode.workspace.openTextDocument(uri));
    // What was typed since is the person's: its links are found broken, and mended there.
    if (!(await isTakenIn(document, (text) => shownIn(text, before), until))) {
      left.push(each.file);
      continue;
    }
    const text = document.getText();
    const splice = spliceBetween(text, shownIn(text, after));
    if (splice) edit.replace(uri, rangeIn(document, splice), splice.text);
  }
  if (left.length > 0) sayLeft(left, zettel_id);
  return edit;
}

/** Links that do not follow are told: they are mended where they stand. */
function sayLeft(files: readonly string[], id: string): void {
  const message = vscode.l10n.t(
    'Links to {0} do not follow in {1}: what the editor shows there is not what the file says. Save or revert it, then mend its links.',
    id,
    files.join(', '),
  );
  void vscode.window.showWarningMessage(withoutLinks(message));
}

/** A file's text as the editor shows it: without a mark at the beginning, with one kind of line breaks, the document's. */
function shownIn(document: string, text: string): string {
  return withLineFeeds(text.replace(/^\uFEFF/, '')).replaceAll('\n', lineBreakOf(document));
}

function idOfFile(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}
