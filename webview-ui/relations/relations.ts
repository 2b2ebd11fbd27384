import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-ring/index.js';
import '../graph/node-list';
import '../graph/picture';
import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { ref } from 'lit/directives/ref.js';
import type { Way } from '../graph/drawing';
import { applyFilters, type Filters, EVERYTHING as NO_FILTERS, type Shown } from '../graph/filter';
import { type FilterActions, legend, searchField } from '../graph/filter-panel';
import { Layout, type Point } from '../graph/layout';
import { Graph } from '../graph/model';
import type { NodeList } from '../graph/node-list';
import type { GraphPicture } from '../graph/picture';
import { adoptKindColours } from '../graph/symbols';
import { shownText, spokenText } from '../graph/words';
import { zoomButtons } from '../graph/zoom-buttons';
import type {
  RelationDetail,
  RelationsMessage,
  RelationsRequest,
  RelationsState,
  RelationsView,
} from '../protocol/relations';
import { MOST_RELATIONS } from '../protocol/relations-limits';
import { formatNumber } from '../shared/formats';
import { connect } from '../shared/host';
import { t } from '../shared/l10n';
import { controls } from './controls';
import { relationCard } from './relation-card';
import { Views } from './views';
import { wayPanel } from './way';

/** What is kept when the page is hidden or the window reloaded. */
interface Kept {
  views: readonly RelationsView[];
  selected: string | undefined;
  filters: Filters;
  unfolded: boolean;
}

interface Details {
  id: string;
  relations: readonly RelationDetail[];
  more: boolean;
}

/** Nothing is shown for this long, so that a quick answer is not preceded by a flash. */
const PATIENCE_MS = 400;
/** Pixels that the legend covers, and from which width of the page on there is room enough beside it. */
const LEGEND = 212;
const LEGEND_BESIDE = 900;
/** Further than anything is from the beginning. */
const ANY_STEPS = 1_000;

const host = connect<RelationsRequest, RelationsMessage, Kept>();
const language = document.documentElement.lang || 'en';

/** The whole page: the picture of what is related, the list beside it, and how the selected thing is related. */
@customElement('kaizen-relations')
export class RelationsPage extends LitElement {
  @state() private sent: RelationsState | undefined;
  @state() private problem: string | undefined;
  @state() private filters: Filters = { ...NO_FILTERS, ...host.state().filters };
  @state() private selectedId: string | undefined = host.state().selected;
  @state() private details: Details | undefined;
  @state() private isUnfolded = host.state().unfolded ?? window.innerWidth > LEGEND_BESIDE;
  @state() private isLate = false;
  /** Another view was asked for and is not there yet. */
  @state() private isWaiting = false;
  @state() private spoken = '';
  private readonly views = new Views([...(host.state().views ?? [])]);
  private graph: Graph | undefined;
  private layout: Layout | undefined;
  private shown: Shown | undefined;
  private way: Way | undefined;
  private picture: GraphPicture | undefined;

  /** The page's own style sheet is for it. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptKindColours();
    host.onMessage((message) => this.receive(message));
    host.post({ type: 'ready' });
    setTimeout(() => {
      this.isLate = true;
    }, PATIENCE_MS);
  }

  override render(): TemplateResult {
    const { graph, sent, layout, shown } = this;
    if (this.problem !== undefined) return this.trouble(this.problem);
    if (!graph || !sent || !layout || !shown) return this.waiting();
    if (graph.nodes.length === 0) return this.welcome(sent);
    return this.page(graph, sent, layout, shown);
  }

  private receive(message: RelationsMessage): void {
    switch (message.type) {
      case 'begin':
        if (message.subject) {
          this.views.begin(message.subject);
          this.choose(message.subject.start);
          this.filters = NO_FILTERS;
        }
        this.look();
        break;
      case 'problem':
        this.isWaiting = false;
        this.problem = message.message;
        break;
      case 'state':
        this.take(message.state);
        break;
      case 'details':
        if (message.id === this.selectedId) this.details = message;
        break;
    }
  }

  private take(sent: RelationsState): void {
    const isOther = JSON.stringify(sent.view) !== JSON.stringify(this.sent?.view);
    this.problem = undefined;
    this.isWaiting = false;
    this.sent = sent;
    this.graph = new Graph(sent, language);
    this.layout = new Layout(this.graph, this.layout?.places() ?? new Map<string, Point>());
    this.way = sent.way && { nodes: new Set(sent.way.nodes), edges: new Set(sent.way.edges) };
    if (sent.way?.nodes.length === 0) this.way = undefined;
    if (this.graph.indexOf(this.selectedId) === undefined) this.choose(undefined);
    else this.askDetails();
    this.filter();
    if (isOther) void this.updateComplete.then(() => this.picture?.fit());
  }

  private look(): void {
    host.keep({ views: this.views.all });
    this.isWaiting = true;
    host.post({ type: 'look', view: this.views.current });
  }

  /** Another view: what is selected and hidden is for the thing that is looked at now. */
  private go(change: () => void): void {
    change();
    this.look();
  }

