import { html, type TemplateResult } from 'lit';
import type { Graph } from '../graph/model';
import { nodeSymbol } from '../graph/symbols';
import type { RelationsWay } from '../protocol/relations';
import { formatPercent } from '../shared/formats';
import { t } from '../shared/l10n';

export interface WayActions {
  choose(index: number): void;
  leave(): void;
}

/** The way in words, from one thing to the next. */
export function wayPanel(graph: Graph, way: RelationsWay, actions: WayActions): TemplateResult {
  return html`<section class="way" aria-labelledby="way-title">
    <div class="way-head">
      <h2 id="way-title">${way.nodes.length === 0 ? t('No way') : title(way)}</h2>
      <button class="icon-button" title=${t('Close')} aria-label=${t('Close the Way')} @click=${actions.leave}>
        <span class="codicon codicon-close" aria-hidden="true"></span>
      </button>
    </div>
    ${
      way.nodes.length === 0
        ? html`<p role="status">${
            way.truncated
              ? t('No way was found among what was looked at: too much is related.')
              : t('No relations lead from the one to the other.')
          }</p>`
        : html`<ol>
            ${way.nodes.map((node, place) => {
              const { label, kind } = graph.node(node);
              return html`<li>
                ${place === 0 ? '' : html`<span class="quiet">${wordBefore(graph, way, place)}</span>`}
                <button class="link" @click=${() => actions.choose(node)}>${nodeSymbol(kind)}<span>${label}</span></button>
              </li>`;
            })}
          </ol>`
    }
  </section>`;
}

function title({ edges, confidence }: RelationsWay): string {
  const steps = edges.length === 1 ? t('1 step') : t('{0} steps', edges.length);
  return confidence < 1 ? t('Way: {0}, {1} sure', steps, formatPercent(confidence)) : t('Way: {0}', steps);
}

/** What the node before this one on the way is to it. */
function wordBefore(graph: Graph, { nodes, edges }: RelationsWay, place: number): string {
  const edge = graph.edges[edges[place - 1] ?? -1];
  const type = edge && graph.types[edge.type];
  if (!edge || !type) return '';
  return edge.from === nodes[place - 1] ? type.name : type.reverse;
}
