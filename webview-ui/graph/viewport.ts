import type { Point } from './layout';

/** What part of the graph is seen: a point (x, y) of it is drawn at (x · zoom + left, y · zoom + top). */
export interface Viewport {
  zoom: number;
  left: number;
  top: number;
}

export interface Size {
  width: number;
  height: number;
}

/** In the graph's units. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const NEAREST = 4;
const FARTHEST = 0.04;
/** Of a small graph no more is made than this. */
const LARGEST_FIT = 1.4;

export function toGraph({ zoom, left, top }: Viewport, { x, y }: Point): Point {
  return { x: (x - left) / zoom, y: (y - top) / zoom };
}

export function toScreen({ zoom, left, top }: Viewport, { x, y }: Point): Point {
  return { x: x * zoom + left, y: y * zoom + top };
}

/** Nearer or farther, so that what is at `at` (on the screen) stays there. */
export function zoomed(viewport: Viewport, factor: number, at: Point): Viewport {
  const zoom = Math.min(NEAREST, Math.max(FARTHEST, viewport.zoom * factor));
  const { x, y } = toGraph(viewport, at);
  return { zoom, left: at.x - x * zoom, top: at.y - y * zoom };
}

export function moved({ zoom, left, top }: Viewport, by: Point): Viewport {
  return { zoom, left: left + by.x, top: top + by.y };
}

/** So that all points are seen, with a margin around them. */
export function fitting(points: Iterable<Point & { radius: number }>, { width, height }: Size, margin = 64): Viewport {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y, radius } of points) {
    box.left = Math.min(box.left, x - radius);
    box.top = Math.min(box.top, y - radius);
    box.right = Math.max(box.right, x + radius);
    box.bottom = Math.max(box.bottom, y + radius);
  }
  if (box.left > box.right) return { zoom: 1, left: width / 2, top: height / 2 };
  const room = Math.min(
    Math.max(1, width - 2 * margin) / Math.max(1, box.right - box.left),
    Math.max(1, height - 2 * margin) / Math.max(1, box.bottom - box.top),
  );
  const zoom = Math.min(LARGEST_FIT, Math.max(FARTHEST, room));
  return {
    zoom,
    left: width / 2 - (zoom * (box.left + box.right)) / 2,
    top: height / 2 - (zoom * (box.top + box.bottom)) / 2,
  };
}

/** So that a point lies in the middle; nearer when names could not be read otherwise. */
export function centred({ zoom }: Viewport, { x, y }: Point, { width, height }: Size): Viewport {
  const near = Math.max(zoom, 0.7);
  return { zoom: near, left: width / 2 - x * near, top: height / 2 - y * near };
}

/** What is seen, in the graph's units. */
export function seen(viewport: Viewport, { width, height }: Size): Box {
  const from = toGraph(viewport, { x: 0, y: 0 });
  const to = toGraph(viewport, { x: width, y: height });
  return { left: from.x, top: from.y, right: to.x, bottom: to.y };
}

/** The part of the way from one to the other, from 0 to 1. */
export function between(from: Viewport, to: Viewport, part: number): Viewport {
  const mix = (a: number, b: number) => a + (b - a) * part;
  return { zoom: mix(from.zoom, to.zoom), left: mix(from.left, to.left), top: mix(from.top, to.top) };
}

/** From where to where, as parts of its length, a line lies within a box (Liang and Barsky); undefined when nowhere. */
export function visiblePart(
  x: number,
  y: number,
  dx: number,
  dy: number,
  { left, top, right, bottom }: Box,
): [from: number, to: number] | undefined {
  let [from, to] = [0, 1];
  for (const [way, room] of [
    [-dx, x - left],
    [dx, right - x],
    [-dy, y - top],
    [dy, bottom - y],
  ] as const) {
    if (way === 0) {
      if (room < 0) return undefined;
    } else if (way < 0) from = Math.max(from, room / way);
    else to = Math.min(to, room / way);
  }
  return from < to ? [from, to] : undefined;
}