  private begin(id: string): void {
    this.choose(id);
    this.go(() => this.views.begin({ start: id }));
  }

  private askDetails(): void {
    if (this.selectedId !== undefined) host.post({ type: 'details', id: this.selectedId });
  }

  private changeFilters(changed: Partial<Filters>): void {
    this.filters = { ...this.filters, ...changed };
    host.keep({ filters: this.filters });
    this.filter();
  }

  private filter(): void {
    if (!this.graph) return;
    const { start, way } = this.views.current;
    // What was reached by types that are hidden now is not reached any more.
    const isCut = start !== undefined && !way && this.filters.hiddenTypes.length > 0;
    const around = isCut ? { id: start, steps: ANY_STEPS } : undefined;
    this.shown = applyFilters(this.graph, { ...this.filters, around });
    this.requestUpdate();
  }

  private choose(id: string | undefined): void {
    if (id !== this.selectedId) this.details = undefined;
    this.selectedId = id;
    host.keep({ selected: id });
    this.askDetails();
  }

  private chooseIndex(index: number | undefined): void {
    this.choose(index === undefined ? undefined : this.graph?.node(index).id);
  }

  /** From the list or the card: the picture has to follow. */
  private show(index: number): void {
    this.chooseIndex(index);
    this.picture?.reveal(index);
  }

  /** From the picture by keyboard: nothing else says where one is. */
  private walk(index: number): void {
    this.show(index);
    if (this.graph) this.spoken = spokenText(this.graph, index);
  }

  private open(index: number): void {
    const id = this.graph?.node(index).id;
    if (id !== undefined) host.post({ type: 'open', id });
  }

  private follow(id: string): void {
    const index = this.graph?.indexOf(id);
    if (index === undefined) this.begin(id);
    else this.show(index);
  }

  private unfold(isUnfolded: boolean): void {
    this.isUnfolded = isUnfolded;
    host.keep({ unfolded: isUnfolded });
  }

  private page(graph: Graph, sent: RelationsState, layout: Layout, shown: Shown): TemplateResult {
    const selected = graph.indexOf(this.selectedId);
    const filterActions: FilterActions = {
      change: (changed) => this.changeFilters(changed),
      isUnfolded: this.isUnfolded,
      unfold: (isUnfolded) => this.unfold(isUnfolded),
      intoList: () => this.querySelector<NodeList>('kaizen-node-list')?.focus(),
    };
    return html`<main>
      <div class="picture">
        <kaizen-graph-picture
          ${ref((element) => {
            this.picture = element as GraphPicture | undefined;
          })}
          .graph=${graph}
          .layout=${layout}
          .shown=${shown}
          .selected=${selected}
          .way=${this.way}
          .covered=${this.isUnfolded && window.innerWidth > LEGEND_BESIDE ? LEGEND : 0}
          @choose=${(event: CustomEvent<number | undefined>) => this.chooseIndex(event.detail ?? undefined)}
          @walk=${(event: CustomEvent<number>) => this.walk(event.detail)}
          @enter=${(event: CustomEvent<number>) => this.open(event.detail)}
        ></kaizen-graph-picture>
        <p id="graph-keys" class="visually-hidden">${t(
          'Arrow keys go to the linked node in that direction, Enter opens it, Escape clears the selection. Plus and minus zoom, 0 shows all, Shift with arrow keys moves the picture. The list beside it has the same nodes.',
        )}</p>
        <div class="visually-hidden" aria-live="polite">${this.spoken}</div>
        ${legend(graph, this.filters, filterActions)} ${zoomButtons(() => this.picture)}
      </div>
      <aside aria-label=${t('List of nodes')}>
        ${this.head(graph, sent)}
        <search class="filters">
          ${controls(this.views.current, {
            change: (changed) => this.go(() => this.views.change(changed)),
          })}
          ${searchField(this.filters, filterActions)}
        </search>
        ${this.countLine(graph, sent, shown)}
        ${
          sent.way
            ? wayPanel(graph, sent.way, {
                choose: (index) => this.show(index),
                leave: () => this.go(() => this.views.leaveWay()),
              })
            : ''
        }
        <kaizen-node-list
          .graph=${graph}
          .listed=${shown.listed}
          .selected=${selected}
          @choose=${(event: CustomEvent<number>) => this.show(event.detail)}
          @enter=${(event: CustomEvent<number>) => this.open(event.detail)}
        ></kaizen-node-list>
        ${selected === undefined ? '' : this.card(graph, sent, selected)}
      </aside>
    </main>`;
  }

