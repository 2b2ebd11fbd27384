import * as vscode from 'vscode';
import {
  type CoverageMessage,
  type CoverageRequestMessage,
  type CoverageState,
  type CoverageSubject,
  coverageRequest,
} from '../../../webview-ui/protocol/coverage';
import { isKaizenError } from '../../core/errors';
import { errorInWords } from '../in-words';
import type { EditorContext } from './context';
import type { PageContent } from './single-page';
import { WebviewHost } from './webview-host';

/** What changes together, as when a folder is added, is looked at once. */
const GATHER_MS = 1_000;

export function fillCoverage(context: EditorContext, panel: vscode.WebviewPanel): PageContent<CoverageSubject> {
  return new CoverageReport(context, panel);
}

/**
 * The extension's side of the coverage report: assesses what the page asks for and, as long as it is visible, again when
 * the library has changed. What it recommends is done by commands, which ask before anything leaves the machine.
 */
class CoverageReport implements PageContent<CoverageSubject> {
  private readonly host: WebviewHost<typeof coverageRequest, CoverageMessage>;
  private readonly disposables: vscode.Disposable[];
  private subject: CoverageSubject | undefined;
  private running: AbortController | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isDrawn = false;
  private isOutdated = true;

  constructor(
    private readonly context: EditorContext,
    private readonly panel: vscode.WebviewPanel,
  ) {
    const { library, log, extensionUri } = context;
    this.host = new WebviewHost({
      panel,
      name: 'coverage',
      extensionUri,
      log,
      incoming: coverageRequest,
      onMessage: (message) => this.onMessage(message),
    });
    this.disposables = [
      this.host,
      library.onDidChange(() => this.outdate()),
      panel.onDidChangeViewState(() => {
        if (panel.visible && this.isOutdated) this.outdate();
      }),
    ];
  }

  show(subject: CoverageSubject): void {
    this.subject = subject;
    this.isOutdated = true;
    // A page that is not drawn yet asks when it is.
    if (this.isDrawn && this.panel.visible) void this.assess();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async onMessage(message: CoverageRequestMessage): Promise<void> {
    const run = (command: string, ...values: unknown[]) => vscode.commands.executeCommand(command, ...values);
    switch (message.type) {
      case 'ready':
        this.isDrawn = true;
        // What the person asked for just now wins over what the page showed before.
        this.subject ??= message.subject;
        await this.assess();
        break;
      case 'assess':
        this.subject = message.subject;
        await this.assess();
        break;
      case 'open':
        await run('kaizen.openLibrarySource', message.uri);
        break;
      case 'searchWeb':
        await run('kaizen.searchWebForLibrary', { topic: message.topic, queries: message.queries, urls: message.urls });
        break;
      case 'add':
        await run('kaizen.addToLibrary');
        break;
      case 'request':
        await run('kaizen.requestDocument', {
          topic: message.topic,
          rationale: message.rationale,
          document_type: message.document_type,
          example_documents: message.examples,
        });
        break;
    }
  }

  private outdate(): void {
    this.isOutdated = true;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      // Nobody sees it: the page asks when it is back in view.
      if (this.panel.visible && this.isDrawn) void this.assess(false);
    }, GATHER_MS);
  }

  /** @param isAsked the person waits for it, so the page says that it is being looked at */
  private async assess(isAsked = true): Promise<void> {
    this.isOutdated = false;
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    const { subject } = this;
    if (subject && isAsked) this.host.post({ type: 'assessing', subject });
    const message = await this.message(subject, running.signal);
    // Another one is asked for by now.
    if (running.signal.aborted) return;
    this.host.post(message);
    // What went wrong may go right the next time.
    if (message.type === 'problem') this.isOutdated = true;
  }

  private async message(subject: CoverageSubject | undefined, signal: AbortSignal): Promise<CoverageMessage> {
    try {
      const part = await this.context.library.start();
      if (!subject) return { type: 'empty', documents: (await part.stats()).documents };
      const result = await this.result(subject, signal);
      const { documents } = part.state;
      return { type: 'state', state: { subject, result, documents, writable: vscode.workspace.isTrusted } };
    } catch (error) {
      if (!isKaizenError(error) && !signal.aborted) {
        this.context.log.error(error instanceof Error ? error : String(error));
      }
      return { type: 'problem', message: errorInWords(error) };
    }
  }

  private async result(subject: CoverageSubject, signal: AbortSignal): Promise<CoverageState['result']> {
    const part = await this.context.library.start();
    if (subject.kind === 'topic') {
      const { topic, depth, authority, recency, workflow } = subject;
      const assessment = await part.assessCoverage({
        topic,
        required_depth: depth,
        required_authority: authority,
        recency_requirement: recency,
        workflow_context: workflow,
        signal,
      });
      return { kind: 'topic', assessment };
    }
    const { workflow, description, topics, standards } = subject;
    const preflight = await part.preflight({
      workflow_type: workflow,
      workflow_description: description,
      ...(topics?.length ? { key_topics: topics } : {}),
      ...(standards?.length ? { required_standards: standards } : {}),
      signal,
    });
    return { kind: 'workflow', preflight };
  }
}
