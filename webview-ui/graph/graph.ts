import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-ring/index.js';
import './node-list';
import './picture';
import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { ref } from 'lit/directives/ref.js';
import type { GraphMessage, GraphRequest, GraphState } from '../protocol/graph';
import { formatNumber } from '../shared/formats';
import { connect } from '../shared/host';
import { t } from '../shared/l10n';
import { card } from './card';
import { applyFilters, EVERYTHING, type Filters, type Shown } from './filter';
import { type FilterActions, filterPanel, legend } from './filter-panel';
import { Layout, type Point } from './layout';
import { Graph } from './model';
import type { NodeList } from './node-list';
import type { GraphPicture } from './picture';
import { adoptKindColours } from './symbols';
import type { Viewport } from './viewport';
import { shownText, spokenText } from './words';
import { zoomButtons } from './zoom-buttons';

/** What is kept when the page is hidden or the window reloaded. */
interface Kept {
  selected: string | undefined;
  filters: Filters;
  viewport: Viewport | undefined;
  unfolded: boolean;
  /** Where nodes were, by id; rounded. */
  places: Record<string, [x: number, y: number]>;
}

/** Nothing is shown for this long, so that a quick answer is not preceded by a flash. */
const PATIENCE_MS = 400;
/** Pixels that the legend covers, and from which width of the page on there is room enough beside it. */
const LEGEND = 212;
const LEGEND_BESIDE = 900;
/** How far a node's surroundings go when the page is opened for it. */
const FIRST_STEPS = 2;

const host = connect<GraphRequest, GraphMessage, Kept>();
const language = document.documentElement.lang || 'en';

