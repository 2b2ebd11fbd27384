import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { t } from '../shared/l10n';
import type { Graph } from './model';
import { nodeSymbol } from './symbols';
import { placeText } from './words';

/** As the style sheet has it. */
const ROW = 40;
/** Rows beyond what is seen, so that scrolling shows no gap. */
const SPARE = 6;

/**
 * The picture's equivalent in words: all shown nodes, of which only those in view are elements of the page.
 * Fires `choose` and `enter` (detail: index).
 */
@customElement('kaizen-node-list')
export class NodeList extends LitElement {
  @property({ attribute: false }) graph!: Graph;
  @property({ attribute: false }) listed: readonly number[] = [];
  @property({ attribute: false }) selected: number | undefined;

  @state() private scrolled = 0;
  @state() private room = 0;
  private readonly observer = new ResizeObserver(() => {
    this.room = this.list?.clientHeight ?? 0;
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  override focus(): void {
    this.list?.focus();
  }

  protected override render(): TemplateResult {
    const { listed, selected } = this;
    const first = Math.max(0, Math.floor(this.scrolled / ROW) - SPARE);
    const last = Math.min(listed.length, Math.ceil((this.scrolled + this.room) / ROW) + SPARE);
    const place = selected === undefined ? -1 : listed.indexOf(selected);
    const isDrawn = place >= first && place < last;
    return html`<div
      class="nodes"
      role="listbox"
      tabindex="0"
      aria-label=${t('Nodes')}
      aria-activedescendant=${isDrawn ? `node-${selected}` : nothing}
      @scroll=${this.onScroll}
      @keydown=${this.onKey}
    >
      <div class="extent" role="presentation">
        <div class="rows" role="presentation">
          ${listed.slice(first, last).map((index, offset) => this.row(index, first + offset))}
        </div>
      </div>
    </div>`;
  }

  protected override firstUpdated(): void {
    if (this.list) this.observer.observe(this.list);
  }

  protected override updated(changed: PropertyValues<this>): void {
    const extent = this.querySelector<HTMLElement>('.extent');
    const rows = this.querySelector<HTMLElement>('.rows');
    if (!extent || !rows) return;
    extent.style.height = `${this.listed.length * ROW}px`;
    const first = Math.max(0, Math.floor(this.scrolled / ROW) - SPARE);
    rows.style.transform = `translateY(${first * ROW}px)`;
    if (changed.has('selected') || changed.has('listed')) this.revealSelected();
  }

  private get list(): HTMLElement | null {
    return this.querySelector('.nodes');
  }

  private row(index: number, place: number): TemplateResult {
    const { label, kind, missing } = this.graph.node(index);
    const isSelected = index === this.selected;
    return html`<div
      id=${`node-${index}`}
      class=${classMap({ row: true, selected: isSelected })}
      role="option"
      aria-selected=${isSelected}
      aria-setsize=${this.listed.length}
      aria-posinset=${place + 1}
      title=${label}
      @click=${() => this.tell('choose', index)}
      @dblclick=${() => this.tell('enter', index)}
    >
      ${nodeSymbol(kind, missing)}
      <span class="label">${label}</span>
      <span class="place">${placeText(this.graph, index)}</span>
    </div>`;
  }

  private revealSelected(): void {
    const { list } = this;
    const place = this.selected === undefined ? -1 : this.listed.indexOf(this.selected);
    if (!list || place < 0) return;
    if (place * ROW < list.scrollTop) list.scrollTop = place * ROW;
    else if ((place + 1) * ROW > list.scrollTop + list.clientHeight) {
      list.scrollTop = (place + 1) * ROW - list.clientHeight;
    }
  }

  private onScroll(): void {
    this.scrolled = this.list?.scrollTop ?? 0;
  }

  private tell(type: string, index: number): void {
    this.dispatchEvent(new CustomEvent(type, { detail: index }));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.listed.length - 1;
    const place = this.selected === undefined ? -1 : this.listed.indexOf(this.selected);
    const page = Math.max(1, Math.floor(this.room / ROW) - 1);
    const places: Record<string, number> = {
      ArrowDown: Math.min(last, place + 1),
      ArrowUp: place < 0 ? last : Math.max(0, place - 1),
      PageDown: Math.min(last, place + page),
      PageUp: Math.max(0, place - page),
      Home: 0,
      End: last,
    };
    const to = places[event.key];
    if (event.key === 'Enter' && this.selected !== undefined && place >= 0) this.tell('enter', this.selected);
    else if (to !== undefined) {
      const index = this.listed[to];
      if (index !== undefined && to !== place) this.tell('choose', index);
    } else return;
    event.preventDefault();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'kaizen-node-list': NodeList;
  }
}
