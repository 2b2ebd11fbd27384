import * as vscode from 'vscode';
import { spliceBetween } from '../../../webview-ui/protocol/text-splices';
import { KaizenError } from '../../core/errors';
import { ENTRY_TYPES, type NoteLink, noteFormat } from '../../notes';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import { missingNote } from './missing-notes';
import { type NoteTexts, rangeIn } from './note-texts';

/** How often an edit is made anew for a text that goes on being typed. */
const MOST_TRIES = 20;

/** A link that leads nowhere: what it names, and as what. */
export type AskingLink = Pick<NoteLink, 'target' | 'location' | 'alias'>;

/** What the quick fixes do beyond an edit. */
export class NoteFixing {
  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly texts: NoteTexts,
  ) {}

  /**
   * Makes the note that a link of a document asks for, in the space that the link names or that it stands in, and has the
   * links to it lead there. Throws what `NotesPart.write` throws.
   */
  async createMissing(uri: vscode.Uri, link: AskingLink): Promise<vscode.Uri | undefined> {
    const document = await vscode.workspace.openTextDocument(uri);
    const read = await this.texts.read(document);
    if (!read) return undefined;
    const missing = missingNote(link, { file: read.file, ...read.parsed.fields });
    if (!missing || link.location === 'registry') throw noNote(link.target);
    const { author } = this.knowledge.change();
    const { input, target } = missing;
    const location = link.location ?? read.space;
    const content = `# ${input.title}\n`;
    const result = await read.notes.write({ action: 'create', location, input: { ...input, content } }, { author });
    if (target !== undefined) await this.point(document, link, target);
    const made = read.notes.note(location, input.zettel_id);
    if (result.action !== 'create' || !made) return undefined;
    return this.texts.uriOf(made);
  }

  /**
   * Has links name a note by its id, and look as they did. They may stand elsewhere by now, since writing took its time; and
   * somebody who goes on typing makes an edit that was meant for the text before void.
   */
  private async point(document: vscode.TextDocument, link: AskingLink, id: string): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const read = await this.texts.parse(document);
      if (!read) return;
      if (read.version !== document.version) continue;
      const edit = edited(document, read.parsed.links, link, id);
      if (edit.size === 0 || (await vscode.workspace.applyEdit(edit))) return;
    }
  }

  /** Puts a field into the front matter of a document, as an edit that can be undone. */
  async addField(uri: vscode.Uri, field: string, value: string): Promise<void> {
    this.knowledge.change();
    const document = await vscode.workspace.openTextDocument(uri);
    const changes = changesFor(field, value);
    if (!changes || !this.texts.isNote(document)) return;
    const { editFrontMatter } = await noteFormat();
    const text = document.getText();
    const splice = spliceBetween(text, editFrontMatter(text, changes));
    if (!splice) return;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, rangeIn(document, splice), splice.text);
    await vscode.workspace.applyEdit(edit);
  }
}

function edited(
  document: vscode.TextDocument,
  links: readonly NoteLink[],
  { target, location }: AskingLink,
  id: string,
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const link of links) {
    if (link.target !== target || link.location !== location) continue;
    edit.replace(document.uri, rangeIn(document, link.targetRange), id);
    // The alias stands behind the section.
    if (link.origin === 'wikilink' && link.alias === undefined) {
      edit.insert(document.uri, document.positionAt(link.range.end - 2), `|${target}`);
    }
  }
  return edit;
}

function changesFor(field: string, value: string) {
  if (field === 'zettel_id') return { zettel_id: value };
  if (field === 'title') return { title: value };
  const entry_type = ENTRY_TYPES.find((type) => type === value);
  return field === 'entry_type' && entry_type ? { entry_type } : undefined;
}

function noNote(target: string): KaizenError {
  return new KaizenError('invalid_argument', vscode.l10n.t('No note can be called "{0}".', target));
}
