import * as vscode from 'vscode';
import {
  type RelationsMessage,
  type RelationsRequest,
  type RelationsSubject,
  type RelationsView,
  relationsRequest,
} from '../../../webview-ui/protocol/relations';
import { MOST_DETAILS } from '../../../webview-ui/protocol/relations-limits';
import { describeError, isKaizenError } from '../../core/errors';
import { errorInWords } from '../in-words';
import { END_KINDS, endKindName, incomingRelationName, provenanceName, relationName } from '../views/relation-words';
import type { EditorContext } from './context';
import { type RelationWords, relationDetails, relationsState } from './relations-state';
import type { PageContent } from './single-page';
import { WebviewHost } from './webview-host';

/** Changes that come together are shown together. */
const GATHER_MS = 250;

export function fillRelations(context: EditorContext, panel: vscode.WebviewPanel): PageContent<RelationsSubject> {
  return new RelationsGraph(context, panel);
}

/**
 * The extension's side of the graph of relations: sends what a view shows when the page asks and, as long as it is
 * visible, after each change. What is opened, added, removed or chosen is done by commands.
 */
class RelationsGraph implements PageContent<RelationsSubject> {
  private readonly host: WebviewHost<typeof relationsRequest, RelationsMessage>;
  private readonly disposables: vscode.Disposable[];
  private readonly words: RelationWords = {
    kinds: END_KINDS.map((id) => ({ id, name: endKindName(id) })),
    outgoing: relationName,
    incoming: incomingRelationName,
    provenance: provenanceName,
  };
  private running: AbortController | undefined;
  private timer: NodeJS.Timeout | undefined;
  private subject: RelationsSubject | undefined;
  private view: RelationsView | undefined;
  /** What the page has: the same is not drawn again. */
  private sent: string | undefined;
  /** Whose relations the page tells, one by one. */
  private detailed: string | undefined;
  private isDrawn = false;
  private isOutdated = false;

  constructor(
    private readonly context: EditorContext,
    private readonly panel: vscode.WebviewPanel,
  ) {
    const { learning, log, extensionUri } = context;
    this.host = new WebviewHost({
      panel,
      name: 'relations',
      extensionUri,
      log,
      incoming: relationsRequest,
      onMessage: (message) => this.onMessage(message),
    });
    this.disposables = [
      this.host,
      learning.onDidChange(() => this.outdate()),
      panel.onDidChangeViewState(() => {
        // A hidden page is thrown away.
        this.isDrawn &&= panel.visible;
        if (panel.visible && this.isOutdated) this.outdate();
      }),
    ];
  }

  show(subject: RelationsSubject): void {
    this.subject = subject;
    // A page that is thrown away while it is hidden, or not drawn yet, asks when it is.
    if (this.panel.visible && this.isDrawn) this.begin();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async onMessage(message: RelationsRequest): Promise<void> {
    const run = vscode.commands.executeCommand;
    switch (message.type) {
      case 'ready':
        this.isDrawn = true;
        this.begin();
        break;
      case 'look':
        this.view = message.view;
        // Until it looks there, it may not have heard: what is said to a page that is being drawn is lost.
        if (message.view.start === this.subject?.start) this.subject = undefined;
        this.sent = undefined;
        await this.send();
        break;
      case 'details':
        this.detailed = message.id;
        await this.sendDetails(message.id);
        break;
      case 'open':
        await run('kaizen.openArtifact', message.id);
        break;
      case 'choose':
        await run('kaizen.openRelations');
        break;
      case 'way':
        await run('kaizen.openRelations', message.id, { way: true });
        break;
      case 'add':
        await run('kaizen.addRelation', message.id);
        break;
      case 'remove':
        await run('kaizen.removeRelation', { relation: message.id });
        break;
    }
  }

  private begin(): void {
    this.host.post({ type: 'begin', subject: this.subject });
  }

  private outdate(): void {
    this.isOutdated = true;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      // Nobody sees it: the page asks when it is back in view.
      if (!this.panel.visible) return;
      void this.send();
      if (this.detailed !== undefined) void this.sendDetails(this.detailed);
    }, GATHER_MS);
  }

  private async send(): Promise<void> {
    const { view } = this;
    if (!view) return;
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.isOutdated = false;
    const message = await this.message(view, running.signal);
    // Something else was asked for meanwhile.
    if (running.signal.aborted) return;
    const text = JSON.stringify(message);
    if (text === this.sent) return;
    this.sent = text;
    this.host.post(message);
  }

  private async message(view: RelationsView, signal: AbortSignal): Promise<RelationsMessage> {
    try {
      const { relations } = await this.context.learning.start();
      const { isTrusted: writable } = vscode.workspace;
      return { type: 'state', state: await relationsState(relations, view, this.words, { writable, signal }) };
    } catch (error) {
      const isExpected = isKaizenError(error) || signal.aborted;
      if (!isExpected) this.context.log.error(error instanceof Error ? error : String(error));
      return { type: 'problem', message: errorInWords(error) };
    }
  }

  private async sendDetails(id: string): Promise<void> {
    try {
      const { relations } = await this.context.learning.start();
      this.host.post({ type: 'details', id, ...(await relationDetails(relations, id, this.words, MOST_DETAILS)) });
    } catch (error) {
      // The state says what is wrong, in the page.
      this.context.log.warn(describeError(error));
    }
  }
}
