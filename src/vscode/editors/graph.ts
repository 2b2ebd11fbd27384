import * as vscode from 'vscode';
import { type GraphMessage, type GraphRequest, graphRequest } from '../../../webview-ui/protocol/graph';
import { isKaizenError } from '../../core/errors';
import type { NotesPart } from '../../notes';
import { errorInWords } from '../in-words';
import { entryTypeName, locationName, relationshipName } from '../views/note-words';
import { incomingRelationName } from '../views/relation-words';
import type { EditorContext } from './context';
import { graphState, MISSING, REGISTRY } from './graph-state';
import type { PageContent } from './single-page';
import { WebviewHost } from './webview-host';

/** Changes that come together are shown together. */
const GATHER_MS = 250;

const WORDS = {
  kind: entryTypeName,
  place: locationName,
  outgoing: relationshipName,
  incoming: incomingRelationName,
};

export function fillGraph(context: EditorContext, panel: vscode.WebviewPanel): PageContent<string> {
  return new NoteGraph(context, panel);
}

/**
 * The extension's side of the graph: sends what notes and their links are when the page asks and, as long as it is
 * visible, after each change.
 */
class NoteGraph implements PageContent<string> {
  private readonly host: WebviewHost<typeof graphRequest, GraphMessage>;
  private readonly disposables: vscode.Disposable[];
  private listening: { dispose(): void }[] = [];
  private listened: NotesPart | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isOutdated = true;
  /** Whether the page was there once. */
  private isDrawn = false;
  /** A node whose surroundings the page is to show once it is there. */
  private centre: string | undefined;

  constructor(
    private readonly context: EditorContext,
    private readonly panel: vscode.WebviewPanel,
  ) {
    const { knowledge, log, extensionUri } = context;
    this.host = new WebviewHost({
      panel,
      name: 'graph',
      extensionUri,
      log,
      incoming: graphRequest,
      onMessage: (message) => this.onMessage(message),
    });
    this.disposables = [
      this.host,
      panel.onDidChangeViewState(() => {
        if (panel.visible && this.isOutdated) this.outdate();
      }),
      // The stores were opened anew, and the notes with them.
      knowledge.onDidChange((topics) => {
        if (topics.has('*')) this.outdate();
      }),
    ];
  }

  /** @param id the address of a note: it is shown with its neighbours */
  show(id: string): void {
    this.centre = id;
    // A page that is thrown away while it is hidden, or not drawn yet, asks when it is.
    if (this.panel.visible && this.isDrawn) void this.send();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const disposable of [...this.listening, ...this.disposables]) disposable.dispose();
  }

  private async onMessage(message: GraphRequest): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.isDrawn = true;
        this.isOutdated = true;
        await this.send();
        break;
      case 'open':
        if (message.id.startsWith(REGISTRY)) await this.download(message.id.slice(REGISTRY.length));
        else await vscode.commands.executeCommand('kaizen.openNote', message.id);
        break;
      case 'create':
        if (message.id.startsWith(MISSING)) await this.create(message.id.slice(MISSING.length));
        break;
      case 'createFirst':
        await vscode.commands.executeCommand('kaizen.newNote');
        break;
    }
  }

  private async create(zettelId: string): Promise<void> {
    await vscode.commands.executeCommand('kaizen.newNote', { zettel_id: zettelId });
  }

  private async download(zettelId: string): Promise<void> {
    await vscode.commands.executeCommand('kaizen.downloadNote', zettelId);
  }

  private outdate(): void {
    this.isOutdated = true;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      // Nobody sees it: the page asks when it is back in view.
      if (this.panel.visible) void this.send();
    }, GATHER_MS);
  }

  /** Sends what has changed since, and which node is to be in the middle. */
  private async send(): Promise<void> {
    if (this.isOutdated) {
      this.isOutdated = false;
      const message = await this.message();
      this.host.post(message);
      // What went wrong may go right the next time that the page asks.
      if (message.type === 'problem') this.isOutdated = true;
    }
    if (this.centre === undefined) return;
    this.host.post({ type: 'select', id: this.centre });
    this.centre = undefined;
  }

  private async message(): Promise<GraphMessage> {
    try {
      const { notes } = await this.context.knowledge.parts();
      this.follow(notes);
      const writable = vscode.workspace.isTrusted;
      if (writable) notes.start();
      // In Restricted Mode nothing begins to be read.
      const isReading = writable && notes.spaces().some(({ state }) => state === 'indexing');
      const { centre } = this;
      return { type: 'state', state: graphState(notes.graph(), WORDS, { isReading, writable, centre }) };
    } catch (error) {
      if (!isKaizenError(error)) this.context.log.error(error instanceof Error ? error : String(error));
      return { type: 'problem', message: errorInWords(error) };
    }
  }

  private follow(notes: NotesPart): void {
    if (this.listened === notes) return;
    this.listened = notes;
    for (const each of this.listening) each.dispose();
    this.listening = [notes.onDidChange(() => this.outdate()), notes.onDidChangeState(() => this.outdate())];
  }
}
