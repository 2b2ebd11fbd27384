import type { Body } from './layout';
import { type Box, visiblePart } from './viewport';

/** Lines in one path: a call for each costs much, and so do very many in one path that cross each other. */
const TOGETHER = 64;
const ARROW = 7;

/** Lines that look the same, with their arrows, as they are drawn. */
export class Strokes {
  private readonly period: number;
  /** x, y, x, y of each line. */
  private readonly lines: number[] = [];
  /** x, y of each tip, and the direction that it points in. */
  private readonly tips: number[] = [];

  constructor(private readonly dash: readonly number[]) {
    this.period = dash.reduce((sum, length) => sum + length, 0);
  }

  /**
   * @param lane how far beside the line between the two nodes it runs
   * @param isMutual whether there is a tip at its beginning as well
   * @param view what lies outside of it is cut off: dashes that nobody sees cost as much as others
   */
  add(start: Body, end: Body, lane: number, view: Box, isMutual = false): void {
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length];
    const [x, y] = [start.x - uy * lane, start.y + ux * lane];
    const part = visiblePart(x, y, dx, dy, view);
    if (!part) return;
    const [, to] = part;
    // Cut off between two dashes: otherwise they would crawl when the picture is moved.
    const from = this.period > 0 ? (Math.floor((part[0] * length) / this.period) * this.period) / length : part[0];
    this.lines.push(x + dx * from, y + dy * from, x + dx * to, y + dy * to);
    const tip = 1 - (end.radius + 2) / length;
    if (tip >= from && tip <= to) this.tips.push(x + dx * tip, y + dy * tip, ux, uy);
    if (!isMutual) return;
    const tail = (start.radius + 2) / length;
    if (tail >= from && tail <= to) this.tips.push(x + dx * tail, y + dy * tail, -ux, -uy);
  }

  get length(): number {
    return this.lines.length / 4;
  }

  /** @param isCoarse without dashes */
  draw(context: CanvasRenderingContext2D, hasArrows: boolean, isCoarse: boolean): void {
    const { lines, tips } = this;
    const together = 4 * TOGETHER;
    context.setLineDash(isCoarse ? [] : [...this.dash]);
    for (let first = 0; first < lines.length; first += together) {
      context.beginPath();
      for (let at = first; at < Math.min(lines.length, first + together); at += 4) {
        context.moveTo(lines[at] as number, lines[at + 1] as number);
        context.lineTo(lines[at + 2] as number, lines[at + 3] as number);
      }
      context.stroke();
    }
    if (!hasArrows) return;
    for (let first = 0; first < tips.length; first += together) {
      context.beginPath();
      for (let at = first; at < Math.min(tips.length, first + together); at += 4) {
        const [x = 0, y = 0, ux = 0, uy = 0] = tips.slice(at, at + 4);
        context.moveTo(x, y);
        context.lineTo(x - (ux + uy * 0.5) * ARROW, y - (uy - ux * 0.5) * ARROW);
        context.lineTo(x - (ux - uy * 0.5) * ARROW, y - (uy + ux * 0.5) * ARROW);
        context.closePath();
      }
      context.fill();
    }
  }
}
