import * as vscode from 'vscode';
import { Turns } from '../../core/turns';
import type { Note, NoteLink, NotesPart } from '../../notes';
import { Lines, linkAt, type NoteText, type NoteTexts, rangeIn, textOf } from './note-texts';
import { findSection } from './sections';

/** Notes, or links of one, that are looked through before others get a turn. */
const AT_ONCE = 200;

/** From a link to what it leads to, and from a note to what links to it. */
export class NoteNavigation
  implements vscode.DefinitionProvider, vscode.DocumentLinkProvider, vscode.ReferenceProvider
{
  constructor(private readonly texts: NoteTexts) {}

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.LocationLink[] | undefined> {
    const read = await this.texts.read(document);
    const link = read && linkAt(read, document.offsetAt(position));
    const target = link && this.placeOf(read, link);
    if (!target) return undefined;
    const targetRange = new vscode.Range(target.line, 0, target.line, 0);
    return [{ originSelectionRange: rangeIn(document, link.targetRange), targetUri: target.uri, targetRange }];
  }

  async provideDocumentLinks(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentLink[] | undefined> {
    const read = await this.texts.read(document);
    if (!read) return undefined;
    const found: vscode.DocumentLink[] = [];
    const turns = new Turns();
    for (const [index, link] of read.parsed.links.entries()) {
      if (index % AT_ONCE === 0) await turns.pause();
      if (token.isCancellationRequested) return undefined;
      const target = this.placeOf(read, link);
      if (!target) continue;
      const fragment = target.line === 0 ? '' : `L${target.line + 1}`;
      const shown = new vscode.DocumentLink(rangeIn(document, link.range), target.uri.with({ fragment }));
      shown.tooltip = vscode.l10n.t('Open "{0}"', target.title);
      found.push(shown);
    }
    return found;
  }

  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    { includeDeclaration }: vscode.ReferenceContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.Location[] | undefined> {
    const read = await this.texts.read(document);
    const note = read && meantNote(read, document.offsetAt(position));
    if (!note) return undefined;
    const found = await this.linksTo(read.notes, note, token);
    if (!includeDeclaration) return found;
    return [new vscode.Location(this.texts.uriOf(note), new vscode.Position(0, 0)), ...found];
  }

  /** Every link of either space that leads to a note, as the texts are now. */
  private async linksTo(notes: NotesPart, note: Note, token: vscode.CancellationToken): Promise<vscode.Location[]> {
    const found: vscode.Location[] = [];
    const leadsThere = (from: Note, link: NoteLink) => {
      const target = notes.resolveLink(from, link);
      return target.kind === 'note' && target.note.uri === note.uri;
    };
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const turns = new Turns();
    let looked = 0;
    for (const from of notes.notes()) {
      looked += 1;
      if (looked % AT_ONCE === 0) await turns.pause();
      if (token.isCancellationRequested) break;
      const uri = this.texts.uriOf(from);
      if (!open.has(uri.toString()) && !from.links.some((link) => leadsThere(from, link))) continue;
      const now = await textOf(this.texts, notes, from).catch(() => undefined);
      if (!now) continue;
      const lines = new Lines(now.text);
      for (const link of now.parsed.links) {
        if (leadsThere(from, link)) found.push(new vscode.Location(uri, lines.range(link.targetRange)));
      }
    }
    return found;
  }

  private placeOf(read: NoteText, link: NoteLink): { uri: vscode.Uri; line: number; title: string } | undefined {
    const target = read.notes.resolveLink(read, link);
    if (target.kind === 'file') return { uri: this.texts.uriOf(target), line: 0, title: target.file };
    if (target.kind === 'collection') {
      const { location, file, name } = target.collection;
      if (location === 'registry' || file === undefined) return undefined;
      return { uri: this.texts.uriOf({ space: location, file }), line: 0, title: name };
    }
    if (target.kind !== 'note') return undefined;
    const heading = link.section === undefined ? undefined : findSection(target.note.headings, link.section);
    return { uri: this.texts.uriOf(target.note), line: heading?.line ?? 0, title: target.note.title };
  }
}

/** The note that a place in a text means: where its link leads; in the front matter and beside links the note itself. */
export function meantNote(read: NoteText, offset: number): Note | undefined {
  const link = linkAt(read, offset);
  if (link) {
    const target = read.notes.resolveLink(read, link);
    return target.kind === 'note' ? target.note : undefined;
  }
  const isHead = offset < read.parsed.bodyStart || read.parsed.bodyStart === 0;
  return isHead ? ownNote(read) : undefined;
}

/** The note that is this file, as it was indexed. */
function ownNote({ notes, space, file }: NoteText): Note | undefined {
  return notes.notes(space).find((note) => note.file === file);
}
