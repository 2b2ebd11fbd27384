import * as vscode from 'vscode';
import type { Note, NoteLink } from '../../notes';
import { plain } from '../messages';
import { areLinksKnown } from './known-links';
import { collectionSummary, noteExcerpt, noteSummary } from './note-preview';
import { linkAt, type NoteText, type NoteTexts, rangeIn, textOf } from './note-texts';
import { sectionRange } from './sections';

/** Shows where a link leads, without going there. */
export class NoteHover implements vscode.HoverProvider {
  constructor(private readonly texts: NoteTexts) {}

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const read = await this.texts.read(document);
    const link = read && linkAt(read, document.offsetAt(position));
    if (!link) return undefined;
    const contents = await this.preview(read, link);
    return new vscode.Hover(contents, rangeIn(document, link.range));
  }

  private async preview(read: NoteText, link: NoteLink): Promise<vscode.MarkdownString[]> {
    const target = read.notes.resolveLink(read, link);
    switch (target.kind) {
      case 'note':
        return [noteSummary(target.note), ...(await this.excerpt(read, target.note, link.section))];
      case 'collection':
        return [collectionSummary(target.collection)];
      case 'registry':
        return [said(vscode.l10n.t('"{0}" in the registry, which is not asked for it.', target.zettel_id))];
      case 'file':
        return [said(target.file)];
      case 'broken':
        return [
          said(
            areLinksKnown(read.notes)
              ? vscode.l10n.t('No note is called "{0}".', link.target)
              : vscode.l10n.t('The notes are still being indexed.'),
          ),
        ];
    }
  }

  private async excerpt(read: NoteText, note: Note, section: string | undefined): Promise<vscode.MarkdownString[]> {
    try {
      const { text, parsed } = await textOf(this.texts, read.notes, note);
      const part = section === undefined ? undefined : sectionRange(text, parsed, section);
      if (section !== undefined && !part) {
        return [
          said(vscode.l10n.t('It has no section "{0}".', section)),
          noteExcerpt(text.slice(parsed.bodyStart), note.title),
        ];
      }
      return [noteExcerpt(part ? text.slice(part.start, part.end) : text.slice(parsed.bodyStart), note.title)];
    } catch {
      // Gone since it was indexed; what is known of it is said all the same.
      return [];
    }
  }
}

function said(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString(plain(text));
}
