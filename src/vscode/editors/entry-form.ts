import * as vscode from 'vscode';
import { type EntryMessage, type EntryRequest, entryRequest, type Row } from '../../../webview-ui/protocol/entry';
import { entryUri } from '../../core/knowledge-uri';
import { lineAt, parseEntryText } from '../../frontmatter';
import type { EntryKey } from '../../knowledge';
import { faultMessage } from '../documents/fault-messages';
import { errorInWords } from '../in-words';
import { compareRevision } from './compare';
import { readContent } from './content-passages';
import type { EditorContext } from './context';
import { type Answer, DocumentForm } from './document-form';
import { editsFor, type FormValues, formValues } from './entry-edits';
import { revisionsOf, surroundingsOf, unknownSurroundings } from './entry-surroundings';
import { doRating, ratingOf } from './rating';
import { restoreRevision } from './restore';

/** The form of an entry: its content, its metaknowledge, how its risks are read, and its history. */
export class EntryForm extends DocumentForm<typeof entryRequest, EntryMessage> {
  /** What the page has of the document, so that nothing is sent that it knows. */
  private known: { content?: string | undefined; rows?: Row[] | undefined } = {};
  private historyIsOpen = false;

  constructor(
    context: EditorContext,
    document: vscode.TextDocument,
    private readonly key: EntryKey,
    panel: vscode.WebviewPanel,
  ) {
    super({ context, document, panel, name: 'entry', incoming: entryRequest });
    this.disposables.push(context.learning.onDidChange(() => this.follow()));
  }

  protected async receive(message: EntryRequest): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.known = {};
        this.showDocument();
        return this.showSurroundings();
      case 'edit':
        return this.change(message.version, message);
      case 'undo':
      case 'redo':
        return this.undoOrRedo(message.type);
      case 'flushed':
        return this.hasFlushed();
      case 'history':
        this.historyIsOpen = message.open;
        return this.showRevisions();
      case 'openAsText':
        return this.openAsText(message.offset);
      case 'copyReference':
        await vscode.commands.executeCommand('kaizen.copyForAgent', { kind: 'entry', entry: this.key });
        return;
      case 'openEntry':
        return this.context.openEntry(message.key, { preview: true });
      case 'compare':
        return compareRevision(this.key, message.revision, message.with);
      case 'restore':
        return this.restore(message.revision);
      case 'rate':
      case 'takeBackRating':
      case 'explainScore':
        return doRating(entryUri(this.key), message);
    }
  }

  private change(version: number, values: FormValues): Promise<void> {
    this.known = { content: values.content ?? this.known.content, rows: values.rows ?? this.known.rows };
    return this.edit(version, () => editsFor(this.document.getText(), values));
  }

  protected override showDocument(answer?: Answer): void {
    if (!this.isReady) return;
    const text = this.document.getText();
    const entry = parseEntryText(text);
    const { content, rows: readRows } = formValues(entry);
    // Rows that cannot be read for the moment stay as they were, and cannot be edited.
    const rows = entry.faults.every(({ lossy }) => lossy) ? readRows : (this.known.rows ?? []);
    this.post({
      type: 'document',
      version: this.document.version,
      ...(answer && { answer }),
      ...(content !== this.known.content && { content }),
      ...(!isSame(rows, this.known.rows) && { rows }),
      ...readContent(content),
      faults: entry.faults.map((fault) => ({
        message: faultMessage(fault),
        line: lineAt(text, fault.range.start),
        offset: fault.range.start,
      })),
    });
    this.known = { content, rows };
  }

  /** What stands around the entry, and its history. */
  protected override async showSurroundings(): Promise<void> {
    if (!this.isReady) return;
    const { key } = this;
    const readOnly = !this.isWritable();
    try {
      const { knowledge } = await this.context.knowledge.parts();
      const around = surroundingsOf(knowledge, key, { project: this.context.knowledge.project, readOnly });
      this.post(around);
      await this.showRating(around.stored === 'stored');
      await this.showRevisions();
    } catch (error) {
      // The document is there all the same, such as one with unsaved changes in a window that was opened again.
      this.context.log.warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
      this.post(unknownSurroundings(key, { readOnly, problem: errorInWords(error) }));
    }
  }

  private async showRating(isStored: boolean): Promise<void> {
    const { learning } = this.context;
    const parts = await learning.start();
    this.post({ type: 'rating', ...(isStored && { rating: ratingOf(learning, parts, entryUri(this.key)) }) });
  }

  private async showRevisions(): Promise<void> {
    if (!this.isReady || !this.historyIsOpen) return;
    const { knowledge } = await this.context.knowledge.parts();
    this.post({ type: 'history', ...revisionsOf(knowledge, this.key) });
  }

  private async restore(revision: number): Promise<void> {
    await this.edits;
    await restoreRevision(this.context, this.key, revision);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Revision {0} is in the form now. Save to keep it, or undo to take it back.', revision),
    );
  }
}

function isSame(a: readonly Row[], b: readonly Row[] | undefined): boolean {
  return (
    a.length === b?.length && a.every(({ key, value }, index) => key === b[index]?.key && value === b[index].value)
  );
}
