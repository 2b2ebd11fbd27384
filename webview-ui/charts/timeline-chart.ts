import { scaleUtc } from 'd3-scale';
import { type SVGTemplateResult, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatDuration, formatMonth, formatNumber, formatShortDay } from '../shared/formats';
import { durationAxis, withoutOverlap } from './axis';
import { type ChartColour, ChartElement } from './chart-element';

export interface TimelinePoint {
  date: Date;
  /** Minutes; null when nobody knows. */
  duration: number | null;
  /** All there is to say about it. */
  tip: string;
}

const HEIGHT = 168;
const AXIS = 24;
const TOP = 12;
const GAP = 8;
const RADIUS = 5;
const DAY_MS = 86_400_000;
const COLOUR: ChartColour = 'blue';

/** What happened when, and how long it took: a dot on a stem for each; a diamond on the ground where that is unknown. */
@customElement('kaizen-timeline-chart')
export class TimelineChart extends ChartElement {
  @property({ attribute: false }) points: readonly TimelinePoint[] = [];
  /** Where the axis of time ends. */
  @property({ attribute: false }) until = new Date();

  protected override draw(width: number): { height: number; content: SVGTemplateResult } {
    const { points } = this;
    const axis = durationAxis(Math.max(30, ...points.map(({ duration }) => duration ?? 0)), 3);
    const left = Math.max(...axis.ticks.map((tick) => this.widthOf(tickText(tick)))) + GAP;
    const bottom = HEIGHT - AXIS;
    // Imported sessions may be dated ahead.
    const end = Math.max(this.until.getTime(), ...points.map(({ date }) => date.getTime()));
    const first = Math.min(end, ...points.map(({ date }) => date.getTime()));
    // A single day would have no width.
    const begin = Math.min(first - (end - first) * 0.02, end - 7 * DAY_MS);
    const time = scaleUtc()
      .domain([begin, end])
      .range([left + RADIUS, width - RADIUS]);
    const y = (minutes: number) => bottom - (minutes / axis.end) * (bottom - TOP);
    const ticks = time.ticks(Math.max(2, Math.floor((width - left) / 96)));
    const monthly = ticks.every((tick) => tick.getUTCDate() === 1);
    const dates = ticks.map((tick) => {
      const text = monthly ? formatMonth(tick) : formatShortDay(tick);
      const textWidth = this.widthOf(text);
      const x = time(tick);
      const from = Math.max(left, Math.min(x - textWidth / 2, width - textWidth));
      return { x, text, from, to: from + textWidth };
    });
    const content = svg`
      ${axis.ticks.map((tick) => {
        const at = Math.round(y(tick)) + 0.5;
        return svg`<line class=${tick === 0 ? 'baseline' : 'gridline'} x1=${left} x2=${width} y1=${at} y2=${at}></line>
          <text class="muted" x=${left - GAP} y=${at} text-anchor="end" dominant-baseline="central">${tickText(tick)}</text>`;
      })}
      ${withoutOverlap(dates, GAP * 2).map(
        ({
          x,
          text,
          from,
        }) => svg`<line class="baseline" x1=${Math.round(x) + 0.5} x2=${Math.round(x) + 0.5} y1=${bottom} y2=${bottom + 4}></line>
          <text class="muted" x=${from} y=${HEIGHT - 4}>${text}</text>`,
      )}
      ${points.map(({ date, duration, tip }) => {
        const x = time(date);
        const shape =
          duration === null
            ? svg`<path class="mark ${COLOUR}" fill="currentColor" d="M${x} ${bottom - RADIUS - 1}l${RADIUS} ${RADIUS}l${-RADIUS} ${RADIUS}l${-RADIUS} ${-RADIUS}z"></path>`
            : svg`<line class="stem ${COLOUR}" x1=${x} x2=${x} y1=${bottom} y2=${y(duration)} stroke="currentColor" stroke-width="2"></line>
              <circle class="mark ${COLOUR}" fill="currentColor" cx=${x} cy=${y(duration)} r=${RADIUS}></circle>`;
        return svg`<g data-tip=${tip}>
          <rect class="target" x=${x - RADIUS * 1.5} y=${TOP - RADIUS} width=${RADIUS * 3} height=${bottom - TOP + RADIUS}></rect>${shape}</g>`;
      })}`;
    return { height: HEIGHT, content };
  }
}

function tickText(minutes: number): string {
  return minutes === 0 ? formatNumber(0) : formatDuration(minutes);
}
