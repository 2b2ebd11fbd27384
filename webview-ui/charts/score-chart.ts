import { type SVGTemplateResult, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatPercent } from '../shared/formats';
import { type ChartColour, ChartElement, hatchPatterns, mark } from './chart-element';

export interface Score {
  label: string;
  /** 0 to 1. */
  value: number;
  colour: ChartColour;
  /** Marks what is too low without colour. */
  hatched?: boolean;
  /** Stands behind the number: what it means, in a word or two. */
  note: string;
  /** All there is to say about it. */
  tip: string;
}

const ROW = 34;
const THICKNESS = 14;
const AXIS = 24;
const GAP = 8;
/** The part of the width that labels may take. */
const LABELS = 0.34;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** Scores from 0 to 100 % as bars with their names, numbers and a word beside them. */
@customElement('kaizen-score-chart')
export class ScoreChart extends ChartElement {
  @property({ attribute: false }) scores: readonly Score[] = [];

  protected override draw(width: number): { height: number; content: SVGTemplateResult } {
    const { scores } = this;
    const labels = Math.max(0, ...scores.map(({ label }) => this.widthOf(label)));
    const left = Math.min(labels, Math.floor(width * LABELS)) + GAP;
    const notes = Math.max(0, ...scores.map(({ value, note }) => this.widthOf(`${formatPercent(value)}  ${note}`)));
    const length = Math.max(40, width - left - Math.min(notes, width * LABELS) - GAP * 2);
    const bottom = scores.length * ROW;
    const hatched = scores.flatMap(({ label, colour, hatched: isHatched }) =>
      isHatched ? [{ label, colour, hatched: true }] : [],
    );
    const patterns = hatched.filter(
      ({ colour }, index) => hatched.findIndex((each) => each.colour === colour) === index,
    );
    const content = svg`
      ${hatchPatterns(patterns)}
      ${TICKS.map((tick) => {
        const x = Math.round(left + tick * length) + 0.5;
        return svg`<line class=${tick === 0 ? 'baseline' : 'gridline'} x1=${x} x2=${x} y1="0" y2=${bottom}></line>
          <text class="muted" x=${x} y=${bottom + 16} text-anchor="middle">${formatPercent(tick)}</text>`;
      })}
      ${scores.map((score, index) => {
        const { label, value, note, tip } = score;
        const y = index * ROW;
        const middle = y + ROW / 2;
        const long = Math.max(2, value * length);
        return svg`<rect class="target" data-tip=${tip} x="0" y=${y} width=${width} height=${ROW}></rect>
          <g pointer-events="none">
            <text x="0" y=${middle} dominant-baseline="central">${this.fitted(label, left - GAP)}</text>
            ${value > 0 ? mark(score, { x: left + 1, y: middle - THICKNESS / 2, width: long, height: THICKNESS }) : undefined}
            <text class="over" x=${left + length + GAP} y=${middle} dominant-baseline="central">${formatPercent(value)}
              <tspan class="muted" dx="4">${note}</tspan></text>
          </g>`;
      })}`;
    return { height: bottom + AXIS, content };
  }
}
