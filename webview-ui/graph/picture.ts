import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { t } from '../shared/l10n';
import { type Direction, nearestTo, nodeTowards } from './directions';
import { draw, type Way } from './drawing';
import type { Shown } from './filter';
import { Gestures } from './gestures';
import { HitIndex } from './hit-index';
import type { Layout, Point } from './layout';
import type { Graph } from './model';
import { followTheme, readTheme, type Theme } from './theme';
import { between, centred, fitting, moved, type Size, toGraph, toScreen, type Viewport, zoomed } from './viewport';

/** Of a frame of 16 ms, so many are for the layout; the rest is for drawing. */
const LAYOUT_MS = 5;
/** Where nothing is drawn before all rests. */
const UNSEEN_LAYOUT_MS = 40;
const STEP = 1.25;
const PAN = 60;
const GLIDE_MS = 180;
/** While the person moves the picture, and so long after, the layout waits: moving goes before settling. */
const HANDS_OFF_MS = 120;
/** After which the view counts as at rest. */
const REST_MS = 200;
/** On the screen, around a node: it need not be hit exactly. */
const REACH = 4;
/** A node that is selected by keyboard is brought away from the rim. */
const RIM = 48;

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const PAN_BY: Readonly<Record<Direction, Point>> = {
  left: { x: PAN, y: 0 },
  right: { x: -PAN, y: 0 },
  up: { x: 0, y: PAN },
  down: { x: 0, y: -PAN },
};

/**
 * The drawn graph. Frames are asked for when something has changed, never otherwise.
 * Fires `choose` (detail: index or undefined), `enter` (index) and `moved` (once the view has come to rest).
 */
@customElement('kaizen-graph-picture')
export class GraphPicture extends LitElement {
  @property({ attribute: false }) graph!: Graph;
  @property({ attribute: false }) layout!: Layout;
  @property({ attribute: false }) shown!: Shown;
  @property({ attribute: false }) selected: number | undefined;
  /** Shown before everything else. */
  @property({ attribute: false }) way: Way | undefined;
  /** Pixels at the left that something lies upon: what is shown as a whole is shown beside it. */
  @property({ type: Number }) covered = 0;
  /** What was seen before the page was hidden. */
  @property({ attribute: false }) initial: Viewport | undefined;

  private canvas!: HTMLCanvasElement;
  private size: Size = { width: 0, height: 0 };
  private theme: Theme | undefined;
  private view: Viewport = { zoom: 1, left: 0, top: 0 };
  /** Until the person has moved the picture it shows all that there is. */
  private isFollowing = true;
  private hovered: number | undefined;
  private hits: HitIndex | undefined;
  private gestures: Gestures | undefined;
  private frame: number | undefined;
  private handsOffUntil = 0;
  private glide: { from: Viewport; to: Viewport; began: number } | undefined;
  private resting: number | undefined;
  private readonly motion = window.matchMedia('(prefers-reduced-motion: reduce)');
  private readonly disposables: { dispose(): void }[] = [];

  get viewport(): Viewport | undefined {
    return this.isFollowing ? undefined : this.view;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(this);
    const theme = followTheme(() => {
      this.theme = undefined;
      this.redraw();
    });
    this.disposables.push({ dispose: () => observer.disconnect() }, theme);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    window.clearTimeout(this.resting);
    for (const each of this.disposables.splice(0)) each.dispose();
  }

  protected override render(): TemplateResult {
    return html`<canvas
      tabindex="0"
      role="application"
      aria-label=${t('Graph')}
      aria-describedby="graph-keys"
      @keydown=${this.onKey}
    ></canvas>`;
  }

