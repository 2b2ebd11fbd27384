import * as vscode from 'vscode';
import {
  type DashboardDays,
  type DashboardMessage,
  type DashboardRequest,
  type DashboardState,
  dashboardRequest,
} from '../../../webview-ui/protocol/dashboard';
import type { Age, DashboardTab } from '../../../webview-ui/protocol/dashboard-reports';
import { isKaizenError } from '../../core/errors';
import type { HealthCode } from '../../learning';
import { errorInWords } from '../in-words';
import { LEARNING_SETTING } from '../learning';
import type { EditorContext } from './context';
import { DashboardReports, placeOf } from './dashboard-reports';
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
  exportLearning: 'kaizen.exportLearning',
  importLearning: 'kaizen.importLearning',
  openSettings: 'workbench.action.openSettings',
};

/** Commands that mend what health found; what is not named here is looked at in another part of the page. */
const MENDED_BY: Partial<Record<HealthCode, string>> = {
  library_unreachable: 'kaizen.showLibraryStatus',
  library_says: 'kaizen.library.focus',
  sources_failed: 'kaizen.library.focus',
  documents_asked_for: 'kaizen.answerRequest',
  base_problems: 'workbench.actions.view.problems',
  note_problems: 'workbench.actions.view.problems',
  projects_without_outcome: 'kaizen.captureOutcome',
};

/** What a sentence about a request may hold; longer questions are cut. */
const MAX_TOPIC = 200;
/** Of a keyword that is proposed. */
const KEYWORD_WORDS = 6;
const MAX_KEYWORD = 60;

export function fillDashboard(context: EditorContext, panel: vscode.WebviewPanel): PageContent<DashboardTab> {
  return new Dashboard(context, panel);
}

/** The extension's side of the dashboard: counts when the page asks and, as long as it is visible, after each change. */
class Dashboard implements PageContent<DashboardTab> {
  private readonly host: WebviewHost<typeof dashboardRequest, DashboardMessage>;
  private readonly disposables: vscode.Disposable[];
  private readonly reports: DashboardReports;
  private tab: DashboardTab = 'knowledge';
  /** What the person asked for and the page has not shown yet. */
  private wanted: DashboardTab | undefined;
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
    this.reports = new DashboardReports(
      context,
      () => panel.visible,
      (message) => this.host.post(message),
    );
    this.disposables = [
      this.host,
      this.reports,
      knowledge.onDidChange(() => this.outdate()),
      knowledge.onDidCountReads(() => this.outdate()),
    ];
  }

  show(tab: DashboardTab): void {
    // A page that is not drawn yet says when it is.
    this.wanted = tab;
    this.host.post({ type: 'show', tab });
  }

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
        if (this.wanted === undefined) await this.look(message);
        else this.host.post({ type: 'show', tab: this.wanted });
        break;
      case 'tab':
        this.wanted = undefined;
        await this.look(message);
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
      case 'openArtifact':
        await vscode.commands.executeCommand('kaizen.openArtifact', message.uri);
        break;
      case 'explain':
        await vscode.commands.executeCommand('kaizen.explainScore', message.uri);
        break;
      case 'mend': {
        const command = MENDED_BY[message.code];
        if (command) await vscode.commands.executeCommand(command);
        break;
      }
      case 'answer':
        await this.answer(message.by, message.query);
        break;
      case 'refresh':
        await vscode.commands.executeCommand('kaizen.refreshStalePages', message.sources);
        break;
      case 'run':
        await vscode.commands.executeCommand(
          ACTIONS[message.action],
          ...(message.action === 'openSettings' ? [LEARNING_SETTING] : []),
        );
        break;
    }
  }

  private async look({ tab, age }: { tab: DashboardTab; age: Age }): Promise<void> {
    this.tab = tab;
    await this.reports.show(tab === 'knowledge' ? undefined : { name: tab, age });
    if (tab === 'knowledge') await this.update();
  }

  /** Leads from a question to what may answer it the next time. */
  private async answer(by: Extract<DashboardRequest, { type: 'answer' }>['by'], query: string): Promise<void> {
    const topic = query.slice(0, MAX_TOPIC);
    switch (by) {
      case 'store':
        await vscode.commands.executeCommand('kaizen.storeKnowledge', {
          keyword: keywordOf(query),
          content: begunBy(query),
        });
        break;
      case 'web':
        await vscode.commands.executeCommand('kaizen.searchWebForLibrary', { topic, queries: [query] });
        break;
      case 'request': {
        const rationale = vscode.l10n.t('It was asked, and nothing was found: {0}', query);
        await vscode.commands.executeCommand('kaizen.requestDocument', { topic, rationale });
        break;
      }
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
    if (this.counting || !this.isOutdated || !this.panel.visible || this.tab !== 'knowledge') return;
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
      return { type: 'problem', message: errorInWords(error) };
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

/** Its words, as keywords are written; whoever stores it changes it. */
function keywordOf(query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, KEYWORD_WORDS).join('_').slice(0, MAX_KEYWORD);
}

/** The question stays in front of its answer: it is what will be asked again. */
function begunBy(query: string): string {
  return /[.?!:]$/.test(query) ? `${query} ` : `${query}: `;
}
