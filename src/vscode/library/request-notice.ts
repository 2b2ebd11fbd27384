import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { DocumentRequest } from '../../library';
import type { Log } from '../log';
import { cut, withoutLinks } from '../messages';
import type { WorkspaceKnowledge } from '../workspace-knowledge';
import type { LibraryAtWork } from './library-at-work';
import { NOTIFY_SETTING } from './settings';
import { withTold } from './told-requests';

/** An agent that misses one document often misses another: what comes within this time is told of at once. */
const BATCH_MS = 1_500;
/** The ids of requests that the person was told of, in every window. */
const TOLD = 'kaizen.library.toldRequests';
const MOST_TOPIC = 200;

/**
 * Says, once for each, that a document is asked for: in the window that has the focus, of requests that came since it was
 * opened and that the person has not made. The badge of the view counts the rest. Nothing is opened to look.
 */
export class RequestNotice implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];
  /** What was asked for before is no news. */
  private readonly since = Date.now();
  private waiting: NodeJS.Timeout | undefined;
  private isShown = false;
  private isDisposed = false;

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly library: LibraryAtWork,
    private readonly state: vscode.Memento,
    private readonly log: Log,
  ) {
    this.disposables = [
      library.onDidChange(() => this.lookSoon()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.lookSoon();
      }),
    ];
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.waiting);
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private lookSoon(): void {
    if (this.isDisposed) return;
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      this.look().catch((error) => this.log.debug(describeError(error)));
    }, BATCH_MS);
  }

  private async look(): Promise<void> {
    const { atWork } = this.library;
    // One notification at a time, and one window: the others see the badge.
    if (this.isShown || !atWork || !vscode.window.state.focused || !isWanted()) return;
    const told = this.state.get<string[]>(TOLD, []);
    const open = await atWork.requests('open');
    const fresh = open.filter(
      ({ id, created_at, requested_by }) =>
        Date.parse(created_at) >= this.since && requested_by !== this.knowledge.person && !told.includes(id),
    );
    if (fresh.length === 0 || this.isShown) return;
    this.isShown = true;
    try {
      const ids = (requests: readonly DocumentRequest[]) => requests.map(({ id }) => id);
      await this.state.update(TOLD, withTold(told, ids(open), ids(fresh)));
      await tell(fresh);
    } finally {
      this.isShown = false;
      // What came while it was shown.
      this.lookSoon();
    }
  }
}

function isWanted(): boolean {
  return vscode.workspace.isTrusted && vscode.workspace.getConfiguration().get<unknown>(NOTIFY_SETTING) !== false;
}

async function tell(requests: readonly DocumentRequest[]): Promise<void> {
  const [request] = requests;
  const answer = vscode.l10n.t('Answer…');
  const show = vscode.l10n.t('Show');
  const notNow = vscode.l10n.t('Not Now');
  const isOne = requests.length === 1 && request !== undefined;
  const message = isOne
    ? announcement(request)
    : vscode.l10n.t('{0} documents are asked for.', requests.length.toLocaleString(vscode.env.language));
  const choice = await vscode.window.showInformationMessage(withoutLinks(message), isOne ? answer : show, notNow);
  if (choice === answer && isOne) await vscode.commands.executeCommand('kaizen.answerRequest', request.id);
  if (choice === show) await vscode.commands.executeCommand('kaizen.library.focus');
}

function announcement({ requested_by, topic, urgency }: DocumentRequest): string {
  const about = cut(topic, MOST_TOPIC);
  return urgency === 'blocking'
    ? vscode.l10n.t('{0} cannot go on without a document: {1}', requested_by, about)
    : vscode.l10n.t('{0} asks for a document: {1}', requested_by, about);
}