  protected override firstUpdated(): void {
    this.canvas = this.querySelector('canvas') as HTMLCanvasElement;
    if (this.initial) {
      this.view = this.initial;
      this.isFollowing = false;
    }
    this.gestures = new Gestures(this.canvas, {
      nodeAt: (at) => this.nodeAt(at),
      hover: (node) => this.hover(node),
      choose: (node) => this.tell('choose', node),
      enter: (node) => this.tell('enter', node),
      pan: (by) => this.show(moved(this.view, by)),
      zoom: (factor, at) => this.show(zoomed(this.view, factor, at)),
      drag: (node, at) => this.drag(node, at),
      release: (node) => this.release(node),
    });
    this.disposables.push(this.gestures);
    this.resize();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('layout') || changed.has('shown')) this.hits = undefined;
    if (changed.has('graph')) {
      // The same numbers are other nodes now.
      this.hovered = undefined;
      this.gestures?.letGo();
    }
    this.redraw();
  }

  /** Shows all that is not filtered away. */
  fit(): void {
    this.isFollowing = true;
    this.glideTo(this.fitted());
    this.rest();
  }

  zoomBy(factor: number): void {
    this.show(zoomed(this.view, factor, { x: this.size.width / 2, y: this.size.height / 2 }));
  }

  /** Brings a node into view, unless it is there already. */
  reveal(node: number): void {
    const body = this.layout.bodies[node];
    if (!body || this.size.width === 0) return;
    const { x, y } = toScreen(this.view, body);
    const { width, height } = this.size;
    if (x > this.covered + RIM && y > RIM && x < width - RIM && y < height - RIM) return;
    this.isFollowing = false;
    const free = { width: width - this.covered, height };
    this.glideTo(moved(centred(this.view, body, free), { x: this.covered, y: 0 }));
    this.rest();
  }

  private tell(type: string, detail?: number): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  private nodeAt(at: Point): number | undefined {
    this.hits ??= new HitIndex(this.layout.bodies, this.shown.nodes);
    return this.hits.at(toGraph(this.view, at), REACH / this.view.zoom);
  }

  private hover(node: number | undefined): void {
    if (node === this.hovered) return;
    this.hovered = node;
    this.canvas.classList.toggle('over-node', node !== undefined);
    this.redraw();
  }

  private drag(node: number, at: Point): void {
    const place = toGraph(this.view, at);
    if (this.motion.matches) this.layout.place(node, place);
    else this.layout.drag(node, place);
    this.isFollowing = false;
    this.hits = undefined;
    this.redraw();
  }

  private release(node: number): void {
    this.layout.release(node);
    this.redraw();
    this.rest();
  }

  /** The person has moved the picture. */
  private show(view: Viewport): void {
    this.glide = undefined;
    this.isFollowing = false;
    this.view = view;
    this.handsOffUntil = performance.now() + HANDS_OFF_MS;
    this.redraw();
    this.rest();
  }

  private rest(): void {
    window.clearTimeout(this.resting);
    this.resting = window.setTimeout(() => {
      // What was drawn in a hurry.
      this.redraw();
      this.tell('moved');
    }, REST_MS);
  }

  private glideTo(to: Viewport): void {
    if (this.motion.matches) this.view = to;
    else this.glide = { from: this.view, to, began: performance.now() };
    this.redraw();
  }

  private fitted(): Viewport {
    const { bodies } = this.layout;
    const { width, height } = this.size;
    const view = fitting(
      bodies.filter((_, index) => this.shown.nodes[index] === 1),
      { width: width - this.covered, height },
    );
    return moved(view, { x: this.covered, y: 0 });
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this;
    if (!this.canvas || width === 0 || height === 0) return;
    // What was in the middle stays there.
    if (this.size.width > 0) {
      this.view = moved(this.view, { x: (width - this.size.width) / 2, y: (height - this.size.height) / 2 });
    }
    this.size = { width, height };
    const ratio = window.devicePixelRatio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.redraw();
  }

  private redraw(): void {
    this.frame ??= requestAnimationFrame((now) => this.onFrame(now));
  }

  private onFrame(now: number): void {
    this.frame = undefined;
    const context = this.canvas?.getContext('2d');
    if (!context || this.size.width === 0) return;
    const isWaiting = now < this.handsOffUntil;
    const wasMoving = this.layout.isMoving;
    if (wasMoving && !isWaiting) {
      this.layout.advance(this.motion.matches ? UNSEEN_LAYOUT_MS : LAYOUT_MS);
      this.hits = undefined;
    }
    if (this.glide) this.onGlide(now, this.glide);
    else if (this.isFollowing) this.view = this.fitted();
    // With less motion there is nothing to see before everything rests.
    if (!(this.motion.matches && this.layout.isMoving)) this.paint(context);
    if (this.layout.isMoving || this.glide) this.redraw();
    else if (wasMoving) this.tell('moved');
  }

  private onGlide(now: number, { from, to, began }: { from: Viewport; to: Viewport; began: number }): void {
    const part = Math.min(1, Math.max(0, (now - began) / GLIDE_MS));
    this.view = between(from, to, 1 - (1 - part) ** 3);
    if (part === 1) this.glide = undefined;
  }

  private paint(context: CanvasRenderingContext2D): void {
    this.theme ??= readTheme();
    draw(context, {
      graph: this.graph,
      bodies: this.layout.bodies,
      shown: this.shown,
      viewport: this.view,
      size: this.size,
      ratio: window.devicePixelRatio,
      theme: this.theme,
      selected: this.selected,
      hovered: this.hovered,
      way: this.way,
      isMoving: performance.now() < this.handsOffUntil || this.layout.isMoving || this.glide !== undefined,
    });
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = ARROWS[event.key];
    if (direction && event.shiftKey) this.show(moved(this.view, PAN_BY[direction]));
    else if (direction) this.walk(direction);
    else if (event.key === '+' || event.key === '=') this.zoomBy(STEP);
    else if (event.key === '-') this.zoomBy(1 / STEP);
    else if (event.key === '0') this.fit();
    else if (event.key === 'Enter' && this.selected !== undefined) this.tell('enter', this.selected);
    else if (event.key === 'Escape' && this.selected !== undefined) this.tell('choose');
    else return;
    event.preventDefault();
  }

  private walk(direction: Direction): void {
    const { bodies } = this.layout;
    const { width, height } = this.size;
    const isShown = this.selected !== undefined && this.shown.nodes[this.selected] === 1;
    const next = isShown
      ? nodeTowards(this.graph, bodies, this.shown.nodes, this.selected as number, direction)
      : nearestTo(bodies, this.shown.nodes, toGraph(this.view, { x: width / 2, y: height / 2 }));
    if (next !== undefined) this.dispatchEvent(new CustomEvent('walk', { detail: next }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'kaizen-graph-picture': GraphPicture;
  }
}
