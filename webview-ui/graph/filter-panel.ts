import { html, type TemplateResult } from 'lit';
import { formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { type Filters, MOST_STEPS, NO_KIND } from './filter';
import type { Graph } from './model';
import { edgeSymbol, nodeSymbol } from './symbols';

export interface FilterActions {
  change(changed: Partial<Filters>): void;
  /** Whether the legend is unfolded. */
  isUnfolded: boolean;
  unfold(isUnfolded: boolean): void;
  /** From the search field on into the list. */
  intoList(): void;
}

/** What is to be listed and seen: search, place, neighbours. */
export function filterPanel(graph: Graph, filters: Filters, actions: FilterActions): TemplateResult {
  return html`<search class="filters">
    ${searchField(filters, actions)} ${places(graph, filters, actions)} ${around(graph, filters, actions)}
  </search>`;
}

/** Words that nodes are looked for by. */
export function searchField(filters: Filters, actions: FilterActions): TemplateResult {
  return html`<input
      class="field"
      type="search"
      autocomplete="off"
      spellcheck="false"
      aria-label=${t('Search nodes')}
      placeholder=${t('Search nodes')}
      .value=${filters.text}
      @input=${(event: Event) => actions.change({ text: (event.target as HTMLInputElement).value })}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        actions.intoList();
      }}
    />`;
}

/** What shapes and lines stand for; each can be hidden. */
export function legend(graph: Graph, filters: Filters, actions: FilterActions): TemplateResult {
  return html`<details
    class="legend"
    ?open=${actions.isUnfolded}
    @toggle=${(event: Event) => actions.unfold((event.target as HTMLDetailsElement).open)}
  >
    <summary>${t('Legend')}</summary>
    ${kinds(graph, filters, actions)} ${types(graph, filters, actions)}
    <label class="check">
      <input
        type="checkbox"
        .checked=${filters.hidesUnlinked}
        @change=${(event: Event) => actions.change({ hidesUnlinked: (event.target as HTMLInputElement).checked })}
      />
      ${t('Hide what has no links')}
    </label>
  </details>`;
}

function places(graph: Graph, { where }: Filters, actions: FilterActions): TemplateResult {
  const names = [...new Set(graph.groups.map(({ place }) => place))];
  const groups = graph.groups.map(({ id, name, place }) => ({ id, name: name || place, place }));
  const current = !where ? '' : 'group' in where ? `group:${where.group}` : `place:${where.place}`;
  const choose = (event: Event) => {
    const { value } = event.target as HTMLSelectElement;
    const [sort = '', ...rest] = value.split(':');
    const name = rest.join(':');
    actions.change({ where: sort === 'group' ? { group: name } : sort === 'place' ? { place: name } : undefined });
  };
  return html`<select class="field" aria-label=${t('Filter by place')} @change=${choose}>
    <option value="" ?selected=${current === ''}>${t('All places')}</option>
    ${names.map(
      (place) => html`<optgroup label=${place}>
        <option value=${`place:${place}`} ?selected=${current === `place:${place}`}>${t('All of {0}', place)}</option>
        ${groups
          .filter((group) => group.place === place)
          .map(
            ({ id, name }) =>
              html`<option value=${`group:${id}`} ?selected=${current === `group:${id}`}>${name}</option>`,
          )}
      </optgroup>`,
    )}
  </select>`;
}

function around(graph: Graph, filters: Filters, actions: FilterActions): TemplateResult | '' {
  const centre = graph.indexOf(filters.around?.id);
  if (centre === undefined || !filters.around) return '';
  const { id, steps } = filters.around;
  const choose = (event: Event) =>
    actions.change({ around: { id, steps: Number((event.target as HTMLSelectElement).value) } });
  return html`<div class="around">
    <span class="around-name">${t('Neighbours of {0}', graph.node(centre).label)}</span>
    <select class="field" aria-label=${t('Within how many steps')} @change=${choose}>
      ${Array.from({ length: MOST_STEPS }, (_, index) => index + 1).map(
        (count) =>
          html`<option value=${count} ?selected=${count === steps}>${
            count === 1 ? t('1 step') : t('{0} steps', count)
          }</option>`,
      )}
    </select>
    <button class="icon-button" title=${t('Show All')} aria-label=${t('Show All')} @click=${() => actions.change({ around: undefined })}>
      <span class="codicon codicon-close" aria-hidden="true"></span>
    </button>
  </div>`;
}

function kinds(graph: Graph, filters: Filters, actions: FilterActions): TemplateResult {
  const counts = new Map<number | undefined, number>();
  let missing = 0;
  for (const node of graph.nodes) {
    if (node.missing) missing++;
    else counts.set(node.kind, (counts.get(node.kind) ?? 0) + 1);
  }
  const toggle = (id: string) => actions.change({ hiddenKinds: toggled(filters.hiddenKinds, id) });
  return html`<fieldset>
    <legend>${t('Nodes')}</legend>
    <div class="chips">
    ${graph.kinds.map(({ id, name }, kind) =>
      counts.has(kind)
        ? chip(nodeSymbol(kind), name, counts.get(kind) ?? 0, !filters.hiddenKinds.includes(id), () => toggle(id))
        : '',
    )}
    ${
      counts.has(undefined)
        ? chip(
            nodeSymbol(undefined),
            t('no type'),
            counts.get(undefined) ?? 0,
            !filters.hiddenKinds.includes(NO_KIND),
            () => toggle(NO_KIND),
          )
        : ''
    }
    ${
      missing > 0
        ? chip(nodeSymbol(undefined, true), t('does not exist'), missing, !filters.hidesMissing, () =>
            actions.change({ hidesMissing: !filters.hidesMissing }),
          )
        : ''
    }
    </div>
  </fieldset>`;
}

function types(graph: Graph, filters: Filters, actions: FilterActions): TemplateResult | '' {
  const counts = new Map<number, number>();
  for (const { type } of graph.edges) counts.set(type, (counts.get(type) ?? 0) + 1);
  if (counts.size === 0) return '';
  const toggle = (id: string) => actions.change({ hiddenTypes: toggled(filters.hiddenTypes, id) });
  return html`<fieldset>
    <legend>${t('Links')}</legend>
    <div class="chips">
    ${graph.types.map((type, place) =>
      counts.has(place)
        ? chip(edgeSymbol(place, type), type.name, counts.get(place) ?? 0, !filters.hiddenTypes.includes(type.id), () =>
            toggle(type.id),
          )
        : '',
    )}
    </div>
  </fieldset>`;
}

function chip(symbol: TemplateResult, name: string, count: number, isOn: boolean, toggle: () => void): TemplateResult {
  return html`<button class="chip" aria-pressed=${isOn} @click=${toggle}>
    ${symbol}<span class="chip-name">${name}</span><span class="chip-count">${formatNumber(count)}</span>
  </button>`;
}

function toggled(ids: readonly string[], id: string): string[] {
  return ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
}
