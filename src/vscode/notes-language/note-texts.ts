import path from 'node:path';
import * as vscode from 'vscode';
import { LONGEST_NOTE } from '../../../webview-ui/protocol/limits';
import { describeError } from '../../core/errors';
import { Turns } from '../../core/turns';
import { type Note, type NoteLink, type NotesPart, noteFormat, type ParsedNote, type Space } from '../../notes';
import type { Log } from '../log';
import type { NotesAtWork } from '../notes';

/** How long somebody who asks about a link waits for the first index. */
const READY_MS = 2_000;

/** A file of a space as its document has it, saved or not. */
export interface DocumentText {
  space: Space;
  /** Relative to the space's root, `/` between its parts. */
  file: string;
  /** Of the document, which may be another one by now. */
  version: number;
  text: string;
  parsed: ParsedNote;
}

/** The same, with the notes that its links may lead to. */
export interface NoteText extends DocumentText {
  notes: NotesPart;
}

/**
 * Reads documents as notes. What lies in no space is told apart by its path alone: nothing is opened for it. Texts that
 * were read are remembered as long as they stay as they are.
 */
export class NoteTexts {
  private readonly known = new WeakMap<vscode.TextDocument, Promise<DocumentText> & { readonly key: string }>();

  constructor(
    private readonly notes: NotesAtWork,
    private readonly log: Log,
  ) {}

  isNote(document: vscode.TextDocument): boolean {
    return this.notes.placeOf(document.uri) !== undefined;
  }

  /** What a document says, whatever becomes of the stores; undefined for what is no note. */
  async parse(document: vscode.TextDocument): Promise<DocumentText | undefined> {
    const place = this.notes.placeOf(document.uri);
    return place && this.parseAt(document, place);
  }

  /** The same for what is, or was, a note there. */
  async parseAt(document: vscode.TextDocument, place: Pick<DocumentText, 'space' | 'file'>): Promise<DocumentText> {
    const { version } = document;
    const key = `${version} ${place.space} ${place.file}`;
    const known = this.known.get(document);
    if (known?.key === key) return known;
    const text = document.getText();
    const read = parse(text, place.file).then((parsed) => ({ ...place, version, text, parsed }));
    this.known.set(document, Object.assign(read, { key }));
    return read;
  }

  /**
   * Undefined for what is no note, for what is too long to be one, and where the stores cannot be opened.
   * @param patience how long to wait for the first index, without which links seem to lead nowhere
   */
  async read(document: vscode.TextDocument, patience = READY_MS): Promise<NoteText | undefined> {
    if (!this.isNote(document)) return undefined;
    const notes = await this.part(patience);
    if (!notes || document.getText().length > LONGEST_NOTE) return undefined;
    const read = await this.parse(document);
    return read && { ...read, notes };
  }

  /** The notes, once what they hold is known as far as may be waited for. */
  async part(patience = READY_MS): Promise<NotesPart | undefined> {
    try {
      const { notes } = await this.notes.start();
      if (patience > 0) await notes.ready(patience);
      return notes;
    } catch (error) {
      this.log.debug(describeError(error));
      return undefined;
    }
  }

  /** Where a file of a space lies. */
  uriOf({ space, file }: { space: Space; file: string }): vscode.Uri {
    return vscode.Uri.file(path.join(this.notes.configured.spaces[space] ?? '', ...file.split('/')));
  }
}

/** The link that a place in a text belongs to. */
export function linkAt({ parsed }: NoteText, offset: number): NoteLink | undefined {
  return parsed.links.find(({ range }) => range.start <= offset && offset <= range.end);
}

/** The text of an open document where there is one, else that of the file. */
export async function textOf(
  texts: NoteTexts,
  notes: NotesPart,
  note: Note,
): Promise<{ text: string; parsed: ParsedNote }> {
  const id = texts.uriOf(note).toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === id);
  const read = open && (await texts.read(open));
  if (read) return read;
  const { text } = await notes.text(note);
  return { text, parsed: await parse(text, note.file) };
}

/** Long ones take turns with others: two megabytes take longer than anybody else may wait. */
async function parse(text: string, file: string): Promise<ParsedNote> {
  return (await noteFormat()).parseNoteInTurns(text, file, new Turns());
}

/** Places in a text that no document holds. */
export class Lines {
  private readonly starts: number[] = [0];

  constructor(text: string) {
    for (const { index, 0: found } of text.matchAll(/\r\n|\r|\n/g)) this.starts.push(index + found.length);
  }

  range({ start, end }: { start: number; end: number }): vscode.Range {
    return new vscode.Range(this.position(start), this.position(end));
  }

  private position(offset: number): vscode.Position {
    let low = 0;
    for (let high = this.starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return new vscode.Position(low, offset - this.starts[low]!);
  }
}

export function rangeIn(document: vscode.TextDocument, { start, end }: { start: number; end: number }): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
