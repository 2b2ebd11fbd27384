import { html, svg, type TemplateResult } from 'lit';
import type { GraphEdgeType } from '../protocol/graph';
import { dashOf, isBold, svgShape } from './shapes';
import { COLOURS, kindColour } from './theme';

/** What stands for a node in lists and in the legend: the shape and colour that it has in the picture. */
export function nodeSymbol(kind: number | undefined, missing = false): TemplateResult {
  if (missing) {
    return html`<svg class="symbol" viewBox="-8 -8 16 16" aria-hidden="true">
      <circle r="5" fill="none" stroke="currentColor" stroke-width="1.4" stroke-dasharray="2.6 1.8"></circle>
    </svg>`;
  }
  // Colours of a theme are variables, which an attribute cannot hold: classes name them.
  return html`<svg class="symbol ${kind === undefined ? 'kind-none' : `kind-${kind % COLOURS}`}" viewBox="-8 -8 16 16" aria-hidden="true">
    <path d=${svgShape(kind ?? 0, 5)} fill="currentColor"></path>
  </svg>`;
}

/** The line and the arrow that edges of a type have in the picture. */
export function edgeSymbol(type: number, { isDirected, colour }: GraphEdgeType): TemplateResult {
  const dash = dashOf(type).join(' ');
  return html`<svg class="line-symbol ${colour === undefined ? '' : `kind-${colour % COLOURS}`}" viewBox="0 0 34 10" aria-hidden="true">
    <line
      x1="1" y1="5" x2=${isDirected ? 27 : 33} y2="5"
      stroke="currentColor"
      stroke-width=${isBold(type) ? 2.2 : 1.2}
      stroke-dasharray=${dash || 'none'}
    ></line>
    ${isDirected ? svg`<path d="M33 5L26 1.5V8.5Z" fill="currentColor"></path>` : ''}
  </svg>`;
}

/** The style sheet of the kinds' colours, as the editor's variables: follows themes by itself. */
export function adoptKindColours(): void {
  const sheet = new CSSStyleSheet();
  const rules = Array.from(
    { length: COLOURS },
    (_, kind) => `:is(.symbol, .line-symbol).kind-${kind} { color: ${kindColour(kind)}; }`,
  );
  sheet.replaceSync(rules.join('\n'));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
