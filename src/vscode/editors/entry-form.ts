import * as vscode from 'vscode';
import { type EntryMessage, type EntryRequest, entryRequest, type Row } from '../../../webview-ui/protocol/entry';
import { describeError } from '../../core/errors';
import { lineAt, parseEntryText } from '../../frontmatter';
import type { EntryKey } from '../../knowledge';
import { faultMessage } from '../documents/fault-messages';
import { compareRevision } from './compare';
import { readContent } from './content-passages';
import type { EditorContext } from './context';
import { applyEdits } from './document-edits';
import { editsFor, type FormValues, formValues } from './entry-edits';
import { revisionsOf, surroundingsOf, unknownSurroundings } from './entry-surroundings';
import { restoreRevision } from './restore';
import { WebviewHost } from './webview-host';

/** A page that does not answer must not keep the person from saving. */
const FLUSH_MILLISECONDS = 1_000;
/** Agents write in bursts. */
const FOLLOW_MILLISECONDS = 150;

/**
 * One form over one document. The document is the only truth: what the person does in the form becomes an edit of it,
 * and whatever changes it (typing in the text editor beside, undo, revert, the file system) comes back to the form.
 */
export class EntryForm implements vscode.Disposable {
  private readonly host: WebviewHost<typeof entryRequest, EntryMessage>;
  private readonly disposables: vscode.Disposable[];
  /** What the page has of the document, so that nothing is sent that it knows. */
  private known: { content?: string | undefined; rows?: Row[] | undefined } = {};
  /** Edits are made one after the other, each on what the one before left. */
  private edits: Promise<void> = Promise.resolve();
  private isEditing = false;
  private isReady = false;
  private historyIsOpen = false;
  private following: NodeJS.Timeout | undefined;
  private flushed: (() => void) | undefined;

  constructor(
    private readonly context: EditorContext,
    private readonly document: vscode.TextDocument,
    private readonly key: EntryKey,
    private readonly panel: vscode.WebviewPanel,
  ) {
    const { extensionUri, log, knowledge } = context;
    const onMessage = (message: EntryRequest) => this.receive(message);
    this.host = new WebviewHost({ panel, name: 'entry', extensionUri, log, incoming: entryRequest, onMessage });
    this.disposables = [
      this.host,
      vscode.workspace.onDidChangeTextDocument(({ document: changed, contentChanges }) => {
        if (changed === document && contentChanges.length > 0 && !this.isEditing) this.showDocument();
      }),
      vscode.workspace.onWillSaveTextDocument((event) => {
        if (event.document === document && panel.visible) event.waitUntil(this.flush());
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.follow()),
      knowledge.onDidChange(() => this.follow()),
      panel.onDidDispose(() => this.dispose()),
      // Hidden, the page is gone; it says `ready` again when it comes back.
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.isReady = false;
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.following);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async receive(message: EntryRequest): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.known = {};
        this.showDocument();
        return this.showSurroundings();
      case 'edit':
        return this.edit(message.version, message);
      case 'undo':
      case 'redo':
        await this.edits;
        await vscode.commands.executeCommand(message.type);
        return;
      case 'flushed':
        this.flushed?.();
        return;
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
    }
  }

  /** Makes the document say what the form says, and answers with what it says then. */
  private edit(version: number, values: FormValues): Promise<void> {
    this.known = { content: values.content ?? this.known.content, rows: values.rows ?? this.known.rows };
    const edited = this.edits.then(async () => {
      let isApplied = false;
      this.isEditing = true;
      try {
        // An edit of a document that has moved on is refused: the page makes it again on what there is now.
        if (version === this.document.version && this.isWritable()) {
          isApplied = await applyEdits(this.document, editsFor(this.document.getText(), values));
        }
      } finally {
        this.isEditing = false;
        this.showDocument(isApplied ? 'applied' : 'refused');
      }
    });
    // One that fails, and is told of, does not keep the next ones from being made.
    this.edits = edited.catch(() => undefined);
    return edited;
  }

  private isWritable(): boolean {
    return vscode.workspace.isTrusted;
  }

  private showDocument(answer?: 'applied' | 'refused'): void {
    if (!this.isReady) return;
    const text = this.document.getText();
    const entry = parseEntryText(text);
    const { content, rows: readRows } = formValues(entry);
    // Rows that cannot be read for the moment stay as they were, and cannot be edited.
    const rows = entry.faults.every(({ lossy }) => lossy) ? readRows : (this.known.rows ?? []);
    this.host.post({
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

  /** What stands around the entry, and its history, a moment after they changed. */
  private follow(): void {
    clearTimeout(this.following);
    this.following = setTimeout(() => {
      void this.showSurroundings();
      this.showRevisions().catch((error) => this.context.log.warn(String(error)));
    }, FOLLOW_MILLISECONDS);
  }

  /** Never throws: the page says why it knows nothing. */
  private async showSurroundings(): Promise<void> {
    if (!this.isReady) return;
    const { key } = this;
    const readOnly = !this.isWritable();
    try {
      const { knowledge } = await this.context.knowledge.parts();
      this.host.post(surroundingsOf(knowledge, key, { project: this.context.knowledge.project, readOnly }));
    } catch (error) {
      // The document is there all the same, such as one with unsaved changes in a window that was opened again.
      this.context.log.warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
      this.host.post(unknownSurroundings(key, { readOnly, problem: describeError(error) }));
    }
  }

  private async showRevisions(): Promise<void> {
    if (!this.isReady || !this.historyIsOpen) return;
    const { knowledge } = await this.context.knowledge.parts();
    this.host.post({ type: 'history', ...revisionsOf(knowledge, this.key) });
  }

  /** Has the page hand over what was typed and is not in the document yet. */
  private async flush(): Promise<void> {
    if (!this.isReady) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, FLUSH_MILLISECONDS);
      this.flushed = () => {
        clearTimeout(timer);
        resolve();
      };
      this.host.post({ type: 'flush' });
    });
    await this.edits;
  }

  private async openAsText(offset: number | undefined): Promise<void> {
    await this.edits;
    const at = offset === undefined ? undefined : this.document.positionAt(offset);
    await this.context.openAsText(this.document.uri, {
      preview: false,
      viewColumn: this.panel.viewColumn ?? vscode.ViewColumn.Active,
      ...(at && { selection: new vscode.Range(at, at) }),
    });
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
