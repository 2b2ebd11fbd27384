import * as vscode from 'vscode';
import {
  type DashboardDays,
  type DashboardMessage,
  type DashboardRequest,
  type DashboardState,
  dashboardRequest,
} from '../../../webview-ui/protocol/dashboard';
import { describeError, isKaizenError } from '../../core/errors';
import { parseEntryUri } from '../../core/knowledge-uri';
import type { EditorContext } from './context';
import type { PageContent } from './single-page';
import { WebviewHost } from './webview-host';

const STALE_DAYS = 180;
/** Entries of each list. */
const LISTED = 50;
const SESSIONS = 100;

/** Changes that come together are shown together. */
const GATHER_MS = 150;
/** From one count to the next: at least this, and so long that counting takes a small part of the time. */
const PAUSE_MS = 1_000;
const PAUSE_FACTOR = 5;

const ACTIONS: Record<Extract<DashboardRequest, { type: 'run' }>['action'], string> = {
  storeKnowledge: 'kaizen.storeKnowledge',
  logSession: 'kaizen.logSession',
  setUpProject: 'kaizen.setUpProject',
  reviewProposals: 'kaizen.reviewProposals',
};

/** Where a piece is, for a person: scope and category of an entry, base and file of a node. */
function placeOf(uri: string): string {
  const entry = parseEntryUri(uri);
  if (entry) return `${entry.scope_id} · ${entry.category}`;
  const [place = ''] = uri.replace(/^knowledge:\/\//, '').split('#');
  try {
    return decodeURIComponent(place);
  } catch {
    return place;
  }
}

export function fillDashboard(context: EditorContext, panel: vscode.WebviewPanel): PageContent<never> {
  return new Dashboard(context, panel);
}

/** The extension's side of the dashboard: counts when the page asks and, as long as it is visible, after each change. */
class Dashboard implements PageContent<never> {
  private readonly host: WebviewHost<typeof dashboardRequest, DashboardMessage>;
  private readonly disposables: vscode.Disposable[];
  private days: DashboardDays = 90;
  /** What the page shows, or would show if it was visible. */
  private shown: DashboardMessage | undefined;
  private isOutdated = true;
  private counting = false;
  private timer: NodeJS.Timeout | undefined;
  private notBefore = 0;

  constructor(
    private readonly context: EditorContext,
    private readonly panel: vscode.WebviewPanel,
  ) {
    const { knowledge, log, extensionUri } = context;
    this.host = new WebviewHost({
      panel,
      name: 'dashboard',
      extensionUri,
      log,
      incoming: dashboardRequest,
      onMessage: (message) => this.onMessage(message),
    });
    this.disposables = [
      this.host,
      knowledge.onDidChange(() => this.outdate()),
      knowledge.onDidCountReads(() => this.outdate()),
    ];
  }

  show(): void {}

  dispose(): void {
    clearTimeout(this.timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async onMessage(message: DashboardRequest): Promise<void> {
    switch (message.type) {
      case 'ready':
        // A page that comes back into view is drawn at once with what is known.
        if (this.shown && this.days === message.days) this.host.post(this.shown);
        if (!this.shown || this.days !== message.days) this.isOutdated = true;
        this.days = message.days;
        await this.update();
        break;
      case 'range':
        this.days = message.days;
        this.isOutdated = true;
        await this.update();
        break;
      case 'open':
        await this.context.openEntry(message.entry);
        break;
      case 'openPiece':
        await vscode.commands.executeCommand('kaizen.openNode', message.uri);
        break;
      case 'run':
        await vscode.commands.executeCommand(ACTIONS[message.action]);
        break;
    }
  }

  private outdate(): void {
    this.isOutdated = true;
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        void this.update();
      },
      Math.max(GATHER_MS, this.notBefore - performance.now()),
    );
  }

  /** Counts anew if something has changed since, unless nobody sees it: the page asks when it is back in view. */
  private async update(): Promise<void> {
    if (this.counting || !this.isOutdated || !this.panel.visible) return;
    this.counting = true;
    const began = performance.now();
    try {
      while (this.isOutdated && !this.host.isDisposed) {
        this.isOutdated = false;
        const { days } = this;
        this.shown = await this.count(days);
        // A range that was chosen meanwhile is counted at once.
        if (days !== this.days) this.isOutdated = true;
        else break;
      }
    } finally {
      this.counting = false;
    }
    if (this.host.isDisposed) return;
    const took = performance.now() - began;
    this.notBefore = performance.now() + Math.max(PAUSE_MS, PAUSE_FACTOR * took);
    if (this.shown && this.panel.visible) this.host.post(this.shown);
    if (this.isOutdated) this.outdate();
    // What went wrong may go right the next time that the page asks.
    if (this.shown?.type === 'problem') this.isOutdated = true;
  }

  private async count(days: DashboardDays): Promise<DashboardMessage> {
    try {
      return { type: 'state', state: await this.state(days) };
    } catch (error) {
      if (!isKaizenError(error)) this.context.log.error(error instanceof Error ? error : String(error));
      return { type: 'problem', message: describeError(error) };
    }
  }

  private async state(days: DashboardDays): Promise<DashboardState> {
    const parts = await this.context.knowledge.parts();
    const { knowledge, continuity } = parts;
    const statistics = await knowledge.statistics({ days, stale_days: STALE_DAYS, limit: LISTED });
    const current = this.context.knowledge.project;
    const scope = knowledge.listScopes().find(({ scope_id, tier }) => scope_id === current && tier === 'PROJECT');
    return {
      counted_at: new Date().toISOString(),
      days,
      stale_days: STALE_DAYS,
      project: scope ? { scope_id: scope.scope_id, name: scope.name } : null,
      statistics,
      usage: parts.discovery.usage(LISTED).map((used) => ({ ...used, place: placeOf(used.uri) })),
      sessions: scope ? continuity.getSessionHistory(scope.scope_id, SESSIONS) : [],
      pending: parts.review.proposals().length,
      writable: vscode.workspace.isTrusted,
    };
  }
}
