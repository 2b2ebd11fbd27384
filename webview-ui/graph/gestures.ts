import type { Point } from './layout';

/** What the person does with pointer and wheel. Places are on the element. */
export interface GestureTarget {
  nodeAt(at: Point): number | undefined;
  hover(node: number | undefined): void;
  choose(node: number | undefined): void;
  enter(node: number): void;
  pan(by: Point): void;
  /** @param at stays where it is */
  zoom(factor: number, at: Point): void;
  drag(node: number, to: Point): void;
  release(node: number): void;
}

/** A pointer that moves less than this has clicked. */
const CLICK = 4;
/** Of the wheel, by what its numbers count: pixels, lines, pages. */
const WHEEL = [1, 16, 400];
const WHEEL_SPEED = 0.0016;
/** A pinch on a touchpad comes as a wheel with Ctrl, in small numbers. */
const PINCH_SPEED = 0.01;
const MOST_AT_ONCE = 2;

/** Reads clicks, dragging, panning, the wheel and pinches from the events of an element. */
export class Gestures {
  private readonly stop = new AbortController();
  private readonly pointers = new Map<number, Point>();
  private began: { at: Point; node: number | undefined } | undefined;
  private isDragging = false;

  constructor(
    private readonly element: HTMLElement,
    private readonly target: GestureTarget,
  ) {
    const { signal } = this.stop;
    element.addEventListener('pointerdown', (event) => this.down(event), { signal });
    element.addEventListener('pointermove', (event) => this.move(event), { signal });
    element.addEventListener('pointerup', (event) => this.up(event), { signal });
    element.addEventListener('pointercancel', (event) => this.up(event), { signal });
    element.addEventListener('pointerleave', () => target.hover(undefined), { signal });
    element.addEventListener('wheel', (event) => this.wheel(event), { signal, passive: false });
    element.addEventListener(
      'dblclick',
      (event) => {
        const node = target.nodeAt(this.placeOf(event));
        if (node !== undefined) target.enter(node);
      },
      { signal },
    );
  }

  dispose(): void {
    this.stop.abort();
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const at = this.placeOf(event);
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size > 1) this.letGo();
    else this.began = { at, node: this.target.nodeAt(at) };
  }

  private move(event: PointerEvent): void {
    const at = this.placeOf(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.target.hover(this.target.nodeAt(at));
      return;
    }
    if (this.pointers.size >= MOST_AT_ONCE) {
      this.pinch(event.pointerId, before, at);
      return;
    }
    if (!this.began || (!this.isDragging && distance(this.began.at, at) < CLICK)) return;
    this.isDragging = true;
    this.pointers.set(event.pointerId, at);
    const { node } = this.began;
    if (node !== undefined) this.target.drag(node, at);
    else this.target.pan({ x: at.x - before.x, y: at.y - before.y });
  }

  private up(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId)) return;
    const { began, isDragging } = this;
    this.letGo();
    if (began && !isDragging && event.type === 'pointerup') this.target.choose(began.node);
  }

  /** What the pointer holds is no longer what it took: nothing is dragged until it is pressed again. */
  letGo(): void {
    if (this.isDragging && this.began?.node !== undefined) this.target.release(this.began.node);
    this.began = undefined;
    this.isDragging = false;
  }

  private pinch(moving: number, before: Point, at: Point): void {
    const other = [...this.pointers].find(([id]) => id !== moving)?.[1];
    this.pointers.set(moving, at);
    if (!other) return;
    const middle = (point: Point) => ({ x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 });
    const [from, to] = [middle(before), middle(at)];
    this.target.pan({ x: to.x - from.x, y: to.y - from.y });
    this.target.zoom(distance(at, other) / Math.max(1, distance(before, other)), to);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaY * (WHEEL[event.deltaMode] ?? 1);
    const speed = event.ctrlKey ? PINCH_SPEED : WHEEL_SPEED;
    this.target.zoom(Math.exp(-pixels * speed), this.placeOf(event));
  }

  private placeOf({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
