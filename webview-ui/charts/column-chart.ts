import { type SVGTemplateResult, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatMonth, formatNumber, formatShortDay } from '../shared/formats';
import { countAxis, withoutOverlap } from './axis';
import { ChartElement, hatchPatterns, mark, type Series } from './chart-element';

export interface Column {
  /** The first of the days that it stands for. */
  date: Date;
  days: number;
  /** One for each series, from the bottom. */
  values: readonly number[];
  /** All there is to say about it. */
  tip: string;
}

const HEIGHT = 200;
const AXIS = 24;
const TOP = 8;
const GAP = 8;
const WIDEST = 28;
/** From so many days on, months are named in place of days. */
const MONTHS_FROM = 120;
const DAY_MS = 86_400_000;

/** Stacked columns over time, one for each day or week. */
@customElement('kaizen-column-chart')
export class ColumnChart extends ChartElement {
  @property({ attribute: false }) series: readonly Series[] = [];
  @property({ attribute: false }) columns: readonly Column[] = [];

  protected override draw(width: number): { height: number; content: SVGTemplateResult } {
    const { columns, series } = this;
    const total = ({ values }: Column) => values.reduce((sum, value) => sum + value, 0);
    const axis = countAxis(Math.max(0, ...columns.map(total)), 4);
    const left = Math.max(...axis.ticks.map((tick) => this.widthOf(formatNumber(tick)))) + GAP;
    const bottom = HEIGHT - AXIS;
    const band = (width - left) / Math.max(1, columns.length);
    const thickness = Math.max(1, Math.min(WIDEST, band >= 4 ? Math.floor(band * 0.72) : band));
    const scale = (value: number) => (value / axis.end) * (bottom - TOP);
    const content = svg`
      ${hatchPatterns(series)}
      ${axis.ticks.map((tick) => {
        const y = Math.round(bottom - scale(tick)) + 0.5;
        return svg`<line class=${tick === 0 ? 'baseline' : 'gridline'} x1=${left} x2=${width} y1=${y} y2=${y}></line>
          <text class="muted" x=${left - GAP} y=${y} text-anchor="end" dominant-baseline="central">${formatNumber(tick)}</text>`;
      })}
      ${columns.map((column, index) => {
        let y = bottom;
        const x = left + index * band + (band - thickness) / 2;
        return svg`<rect class="target" data-tip=${column.tip} x=${left + index * band} y=${TOP} width=${band} height=${bottom - TOP}></rect>
          <g pointer-events="none">${column.values.map((value, at) => {
            if (value === 0) return undefined;
            const height = Math.max(2, scale(value));
            y -= height;
            return mark(series[at]!, { x, y, width: thickness, height });
          })}</g>`;
      })}
      ${this.dates(width, left, band).map(
        ({ text, from }) => svg`<text class="muted" x=${from} y=${HEIGHT - 6}>${text}</text>`,
      )}`;
    return { height: HEIGHT, content };
  }

  /** Names of days or months below the columns that they belong to. */
  private dates(width: number, left: number, band: number): { text: string; from: number; to: number }[] {
    const { columns } = this;
    const days = columns.reduce((sum, column) => sum + column.days, 0);
    const named = columns.flatMap((column, index) => {
      const last = new Date(column.date.getTime() + (column.days - 1) * DAY_MS);
      const beginsMonth = last.getUTCDate() <= column.days;
      if (days >= MONTHS_FROM) return beginsMonth ? [{ index, text: formatMonth(last) }] : [];
      // Mondays, where columns are days, so that labels keep their distance.
      return column.days > 1 || column.date.getUTCDay() === 1 ? [{ index, text: formatShortDay(column.date) }] : [];
    });
    const placed = named.flatMap(({ index, text }) => {
      const textWidth = this.widthOf(text);
      const ideal = left + (index + 0.5) * band - textWidth / 2;
      // One that would stand away from its column at the beginning is left out; the last one may lean back.
      if (ideal < left - GAP) return [];
      const from = Math.min(ideal, width - textWidth);
      return [{ text, from, to: from + textWidth }];
    });
    return everyNth(placed, GAP * 2);
  }
}

/** The same distance between all of them: every label, or every second, third … counted from the last. */
function everyNth<T extends { from: number; to: number }>(labels: readonly T[], gap: number): T[] {
  for (let step = 1; step < labels.length; step++) {
    const some = labels.filter((_, index) => (labels.length - 1 - index) % step === 0);
    if (withoutOverlap(some, gap).length === some.length) return some;
  }
  return labels.slice(-1);
}
