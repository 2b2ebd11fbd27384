import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-progress-ring/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import '@vscode-elements/elements/dist/vscode-tab-header/index.js';
import '@vscode-elements/elements/dist/vscode-tab-panel/index.js';
import '@vscode-elements/elements/dist/vscode-tabs/index.js';
import '../charts';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { EntryKey } from '../../src/knowledge/model';
import type { DashboardDays, DashboardMessage, DashboardRequest, DashboardState } from '../protocol/dashboard';
import {
  type Age,
  DASHBOARD_TABS,
  type DashboardReport,
  type DashboardTab,
  type ReportName,
} from '../protocol/dashboard-reports';
import { formatLocalDay, formatLocalTime } from '../shared/formats';
import { connect } from '../shared/host';
import { t } from '../shared/l10n';
import { activityFigure } from './activity';
import { askedReport } from './asked';
import { categoriesFigure, risksFigure, tiersFigure } from './distribution';
import { entryList } from './entry-list';
import { healthReport } from './health';
import { helpedReport } from './helped';
import { keyFigures } from './key-figures';
import { oldReport } from './old';
import type { ReportUse } from './report';
import { sessionsFigure } from './sessions';
import { usageTable } from './usage';

/** What is kept when the page is hidden or the window reloaded. */
interface Kept {
  tab: DashboardTab;
  days: DashboardDays;
  age: Age;
  scroll: number;
  /** Names of lists. */
  unfolded: string[];
}

function titleOf(tab: DashboardTab): string {
  switch (tab) {
    case 'knowledge':
      return t('Knowledge');
    case 'health':
      return t('Health');
    case 'asked':
      return t('What Agents Ask');
    case 'old':
      return t('What Is Old');
    case 'helped':
      return t('What Helped');
  }
}

/** Nothing is shown for this long, so that a quick answer is not preceded by a flash. */
const PATIENCE_MS = 400;
const SCROLL_PAUSE_MS = 200;

const host = connect<DashboardRequest, DashboardMessage, Kept>();

/** The whole page. */
@customElement('kaizen-dashboard')
export class Dashboard extends LitElement {
  @state() private shown: DashboardState | undefined;
  @state() private reports: Partial<Record<ReportName, DashboardReport>> = {};
  @state() private problem: string | undefined;
  @state() private tab: DashboardTab = host.state().tab ?? 'knowledge';
  @state() private days: DashboardDays = host.state().days ?? 90;
  @state() private age: Age = host.state().age ?? 365;
  @state() private unfolded: readonly string[] = host.state().unfolded ?? [];
  @state() private isLate = false;
  private restoredScroll: number | undefined = host.state().scroll;
  private patience: number | undefined;

  /** What the reports do. */
  private readonly use: ReportUse = {
    post: (message) => host.post(message),
    go: (tab) => this.show(tab),
    isUnfolded: (list) => this.unfolded.includes(list),
    unfold: (list) => this.unfold(list),
  };

  /** The page's own style sheet is for it. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    host.onMessage((message) => this.receive(message));
    this.ask('ready');
    let pause: number | undefined;
    window.addEventListener('scroll', () => {
      window.clearTimeout(pause);
      pause = window.setTimeout(() => host.keep({ scroll: window.scrollY }), SCROLL_PAUSE_MS);
    });
  }

  protected override updated(): void {
    if (!this.isThere || this.restoredScroll === undefined) return;
    const { restoredScroll } = this;
    this.restoredScroll = undefined;
    // The charts take their place once they know their width.
    requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo(0, restoredScroll)));
  }

  override render(): TemplateResult {
    return html`<main>
      <h1>${t('Knowledge Dashboard')}</h1>
      <vscode-tabs .selectedIndex=${DASHBOARD_TABS.indexOf(this.tab)} @vsc-tabs-select=${this.select}>
        ${DASHBOARD_TABS.map((tab) => html`<vscode-tab-header slot="header">${titleOf(tab)}</vscode-tab-header>`)}
        ${DASHBOARD_TABS.map(
          (tab) =>
            html`<vscode-tab-panel class="part" data-part=${tab}
              >${tab === this.tab ? this.content(tab) : nothing}</vscode-tab-panel
            >`,
        )}
      </vscode-tabs>
    </main>`;
  }

  private content(tab: DashboardTab): TemplateResult {
    return html`${this.problem ? this.trouble(this.problem) : nothing}${
      tab === 'knowledge' ? (this.shown ? this.page(this.shown) : this.waiting()) : this.report(this.reports[tab])
    }`;
  }

  private report(report: DashboardReport | undefined): TemplateResult {
    switch (report?.name) {
      case 'health':
        return healthReport(report, this.use);
      case 'asked':
        return askedReport(report, this.use);
      case 'old':
        return oldReport(report, this.use, (age) => this.chooseAge(age));
      case 'helped':
        return helpedReport(report, this.use);
      default:
        return this.waiting();
    }
  }

  /** Whether there is something to be seen of what is shown. */
  private get isThere(): boolean {
    return (this.tab === 'knowledge' ? this.shown : this.reports[this.tab]) !== undefined;
  }

  private ask(type: 'ready' | 'tab'): void {
    const { tab, age, days } = this;
    host.post(type === 'ready' ? { type, days, tab, age } : { type, tab, age });
    this.isLate = false;
    window.clearTimeout(this.patience);
    this.patience = window.setTimeout(() => {
      this.isLate = true;
    }, PATIENCE_MS);
  }

