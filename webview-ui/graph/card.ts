import { html, type TemplateResult } from 'lit';
import { t } from '../shared/l10n';
import type { Graph, Link } from './model';
import { nodeSymbol } from './symbols';
import { kindText, placeText } from './words';

export interface CardActions {
  writable: boolean;
  open(): void;
  create(): void;
  /** Only this node and its neighbours from now on. */
  explore(): void;
  choose(index: number): void;
  close(): void;
}

/** Of one type and direction; more are reached in the list, with the neighbours alone. */
const MOST_LINKS = 40;

/** What is known of the selected node, and where its links lead. */
export function card(graph: Graph, index: number, actions: CardActions): TemplateResult {
  const node = graph.node(index);
  const facts = [kindText(graph, index), placeText(graph, index)].filter(Boolean).join(' · ');
  return html`<section class="card" aria-labelledby="card-title">
    <div class="card-head">
      ${nodeSymbol(node.kind, node.missing)}
      <h2 id="card-title">${node.label}</h2>
      <button class="icon-button" title=${t('Clear Selection')} aria-label=${t('Clear Selection')} @click=${actions.close}>
        <span class="codicon codicon-close" aria-hidden="true"></span>
      </button>
    </div>
    <p class="quiet">${facts}</p>
    ${node.detail && node.detail !== node.label ? html`<p class="quiet"><code>${node.detail}</code></p>` : ''}
    <div class="card-actions">
      ${
        node.missing
          ? html`<vscode-button ?disabled=${!actions.writable} @click=${actions.create}>${t('Create Note…')}</vscode-button>`
          : html`<vscode-button @click=${actions.open}>${t('Open')}</vscode-button>`
      }
      <vscode-button secondary @click=${actions.explore}>${t('Only Neighbours')}</vscode-button>
    </div>
    ${links(graph, index, actions)}
  </section>`;
}

function links(graph: Graph, index: number, actions: CardActions): TemplateResult {
  const all = graph.links(index);
  if (all.length === 0) return html`<p class="quiet">${t('Nothing is linked with it.')}</p>`;
  const directions = [true, false].flatMap((isOutgoing) =>
    graph.types.map((type, place) => {
      const isOf = (link: Link) => link.isOutgoing === isOutgoing && graph.edges[link.edge]?.type === place;
      return { name: isOutgoing ? type.name : type.reverse, links: all.filter(isOf) };
    }),
  );
  return html`<dl class="card-links">
    ${directions
      .filter((direction) => direction.links.length > 0)
      .map(
        (direction) => html`<dt>${direction.name}</dt>
          <dd>
            <ul>
              ${direction.links.slice(0, MOST_LINKS).map(({ other }) => {
                const { label, kind, missing } = graph.node(other);
                return html`<li>
                  <button class="link" title=${missing ? t('{0} does not exist', label) : label} @click=${() => actions.choose(other)}>
                    ${nodeSymbol(kind, missing)}<span>${label}</span>
                  </button>
                </li>`;
              })}
              ${
                direction.links.length > MOST_LINKS
                  ? html`<li class="quiet">${t('and {0} more', direction.links.length - MOST_LINKS)}</li>`
                  : ''
              }
            </ul>
          </dd>`,
      )}
  </dl>`;
}
