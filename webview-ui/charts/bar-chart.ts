import { type SVGTemplateResult, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatNumber } from '../shared/formats';
import { countAxis } from './axis';
import { ChartElement, hatchPatterns, mark, type Series } from './chart-element';

export interface Bar {
  label: string;
  /** One for each series; the bar is as long as their sum. */
  values: readonly number[];
  /** In place of the first series for this bar. */
  series?: Series;
  /** Stands behind the number, where there is room. */
  note?: string;
  /** All there is to say about it. */
  tip: string;
}

const ROW = 28;
const THICKNESS = 14;
const AXIS = 24;
const GAP = 8;
/** The part of the width that labels may take. */
const LABELS = 0.4;

/** Horizontal bars with their names and numbers beside them. */
@customElement('kaizen-bar-chart')
export class BarChart extends ChartElement {
  @property({ attribute: false }) series: readonly Series[] = [];
  @property({ attribute: false }) bars: readonly Bar[] = [];

  protected override draw(width: number): { height: number; content: SVGTemplateResult } {
    const rows = this.bars.map((bar) => ({ ...bar, total: bar.values.reduce((sum, value) => sum + value, 0) }));
    const left =
      Math.min(Math.max(0, ...rows.map(({ label }) => this.widthOf(label))), Math.floor(width * LABELS)) + GAP;
    const axis = countAxis(Math.max(...rows.map(({ total }) => total)), width < 480 ? 3 : 5);
    const notes = Math.max(0, ...rows.map(({ total, note }) => this.widthOf(withNote(formatNumber(total), note))));
    const hasNotes = width - left - notes - GAP > width * 0.35;
    const numbers = Math.max(0, ...rows.map(({ total }) => this.widthOf(formatNumber(total))));
    const lastTick = Math.ceil(this.widthOf(formatNumber(axis.end)) / 2);
    const length = Math.max(40, width - left - Math.max((hasNotes ? notes : numbers) + GAP, lastTick));
    const scale = (value: number) => (value / axis.end) * length;
    const bottom = rows.length * ROW;
    const content = svg`
      ${hatchPatterns(this.series)}
      ${axis.ticks.map((tick) => {
        const x = Math.round(left + scale(tick)) + 0.5;
        return svg`<line class=${tick === 0 ? 'baseline' : 'gridline'} x1=${x} x2=${x} y1="0" y2=${bottom}></line>
          <text class="muted" x=${x} y=${bottom + 16} text-anchor="middle">${formatNumber(tick)}</text>`;
      })}
      ${rows.map(({ label, values, series, note, tip, total }, index) => {
        const y = index * ROW;
        const middle = y + ROW / 2;
        let x = left + 1;
        return svg`<rect class="target" data-tip=${tip} x="0" y=${y} width=${width} height=${ROW}></rect>
          <g pointer-events="none">
            <text x="0" y=${middle} dominant-baseline="central">${this.fitted(label, left - GAP)}</text>
            ${values.map((value, at) => {
              if (value === 0) return undefined;
              const part = { x, y: middle - THICKNESS / 2, width: Math.max(2, scale(value)), height: THICKNESS };
              x += part.width;
              return mark((at === 0 && series) || this.series[at]!, part);
            })}
            <text class="over" x=${x + GAP} y=${middle} dominant-baseline="central">${formatNumber(total)}${
              hasNotes && note ? svg`<tspan class="muted" dx="6">${note}</tspan>` : undefined
            }</text>
          </g>`;
      })}`;
    return { height: bottom + AXIS, content };
  }
}

function withNote(number: string, note: string | undefined): string {
  return note ? `${number}  ${note}` : number;
}