/** The whole page: the picture, the list beside it, and what is known of the selected node. */
@customElement('kaizen-graph')
export class GraphPage extends LitElement {
  @state() private sent: GraphState | undefined;
  @state() private problem: string | undefined;
  @state() private filters: Filters = { ...EVERYTHING, ...host.state().filters };
  @state() private selectedId: string | undefined = host.state().selected;
  @state() private isUnfolded = host.state().unfolded ?? window.innerWidth > LEGEND_BESIDE;
  @state() private isLate = false;
  @state() private spoken = '';
  private graph: Graph | undefined;
  private layout: Layout | undefined;
  private shown: Shown | undefined;
  /** Asked for before there was a graph. */
  private awaited: string | undefined;
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
    window.addEventListener('pagehide', () => this.keepPicture());
  }

  override render(): TemplateResult {
    const { graph, sent } = this;
    if (this.problem) return this.trouble(this.problem);
    if (!graph || !sent) return this.waiting();
    if (graph.nodes.length === 0) return sent.isReading ? this.waiting() : this.welcome(sent);
    return this.page(graph, sent);
  }

  private receive(message: GraphMessage): void {
    this.problem = undefined;
    switch (message.type) {
      case 'problem':
        this.problem = message.message;
        break;
      case 'state':
        this.take(message.state);
        break;
      case 'select':
        this.surround(message.id);
        break;
    }
  }

  private take(sent: GraphState): void {
    const places = this.layout?.places() ?? keptPlaces();
    this.sent = sent;
    this.graph = new Graph(sent, language);
    this.layout = new Layout(this.graph, places);
    this.filter();
    if (this.awaited !== undefined) this.surround(this.awaited);
  }

  private surround(id: string): void {
    if (!this.graph) {
      this.awaited = id;
      return;
    }
    // It may be there later: files are still being read.
    this.awaited = this.graph.indexOf(id) === undefined ? id : undefined;
    this.choose(this.graph.indexOf(id));
    this.change({ ...EVERYTHING, around: { id, steps: FIRST_STEPS } });
    this.picture?.fit();
  }

  private change(changed: Partial<Filters>): void {
    this.filters = { ...this.filters, ...changed };
    host.keep({ filters: this.filters });
    this.filter();
    if ('around' in changed || 'where' in changed) void this.updateComplete.then(() => this.picture?.fit());
  }

  private filter(): void {
    if (this.graph) this.shown = applyFilters(this.graph, this.filters);
    this.requestUpdate();
  }

  private choose(index: number | undefined): void {
    this.selectedId = index === undefined ? undefined : this.graph?.node(index).id;
    host.keep({ selected: this.selectedId });
  }

  /** From the list or the card: the picture has to follow. */
  private show(index: number): void {
    this.choose(index);
    this.picture?.reveal(index);
  }

  /** From the picture by keyboard: nothing else says where one is. */
  private walk(index: number): void {
    this.show(index);
    if (this.graph) this.spoken = spokenText(this.graph, index);
  }

  private enter(index: number): void {
    const node = this.graph?.node(index);
    if (!node) return;
    if (!node.missing) host.post({ type: 'open', id: node.id });
    else if (this.sent?.writable) host.post({ type: 'create', id: node.id });
  }

  private explore(index: number): void {
    const node = this.graph?.node(index);
    if (node) this.change({ around: { id: node.id, steps: 1 } });
  }

  private unfold(isUnfolded: boolean): void {
    this.isUnfolded = isUnfolded;
    host.keep({ unfolded: isUnfolded });
  }

  private keepPicture(): void {
    if (!this.layout) return;
    const places: Kept['places'] = {};
    for (const [id, { x, y }] of this.layout.places()) places[id] = [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
    host.keep({ viewport: this.picture?.viewport, ...(this.layout.isMoving ? {} : { places }) });
  }

  private page(graph: Graph, sent: GraphState): TemplateResult {
    const { layout, shown } = this;
    const selected = graph.indexOf(this.selectedId);
    if (!layout || !shown) return this.waiting();
    const filterActions: FilterActions = {
      change: (changed) => this.change(changed),
      isUnfolded: this.isUnfolded,
      unfold: (isUnfolded) => this.unfold(isUnfolded),
      intoList: () => this.querySelector<NodeList>('kaizen-node-list')?.focus(),
    };
    return html`<main>
      <h1 class="visually-hidden">${t('Graph of Notes')}</h1>
      <div class="picture">
        <kaizen-graph-picture
          ${ref((element) => {
            this.picture = element as GraphPicture | undefined;
          })}
          .graph=${graph}
          .layout=${layout}
          .shown=${shown}
          .selected=${selected}
          .covered=${this.isUnfolded && window.innerWidth > LEGEND_BESIDE ? LEGEND : 0}
          .initial=${host.state().viewport}
          @choose=${(event: CustomEvent<number | undefined>) => this.choose(event.detail ?? undefined)}
          @walk=${(event: CustomEvent<number>) => this.walk(event.detail)}
          @enter=${(event: CustomEvent<number>) => this.enter(event.detail)}
          @moved=${() => this.keepPicture()}
        ></kaizen-graph-picture>
        <p id="graph-keys" class="visually-hidden">${t(
          'Arrow keys go to the linked node in that direction, Enter opens it, Escape clears the selection. Plus and minus zoom, 0 shows all, Shift with arrow keys moves the picture. The list beside it has the same nodes.',
        )}</p>
        <div class="visually-hidden" aria-live="polite">${this.spoken}</div>
        ${legend(graph, this.filters, filterActions)} ${zoomButtons(() => this.picture)}
      </div>
      <aside aria-label=${t('List of nodes')}>
        ${filterPanel(graph, this.filters, filterActions)}
        ${this.countLine(graph, sent, shown)}
        <kaizen-node-list
          .graph=${graph}
          .listed=${shown.listed}
          .selected=${selected}
          @choose=${(event: CustomEvent<number>) => this.show(event.detail)}
          @enter=${(event: CustomEvent<number>) => this.enter(event.detail)}
        ></kaizen-node-list>
        ${
          selected === undefined
            ? ''
            : card(graph, selected, {
                writable: sent.writable,
                open: () => this.enter(selected),
                create: () => this.enter(selected),
                explore: () => this.explore(selected),
                choose: (index) => this.show(index),
                close: () => this.choose(undefined),
              })
        }
      </aside>
    </main>`;
  }

  private countLine(graph: Graph, { total, isReading }: GraphState, shown: Shown): TemplateResult {
    const isFiltered = shown.listed.length < graph.nodes.length;
    return html`<div class="count">
      <span role="status">${isReading ? t('Reading…') : shownText(shown.listed.length, graph.nodes.length)}</span>
      ${isFiltered ? html`<button class="link" @click=${() => this.change(EVERYTHING)}>${t('Show All')}</button>` : ''}
      ${
        total > graph.nodes.length
          ? html`<p class="quiet">${t(
              'Of {0} nodes, the {1} that are linked most are shown.',
              formatNumber(total),
              formatNumber(graph.nodes.length),
            )}</p>`
          : ''
      }
    </div>`;
  }

  private trouble(problem: string): TemplateResult {
    return html`<main class="message"><div role="alert">
      <p>${problem}</p>
      <vscode-button secondary @click=${() => host.post({ type: 'ready' })}>${t('Try Again')}</vscode-button>
    </div></main>`;
  }

  private waiting(): TemplateResult {
    return html`<main class="message">${
      this.isLate ? html`<vscode-progress-ring aria-label=${t('Reading…')}></vscode-progress-ring>` : ''
    }</main>`;
  }

  private welcome({ writable }: GraphState): TemplateResult {
    if (!writable) return this.restricted();
    return html`<main class="message"><section>
      <h1>${t('No notes yet')}</h1>
      <p>${t(
        'Notes are Markdown files that link to each other. Write the first one, link it with [[another]], and this page shows how what you know hangs together.',
      )}</p>
      <vscode-button @click=${() => host.post({ type: 'createFirst' })}>${t('New Note…')}</vscode-button>
    </section></main>`;
  }

  /** There may be notes; nobody has looked. */
  private restricted(): TemplateResult {
    return html`<main class="message"><section>
      <h1>${t('Restricted Mode')}</h1>
      <p>${t('Restricted Mode: notes are not read. Trust the workspace to see their graph.')}</p>
    </section></main>`;
  }
}

function keptPlaces(): Map<string, Point> {
  return new Map(Object.entries(host.state().places ?? {}).map(([id, [x, y]]) => [id, { x, y }]));
}

document.body.append(document.createElement('kaizen-graph'));
