import * as vscode from 'vscode';
import { isKaizenError } from '../core/errors';
import type { ResolvedEntry } from '../knowledge';
import type { Log } from './log';
import { byGravity, levelsOf, riskCount } from './risk-signs';
import { follow, touchedBy } from './views';
import type { WorkspaceKnowledge } from './workspace-knowledge';

/** A tooltip does not scroll. */
const SHOWN_ENTRIES = 10;

/** Counting the risks of very much knowledge takes a while: not more often than this. */
const PAUSE_MS = 400;

/** The project's scope, how many risks hold for it, and how many changes wait for the person. */
export class ProjectStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('kaizen.project', vscode.StatusBarAlignment.Left, 10);
  private readonly disposables: vscode.Disposable[];
  /** The scopes that the project inherits from, itself included; none until it was read. */
  private chain: ReadonlySet<string> = new Set();
  /** Counts the updates, of which the last one counts. */
  private turn = 0;

  constructor(
    private readonly knowledge: WorkspaceKnowledge,
    private readonly log: Log,
  ) {
    this.item.name = vscode.l10n.t('Kaizen Project');
    this.showPlain();
    this.item.show();
    const changes = follow(
      knowledge.onDidChange,
      (topics) => {
        const { scopes, proposals, entriesOf } = touchedBy(topics);
        if (scopes || proposals || [...entriesOf].some((id) => this.chain.has(id))) void this.update();
      },
      PAUSE_MS,
    );
    this.disposables = [this.item, changes];
  }

  /** Reads the stores; called once they are open or known to exist. */
  async update(): Promise<void> {
    const turn = ++this.turn;
    try {
      const project = this.knowledge.project;
      const { knowledge, review } = await this.knowledge.parts();
      const defined = knowledge.listScopes().some(({ scope_id, tier }) => scope_id === project && tier === 'PROJECT');
      if (!project || !defined) {
        this.showPlain();
        return;
      }
      this.chain = new Set(knowledge.chain(project).map(({ id }) => id));
      const risky = [...(await knowledge.gatherRisks(project))].sort(byGravity);
      // What changed meanwhile has been asked for anew.
      if (turn === this.turn) this.show(project, risky, review.proposals().length);
    } catch (error) {
      if (!isKaizenError(error)) this.log.error(String(error));
      this.showPlain();
    }
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private show(project: string, risky: readonly ResolvedEntry[], proposals: number): void {
    const count = risky.reduce((sum, { risks }) => sum + risks.length, 0);
    const risks = riskCount(count);
    const sign = `$(${count > 0 ? 'shield' : 'lightbulb'})`;
    const waiting = proposals === 0 ? '' : ` $(inbox) ${proposals.toLocaleString(vscode.env.language)}`;
    this.item.text = `${sign} ${project}: ${risks}${waiting}`;
    const title = [vscode.l10n.t('Kaizen project {0}', project), risks].join(', ');
    const tooltip = new vscode.MarkdownString(undefined, true);
    tooltip.appendText(`${title}\n`);
    for (const { keyword, risks } of risky.slice(0, SHOWN_ENTRIES)) {
      tooltip.appendMarkdown('\n- ').appendText(`${levelsOf(risks).join(', ')}: ${keyword}`);
    }
    const more = risky.length - SHOWN_ENTRIES;
    if (more > 0)
      tooltip
        .appendMarkdown('\n- ')
        .appendText(vscode.l10n.t('and {0} more', more.toLocaleString(vscode.env.language)));
    if (proposals > 0) tooltip.appendMarkdown('\n\n').appendText(proposalCount(proposals));
    this.item.tooltip = tooltip;
    const spoken = proposals > 0 ? [title, proposalCount(proposals)] : [title];
    this.item.accessibilityInformation = { label: spoken.join(', ') };
    this.item.command = 'kaizen.knowledge.focus';
  }

  private showPlain(): void {
    const { project } = this.knowledge;
    this.chain = new Set();
    this.item.text = '$(lightbulb) Kaizen';
    if (!vscode.workspace.isTrusted) {
      this.item.tooltip = vscode.l10n.t('Kaizen: in Restricted Mode nothing is written, and agents get no tools');
      this.item.command = 'workbench.trust.manage';
    } else if (project) {
      this.item.tooltip = vscode.l10n.t('Kaizen: set up the project "{0}"', project);
      this.item.command = 'kaizen.setUpProject';
    } else {
      this.item.tooltip = vscode.l10n.t('Kaizen: open a folder to have a project');
      this.item.command = 'kaizen.knowledge.focus';
    }
    this.item.accessibilityInformation = { label: this.item.tooltip };
  }
}

function proposalCount(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 proposed change waits for your review')
    : vscode.l10n.t('{0} proposed changes wait for your review', count.toLocaleString(vscode.env.language));
}
