import * as vscode from 'vscode';
import type { z } from 'zod';
import type { Splice } from '../../../webview-ui/protocol/text-splices';
import type { EditorContext } from './context';
import { applyEdits } from './document-edits';
import { WebviewHost, type WebviewName } from './webview-host';

/** A page that does not answer must not keep the person from saving. */
const FLUSH_MILLISECONDS = 1_000;
/** Agents write in bursts. */
const FOLLOW_MILLISECONDS = 150;

/** What the page is told of an edit: `refused` when it came too late. */
export type Answer = 'applied' | 'refused';

interface FormOptions<Requests extends z.ZodType> {
  context: EditorContext;
  document: vscode.TextDocument;
  panel: vscode.WebviewPanel;
  name: WebviewName;
  incoming: Requests;
}

/**
 * One form over one document. The document is the only truth: what the person does in the form becomes an edit of it,
 * and whatever changes it (typing in the text editor beside, undo, revert, the file system) comes back to the form.
 */
export abstract class DocumentForm<Requests extends z.ZodType, Message extends object> implements vscode.Disposable {
  protected readonly context: EditorContext;
  protected readonly document: vscode.TextDocument;
  protected readonly panel: vscode.WebviewPanel;
  protected isReady = false;
  protected readonly disposables: vscode.Disposable[];
  private readonly host: WebviewHost<Requests, Message | { type: 'flush' }>;
  /** Edits are made one after the other, each on what the one before left. */
  protected edits: Promise<void> = Promise.resolve();
  private isEditing = false;
  private following: NodeJS.Timeout | undefined;
  /** Who waits for the page to have handed over what was typed, in the order in which it was asked to. */
  private readonly flushing = new Set<() => void>();

  constructor({ context, document, panel, name, incoming }: FormOptions<Requests>) {
    this.context = context;
    this.document = document;
    this.panel = panel;
    const { extensionUri, log, knowledge } = context;
    const onMessage = (message: z.output<Requests>) => this.receive(message);
    this.host = new WebviewHost({ panel, name, extensionUri, log, incoming, onMessage });
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

  protected abstract receive(message: z.output<Requests>): unknown;

  /** Tells the page what the document says, and what became of the edit that it answers. */
  protected abstract showDocument(answer?: Answer): void;

  /** Tells the page what stands around the document, a moment after that changed. Never throws. */
  protected abstract showSurroundings(): unknown;

  protected post(message: Message): void {
    if (this.isReady) this.host.post(message);
  }

  protected isWritable(): boolean {
    return vscode.workspace.isTrusted;
  }

  /** Makes the document say what the form says, and answers with what it says then. */
  protected edit(version: number, splices: () => readonly Splice[] | Promise<readonly Splice[]>): Promise<void> {
    return this.inTurn(async () => {
      // An edit of a document that has moved on is refused: the page makes it again on what there is now.
      const isNow = () => version === this.document.version && this.isWritable();
      const made = isNow() ? await splices() : [];
      return isNow() && (await applyEdits(this.document, made)) ? 'applied' : 'refused';
    }, 'refused');
  }

  /** Changes the document without having been asked to by the page, which is told what it says then. */
  protected amend(splices: () => Promise<readonly Splice[]>): Promise<void> {
    return this.inTurn(async () => {
      const { version } = this.document;
      const made = await splices();
      if (version === this.document.version && this.isWritable()) await applyEdits(this.document, made);
      return undefined;
    });
  }

  private inTurn(work: () => Promise<Answer | undefined>, onFailure?: Answer): Promise<void> {
    const done = this.edits.then(async () => {
      let answer = onFailure;
      this.isEditing = true;
      try {
        answer = await work();
      } finally {
        this.isEditing = false;
        this.showDocument(answer);
      }
    });
    // One that fails, and is told of, does not keep the next ones from being made.
    this.edits = done.catch(() => undefined);
    return done;
  }

  protected async undoOrRedo(which: 'undo' | 'redo'): Promise<void> {
    await this.edits;
    await vscode.commands.executeCommand(which);
  }

  protected hasFlushed(): void {
    const [first] = this.flushing;
    first?.();
  }

  protected follow(): void {
    clearTimeout(this.following);
    this.following = setTimeout(() => void this.showSurroundings(), FOLLOW_MILLISECONDS);
  }

  protected async openAsText(offset: number | undefined): Promise<void> {
    await this.edits;
    const at = offset === undefined ? undefined : this.document.positionAt(offset);
    await this.context.openAsText(this.document.uri, {
      preview: false,
      viewColumn: this.panel.viewColumn ?? vscode.ViewColumn.Active,
      ...(at && { selection: new vscode.Range(at, at) }),
    });
  }

  /** Has the page hand over what was typed and is not in the document yet. */
  protected async flush(): Promise<void> {
    if (!this.isReady) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.flushing.delete(done);
        resolve();
      };
      const timer = setTimeout(done, FLUSH_MILLISECONDS);
      this.flushing.add(done);
      this.host.post({ type: 'flush' });
    });
    await this.edits;
  }
}
