import { type SVGTemplateResult, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatPercent } from '../shared/formats';
import { type ChartColour, ChartElement } from './chart-element';

const WIDEST = 260;
const THICKNESS = 18;

/** One score as a half circle that fills, with its number and a word in the middle. */
@customElement('kaizen-gauge')
export class Gauge extends ChartElement {
  /** 0 to 1. */
  @property({ type: Number }) value = 0;
  @property() word = '';
  @property() colour: ChartColour = 'blue';

  protected override draw(width: number): { height: number; content: SVGTemplateResult } {
    const across = Math.min(width, WIDEST);
    const radius = (across - THICKNESS) / 2;
    const [x, y] = [width / 2, radius + THICKNESS / 2];
    const share = Math.min(1, Math.max(0, this.value));
    const content = svg`
      <path class="gauge-ground" d=${arc(x, y, radius, 1)} fill="none" stroke-width=${THICKNESS}></path>
      ${
        share > 0
          ? svg`<path class="gauge ${this.colour}" d=${arc(x, y, radius, share)} fill="none" stroke="currentColor" stroke-width=${THICKNESS}></path>`
          : undefined
      }
      <text class="gauge-number" x=${x} y=${y - 22} text-anchor="middle">${formatPercent(this.value)}</text>
      <text class="muted" x=${x} y=${y} text-anchor="middle">${this.word}</text>`;
    return { height: Math.ceil(y + THICKNESS / 2), content };
  }
}

/** From the left over the top, as far as `share` of the half circle goes. */
function arc(x: number, y: number, radius: number, share: number): string {
  const angle = Math.PI * (1 - share);
  const round = (value: number) => Math.round(value * 100) / 100;
  const end = [x + radius * Math.cos(angle), y - radius * Math.sin(angle)].map(round).join(' ');
  return `M${round(x - radius)} ${round(y)}A${round(radius)} ${round(radius)} 0 0 1 ${end}`;
}