  private head(graph: Graph, { view }: RelationsState): TemplateResult {
    const start = graph.indexOf(view.start);
    const button = (icon: string, label: string, run: () => void) =>
      html`<button class="icon-button" title=${label} aria-label=${label} @click=${run}>
        <span class="codicon codicon-${icon}" aria-hidden="true"></span>
      </button>`;
    return html`<header class="head">
      ${this.views.canGoBack ? button('arrow-left', t('Go Back'), () => this.go(() => this.views.back())) : ''}
      <h1>${start === undefined ? t('All Stored Relations') : t('Relations of {0}', graph.node(start).label)}</h1>
      ${button('search', t('Begin with…'), () => host.post({ type: 'choose' }))}
      ${view.start === undefined ? '' : button('globe', t('All Stored Relations'), () => this.go(() => this.views.showAll()))}
    </header>`;
  }

  private card(graph: Graph, sent: RelationsState, selected: number): TemplateResult {
    const { id } = graph.node(selected);
    const { start, expanded } = this.views.current;
    const details = this.details?.id === id ? this.details : undefined;
    return relationCard(graph, selected, details, {
      writable: sent.writable,
      start,
      isExpanded: expanded.includes(id),
      open: (which) => host.post({ type: 'open', id: which }),
      begin: () => this.begin(id),
      expand: () => this.go(() => this.views.toggle(id)),
      add: () => host.post({ type: 'add', id }),
      remove: (relation) => host.post({ type: 'remove', id: relation }),
      way: () => host.post({ type: 'way', id }),
      wayFromStart: () => start !== undefined && this.go(() => this.views.findWay(start, id)),
      choose: (which) => this.follow(which),
      close: () => this.choose(undefined),
    });
  }

  private countLine(graph: Graph, sent: RelationsState, shown: Shown): TemplateResult {
    const { total, truncated, unresolved, partial, view } = sent;
    const isFiltered = shown.listed.length < graph.nodes.length;
    const relations = shown.edges.reduce((sum, edge) => sum + edge, 0);
    const nodes = shownText(shown.listed.length, graph.nodes.length);
    const notes = [
      total > graph.nodes.length
        ? t(
            'Of {0} nodes, the {1} that are linked most are shown.',
            formatNumber(total),
            formatNumber(graph.nodes.length),
          )
        : '',
      partial ? t('Only the newest {0} relations were looked at.', formatNumber(MOST_RELATIONS)) : '',
      truncated ? t('There is more than can be shown. Choose fewer steps, or only surer relations.') : '',
      unresolved > 0 ? t('Left out, as nobody can tell now what they are: {0}.', formatNumber(unresolved)) : '',
      view.start !== undefined && graph.edges.length === 0 ? nothingText(view) : '',
    ].filter(Boolean);
    return html`<div class="count">
      <span role="status">${
        this.isWaiting
          ? t('Reading…')
          : `${nodes}, ${relations === 1 ? t('1 relation') : t('{0} relations', formatNumber(relations))}`
      }</span>
      ${isFiltered ? html`<button class="link" @click=${() => this.changeFilters(NO_FILTERS)}>${t('Show All')}</button>` : ''}
      ${notes.map((note) => html`<p class="quiet note">${note}</p>`)}
    </div>`;
  }

  private trouble(problem: string): TemplateResult {
    return html`<main class="message"><div role="alert">
      <p>${problem}</p>
      <div class="card-actions">
        <vscode-button secondary @click=${() => this.look()}>${t('Try Again')}</vscode-button>
        ${
          this.views.canGoBack
            ? html`<vscode-button secondary @click=${() => this.go(() => this.views.back())}>${t('Go Back')}</vscode-button>`
            : html`<vscode-button secondary @click=${() => this.go(() => this.views.showAll())}>${t('All Stored Relations')}</vscode-button>`
        }
      </div>
    </div></main>`;
  }

  private waiting(): TemplateResult {
    return html`<main class="message">${
      this.isLate ? html`<vscode-progress-ring aria-label=${t('Reading…')}></vscode-progress-ring>` : ''
    }</main>`;
  }

  /** Nothing is stored; files may say something nevertheless. */
  private welcome({ view: { minimum } }: RelationsState): TemplateResult {
    return html`<main class="message"><section>
      <h1>${minimum ? t('No relations that sure') : t('No relations yet')}</h1>
      <p>${t(
        'A relation says what one piece of knowledge is to another: what causes, prevents, supports, contradicts or replaces what. Begin with something to see what its files say, or add the first one.',
      )}</p>
      <div class="card-actions">
        <vscode-button @click=${() => host.post({ type: 'choose' })}>${t('Begin with…')}</vscode-button>
        ${
          minimum
            ? html`<vscode-button secondary @click=${() => this.go(() => this.views.change({ minimum: 0 }))}>${t('However sure')}</vscode-button>`
            : ''
        }
      </div>
    </section></main>`;
  }
}

function nothingText({ direction, minimum }: RelationsView): string {
  return direction === 'both' && minimum === 0
    ? t('It is related to nothing.')
    : t('Nothing of this direction and this sure. Choose both directions, or relations that are less sure.');
}

document.body.append(document.createElement('kaizen-relations'));