  private select(event: CustomEvent<{ selectedIndex: number }>): void {
    const tab = DASHBOARD_TABS[event.detail.selectedIndex] ?? 'knowledge';
    if (tab !== this.tab) this.show(tab);
  }

  private show(tab: DashboardTab): void {
    if (tab !== this.tab) {
      this.tab = tab;
      this.problem = undefined;
      this.restoredScroll = undefined;
      host.keep({ tab, scroll: 0 });
      window.scrollTo(0, 0);
    }
    this.ask('tab');
  }

  private chooseAge(age: Age): void {
    if (age === this.age) return;
    this.age = age;
    host.keep({ age });
    this.ask('tab');
  }

  private receive(message: DashboardMessage): void {
    switch (message.type) {
      case 'show':
        this.show(message.tab);
        break;
      case 'problem':
        if (this.tab === 'knowledge') this.problem = message.message;
        break;
      case 'reportProblem':
        if (this.tab === message.name) this.problem = message.message;
        break;
      case 'report':
        this.reports = { ...this.reports, [message.report.name]: message.report };
        if (this.tab === message.report.name) this.problem = undefined;
        break;
      case 'state':
        this.shown = message.state;
        if (this.tab === 'knowledge') this.problem = undefined;
        break;
    }
  }

  private trouble(problem: string): TemplateResult {
    return html`<div class="problem" role="alert">
      <p>${problem}</p>
      <vscode-button secondary @click=${() => this.ask('ready')}>${t('Try Again')}</vscode-button>
    </div>`;
  }

  private waiting(): TemplateResult {
    const isWaiting = this.isLate && !this.problem;
    return html`<div class="waiting">${
      isWaiting ? html`<vscode-progress-ring aria-label=${t('Counting…')}></vscode-progress-ring>` : ''
    }</div>`;
  }

  private page(state: DashboardState): TemplateResult {
    const { statistics, counted_at, project } = state;
    const entries = statistics.tiers.reduce((sum, tier) => sum + tier.entries, 0);
    const when = t('As of {0}', formatLocalTime(counted_at));
    return html`
      <p class="caption">${project ? html`${project.name} · ${when}` : when}</p>
      ${entries === 0 ? this.welcome(state) : keyFigures(state, () => host.post({ type: 'run', action: 'reviewProposals' }))}
      <div class="grid">
        ${
          entries > 0 || statistics.activity.length > 0
            ? activityFigure(statistics, { days: state.days, until: counted_at, choose: (days) => this.choose(days) })
            : ''
        }
        ${
          entries > 0
            ? html`${categoriesFigure(statistics)}${tiersFigure(statistics)}${risksFigure(statistics)}${this.lists(state)}`
            : ''
        }
        ${
          entries > 0 || state.usage.length > 0
            ? usageTable({
                usage: state.usage,
                unfolded: this.unfolded.includes('usage'),
                unfold: () => this.unfold('usage'),
                open: (uri) => host.post({ type: 'openPiece', uri }),
              })
            : ''
        }
        ${sessionsFigure(state, {
          unfolded: this.unfolded.includes('sessions'),
          unfold: () => this.unfold('sessions'),
          run: (action) => host.post({ type: 'run', action }),
        })}
      </div>
    `;
  }

  private welcome({ writable }: DashboardState): TemplateResult {
    return html`<section class="card welcome">
      <h2>${t('No knowledge yet')}</h2>
      <p>${t(
        'Store the first rule that your team learned the hard way: what to do, why, and what happened the last time. Agents get it before they start, and this page shows how the knowledge grows and what needs care.',
      )}</p>
      ${
        writable
          ? html`<vscode-button @click=${() => host.post({ type: 'run', action: 'storeKnowledge' })}
              >${t('Store Knowledge…')}</vscode-button
            >`
          : ''
      }
    </section>`;
  }

  private lists({ statistics, stale_days }: DashboardState): TemplateResult {
    const { stale, stale_count, never_read, never_read_count, reads_since } = statistics;
    const open = (entry: EntryKey) => host.post({ type: 'open', entry });
    const stateOf = (list: 'stale' | 'neverRead') => ({
      unfolded: this.unfolded.includes(list),
      unfold: () => this.unfold(list),
      open,
    });
    return html`
      ${entryList({
        ...stateOf('stale'),
        heading: t('Stale Entries'),
        caption: t('Not changed for {0} days. Do they still hold?', stale_days),
        entries: stale,
        count: stale_count,
        whenEmpty: t('Nothing is stale: every entry was changed within the last {0} days.', stale_days),
      })}
      ${entryList({
        ...stateOf('neverRead'),
        heading: t('Never Read'),
        caption: reads_since
          ? t('Given to no agent since {0}. Are they easy to find?', formatLocalDay(reads_since))
          : t('What agents were given is counted from the first time that one asks.'),
        entries: never_read,
        count: never_read_count,
        whenEmpty: reads_since
          ? t('Agents were given every entry since {0}.', formatLocalDay(reads_since))
          : t(
              'Nothing was counted yet. Once an agent has asked Kaizen for knowledge, entries that none was given are listed here.',
            ),
      })}
    `;
  }

  private choose(days: DashboardDays): void {
    if (days === this.days) return;
    this.days = days;
    host.keep({ days });
    host.post({ type: 'range', days });
  }

  private unfold(list: string): void {
    this.unfolded = [...this.unfolded, list];
    host.keep({ unfolded: [...this.unfolded] });
  }
}

document.body.append(document.createElement('kaizen-dashboard'));
