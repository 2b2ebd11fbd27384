import * as vscode from 'vscode';
import { caretAt } from './caret';
import { type Choice, type Completion, completionsFor } from './completion-list';
import { noteSummary } from './note-preview';
import { type NoteTexts, rangeIn } from './note-texts';

/** What opens the list; letters go on with it. */
export const COMPLETION_TRIGGERS = ['[', '#', ':', ','];

const ICONS: Record<Choice['kind'], vscode.CompletionItemKind> = {
  note: vscode.CompletionItemKind.File,
  section: vscode.CompletionItemKind.Reference,
  space: vscode.CompletionItemKind.Folder,
  key: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.EnumMember,
  tag: vscode.CompletionItemKind.Keyword,
};

class NoteItem extends vscode.CompletionItem {
  constructor(
    label: vscode.CompletionItemLabel,
    readonly choice: Choice,
  ) {
    super(label, ICONS[choice.kind]);
  }
}

/** Completes links, their sections, and what the front matter may say. */
export class NoteCompletion implements vscode.CompletionItemProvider<NoteItem> {
  constructor(private readonly texts: NoteTexts) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionList<NoteItem> | undefined> {
    if (!this.texts.isNote(document)) return undefined;
    const caret = caretAt(document.getText(), document.offsetAt(position));
    const read = caret && (await this.texts.read(document));
    if (!read) return undefined;
    const head = read.text.slice(0, read.parsed.bodyStart);
    const present = new Set([...head.matchAll(/^([a-z_]+):/gm)].map(([, key]) => key!));
    const found = completionsFor(read.notes, read, caret, { headings: read.parsed.headings, present });
    // Ranked here, by id and title: the editor is to keep the order, and ask again for each letter.
    const isRanked = caret.kind === 'target' || (caret.kind === 'item' && caret.key !== 'tags');
    const items = found.choices.map((choice, index) => {
      const item = this.item(document, position, found, choice, isRanked);
      item.sortText = String(index).padStart(4, '0');
      return item;
    });
    return new vscode.CompletionList(items, found.isCut);
  }

  resolveCompletionItem(item: NoteItem): NoteItem {
    const { note } = item.choice;
    if (note) item.documentation = noteSummary(note);
    return item;
  }

  private item(
    document: vscode.TextDocument,
    position: vscode.Position,
    { from, to }: Completion,
    choice: Choice,
    isRanked: boolean,
  ): NoteItem {
    const { label, description } = choice;
    const item = new NoteItem(choice.kind === 'note' ? { label, description: description ?? '' } : { label }, choice);
    const replacing = rangeIn(document, { start: from, end: to });
    item.range = { inserting: replacing, replacing };
    item.insertText = choice.hasCaret ? new vscode.SnippetString(snippetOf(choice.text)) : choice.text;
    if (choice.kind !== 'note' && description) item.detail = description;
    if (choice.kind === 'note')
      item.detail = choice.space === 'user' ? vscode.l10n.t('Your notes') : vscode.l10n.t('Project notes');
    item.filterText = isRanked
      ? document.getText(new vscode.Range(replacing.start, position))
      : choice.text.trimStart();
    // The list goes on with what stands behind it: the notes of a space, the values of a field.
    if (choice.kind === 'space' || (choice.kind === 'key' && choice.hasCaret)) {
      item.command = { command: 'editor.action.triggerSuggest', title: '' };
    }
    return item;
  }
}

function snippetOf(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&').replace('|', '$0');
}
