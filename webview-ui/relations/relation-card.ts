import { html, type TemplateResult } from 'lit';
import type { Graph } from '../graph/model';
import { nodeSymbol } from '../graph/symbols';
import { kindText } from '../graph/words';
import type { RelationDetail, RelationEndDetail } from '../protocol/relations';
import { formatLocalDay, formatPercent } from '../shared/formats';
import { t } from '../shared/l10n';

export interface RelationCardActions {
  writable: boolean;
  /** Where the picture begins; undefined in an overview. */
  start: string | undefined;
  isExpanded: boolean;
  open(id: string): void;
  begin(): void;
  expand(): void;
  add(): void;
  remove(relation: string): void;
  /** Have the person choose where it leads. */
  way(): void;
  wayFromStart(): void;
  /** Another thing: it is selected where it is in the picture, else looked at. */
  choose(id: string): void;
  close(): void;
}

/** What is known of the selected thing: how it is related, why, how sure, and who says so. */
export function relationCard(
  graph: Graph,
  index: number,
  details: { relations: readonly RelationDetail[]; more: boolean } | undefined,
  actions: RelationCardActions,
): TemplateResult {
  const node = graph.node(index);
  const isStart = actions.start === node.id;
  return html`<section class="card" aria-labelledby="card-title">
    <div class="card-head">
      ${nodeSymbol(node.kind)}
      <h2 id="card-title">${node.label}</h2>
      <button class="icon-button" title=${t('Clear Selection')} aria-label=${t('Clear Selection')} @click=${actions.close}>
        <span class="codicon codicon-close" aria-hidden="true"></span>
      </button>
    </div>
    <p class="quiet">${kindText(graph, index)} · <code>${node.detail}</code></p>
    <div class="card-actions">
      <vscode-button @click=${() => actions.open(node.id)}>${t('Open')}</vscode-button>
      ${isStart ? '' : html`<vscode-button secondary @click=${actions.begin}>${t('Show from Here')}</vscode-button>`}
      ${
        actions.start === undefined || isStart
          ? ''
          : html`<vscode-button secondary @click=${actions.expand}>${
              actions.isExpanded ? t('Without Its Neighbours') : t('With Its Neighbours')
            }</vscode-button>
            <vscode-button secondary @click=${actions.wayFromStart}>${t('Way from the Beginning')}</vscode-button>`
      }
      <vscode-button secondary @click=${actions.way}>${t('Way to…')}</vscode-button>
      <vscode-button secondary ?disabled=${!actions.writable} @click=${actions.add}>${t('Add Relation…')}</vscode-button>
    </div>
    ${details === undefined ? '' : list(node.label, details, actions)}
  </section>`;
}

function list(
  label: string,
  { relations, more }: { relations: readonly RelationDetail[]; more: boolean },
  actions: RelationCardActions,
): TemplateResult {
  if (relations.length === 0) return html`<p class="quiet">${t('It is related to nothing.')}</p>`;
  return html`<ul class="relations" aria-label=${t('Relations of {0}', label)}>
      ${relations.map((relation) => html`<li>${item(relation, actions)}</li>`)}
    </ul>
    ${more ? html`<p class="quiet">${t('The newest {0} are shown.', relations.length)}</p>` : ''}`;
}

function item(relation: RelationDetail, actions: RelationCardActions): TemplateResult {
  const { id, word, isOutgoing, mutual, other, context, confidence, provenance, evidence, author, at } = relation;
  const facts = [
    confidence < 1 ? t('{0} sure', formatPercent(confidence)) : '',
    mutual ? t('both ways') : '',
    provenance,
    author,
    at === '' ? '' : formatLocalDay(at),
  ];
  return html`<div class="relation-head">
      <span class="codicon codicon-arrow-${mutual ? 'both' : isOutgoing ? 'right' : 'left'}" aria-hidden="true"></span>
      <span>${word}</span>
      ${
        relation.isStated
          ? ''
          : html`<button
              class="icon-button"
              title=${t('Remove')}
              aria-label=${t('Remove: {0} {1}', word, other.label)}
              ?disabled=${!actions.writable}
              @click=${() => actions.remove(id)}
            ><span class="codicon codicon-trash" aria-hidden="true"></span></button>`
      }
    </div>
    ${end(other, () => actions.choose(other.id))}
    ${context === '' ? '' : html`<p class="context">${context}</p>`}
    <p class="quiet">${facts.filter(Boolean).join(' · ')}</p>
    ${relation.isStated ? html`<p class="quiet">${t('This file says so, and there it is changed.')}</p>` : ''}
    ${
      evidence.length === 0
        ? ''
        : html`<p class="quiet">${t('Shown by')}</p>
          ${evidence.map((each) => end(each, () => actions.open(each.id)))}`
    }`;
}

function end({ label, kind }: RelationEndDetail, choose: () => void): TemplateResult {
  return html`<button class="link" @click=${choose}>${nodeSymbol(kind)}<span>${label}</span></button>`;
}
