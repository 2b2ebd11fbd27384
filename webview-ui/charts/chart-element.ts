import {
  css,
  html,
  LitElement,
  nothing,
  type PropertyValues,
  type SVGTemplateResult,
  svg,
  type TemplateResult,
} from 'lit';
import { property, state } from 'lit/decorators.js';

/** Chart colours of the editor. Its orange is left out: the default themes make it nearly as dark as the ground. */
export type ChartColour = 'blue' | 'red' | 'yellow' | 'green' | 'purple';

export interface Series {
  label: string;
  colour: ChartColour;
  /** Tells it apart from a plain one without colour. */
  hatched?: boolean;
}

interface Tip {
  text: string;
  x: number;
  y: number;
}

/** Space between a pointer and the words beside it. */
const TIP_GAP = 12;

/**
 * A picture that is drawn for the width it has. Its numbers are also in the table of the figure around it, so to a
 * screen reader it is one image with a label that says the gist. Elements with `data-tip` show it under the pointer.
 */
export abstract class ChartElement extends LitElement {
  static override styles = css`
    :host {
      display: block;
      position: relative;
      font-size: 0.923em;
    }
    svg {
      display: block;
      overflow: visible;
    }
    text {
      fill: var(--vscode-foreground);
      font: inherit;
    }
    /* Numbers that stand on gridlines. */
    text.over {
      paint-order: stroke;
      stroke: var(--vscode-editor-background);
      stroke-width: 4px;
      stroke-linejoin: round;
    }
    .muted {
      fill: var(--vscode-descriptionForeground);
    }
    .gridline {
      stroke: var(--vscode-foreground);
      stroke-opacity: 0.12;
      stroke-width: 1;
      shape-rendering: crispEdges;
    }
    .baseline {
      stroke: var(--vscode-foreground);
      stroke-opacity: 0.5;
      stroke-width: 1;
      shape-rendering: crispEdges;
    }
    .blue { color: var(--vscode-charts-blue); }
    .red { color: var(--vscode-charts-red); }
    .yellow { color: var(--vscode-charts-yellow); }
    .green { color: var(--vscode-charts-green); }
    .purple { color: var(--vscode-charts-purple); }
    .mark {
      stroke: currentColor;
      stroke-width: 1;
    }
    .gauge-ground {
      stroke: var(--vscode-foreground);
      stroke-opacity: 0.14;
    }
    .gauge-number {
      font-size: 2.6em;
      font-weight: 600;
    }
    .hatch-ground {
      fill: var(--vscode-editor-background);
    }
    .hatch-lines {
      stroke: currentColor;
      stroke-width: 2;
    }
    .target {
      fill: transparent;
    }
    .target:hover {
      fill: var(--vscode-list-hoverBackground);
    }
    .tip {
      position: absolute;
      left: 0;
      top: 0;
      z-index: 1;
      max-width: min(320px, 90%);
      width: max-content;
      box-sizing: border-box;
      padding: 4px 8px;
      border: 1px solid var(--vscode-editorHoverWidget-border);
      border-radius: 3px;
      color: var(--vscode-editorHoverWidget-foreground);
      background: var(--vscode-editorHoverWidget-background);
      box-shadow: 0 2px 8px var(--vscode-widget-shadow);
      white-space: pre-line;
      pointer-events: none;
    }
    @media (forced-colors: active) {
      text {
        fill: CanvasText;
      }
      .gridline,
      .baseline {
        stroke: CanvasText;
      }
      .mark,
      .gauge,
      .gauge-ground {
        stroke: CanvasText;
      }
    }
  `;

  /** Says the gist of the picture. */
  @property() label = '';
  @state() private availableWidth = 0;
  @state() private tip: Tip | undefined;
  private readonly observer = new ResizeObserver(([entry]) => {
    this.availableWidth = Math.floor(entry?.contentRect.width ?? 0);
  });
  private measuring: CanvasRenderingContext2D | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    this.observer.disconnect();
    super.disconnectedCallback();
  }

  /** The picture for a width in pixels. */
  protected abstract draw(width: number): { height: number; content: SVGTemplateResult };

  protected override willUpdate(changed: PropertyValues): void {
    // What the tip says may no longer hold.
    if (!changed.has('tip')) this.tip = undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const width = this.availableWidth;
    if (width === 0) return nothing;
    const { height, content } = this.draw(width);
    return html`<svg
        role="img"
        aria-label=${this.label}
        width=${width}
        height=${height}
        viewBox="0 0 ${width} ${height}"
        @pointermove=${this.onPointerMove}
        @pointerleave=${this.hideTip}
      >${content}</svg>${this.tip ? html`<div class="tip" aria-hidden="true">${this.tip.text}</div>` : nothing}`;
  }

  /** How wide a text of the chart is, in pixels. */
  protected widthOf(text: string): number {
    this.measuring ??= document.createElement('canvas').getContext('2d') ?? undefined;
    if (!this.measuring) return text.length * 8;
    const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(this);
    this.measuring.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    return Math.ceil(this.measuring.measureText(text).width);
  }

  /** The text, shortened at its end to fit into a width. */
  protected fitted(text: string, width: number): string {
    if (this.widthOf(text) <= width) return text;
    const characters = [...text];
    while (characters.length > 1 && this.widthOf(`${characters.join('')}…`) > width) characters.pop();
    return `${characters.join('').trimEnd()}…`;
  }

  private readonly onPointerMove = (event: PointerEvent): void => {
    const target = event.target instanceof Element ? event.target.closest('[data-tip]') : null;
    const text = target?.getAttribute('data-tip');
    if (!text) {
      this.hideTip();
      return;
    }
    const { left, top } = this.getBoundingClientRect();
    this.tip = { text, x: event.clientX - left, y: event.clientY - top };
  };

  private readonly hideTip = (): void => {
    this.tip = undefined;
  };

  /** Beside the pointer, on the side where there is more room. */
  protected override updated(): void {
    const box = this.renderRoot.querySelector<HTMLElement>('.tip');
    if (!box || !this.tip) return;
    const { x, y } = this.tip;
    const [at, shift] = x > this.availableWidth / 2 ? [x - TIP_GAP, '-100%'] : [x + TIP_GAP, '0'];
    // Not by a `style` attribute, which the page's policy refuses.
    box.style.transform = `translate(${at}px, ${y + TIP_GAP}px) translateX(${shift})`;
  }
}

/** The patterns that marks of hatched series refer to: to be drawn once within the picture. */
export function hatchPatterns(series: readonly Series[]): SVGTemplateResult {
  return svg`<defs>${series
    .filter(({ hatched }) => hatched)
    .map(
      ({ colour }) => svg`<pattern
        id="hatch-${colour}" class=${colour} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"
      ><rect class="hatch-ground" width="6" height="6"></rect><line class="hatch-lines" x1="1" x2="1" y1="0" y2="6"></line></pattern>`,
    )}</defs>`;
}

/** A rectangle in the colour and pattern of a series. */
export function mark(
  { colour, hatched }: Series,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): SVGTemplateResult {
  // The stroke is half inside, so that a mark is as large as it says.
  const frame = { x: x + 0.5, y: y + 0.5, width: Math.max(width - 1, 0.5), height: Math.max(height - 1, 0.5) };
  return svg`<rect
    class="mark ${colour}" x=${frame.x} y=${frame.y} width=${frame.width} height=${frame.height} rx="1.5"
    fill=${hatched ? `url(#hatch-${colour})` : 'currentColor'}
  ></rect>`;
}
