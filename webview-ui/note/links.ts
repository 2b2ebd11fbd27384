import { html, nothing, type TemplateResult } from 'lit';
import type { FormLink, LinkState } from '../protocol/note';
import { t } from '../shared/l10n';
import type { Suggestion } from '../shared/suggest-field';
import { faults } from './fields';
import type { NoteView } from './view';
import { relationshipName, spaceName } from './words';

/** The row in which a relationship is made; it stands in no document yet. */
export interface NewLink extends FormLink {
  suggestions: readonly Suggestion[];
}

const STATE_ICONS: Record<LinkState, string> = {
  note: 'note',
  collection: 'library',
  registry: 'cloud',
  file: 'file',
  broken: 'warning',
  unknown: 'note',
};

/** What a link leads to is told by an icon, and by a word where nothing is there. */
export function stateIcon(state: LinkState): TemplateResult {
  return html`<span class="codicon codicon-${STATE_ICONS[state]} ${state}" aria-hidden="true"></span>`;
}

export function relationshipsSection(view: NoteView, added: NewLink) {
  const { draft, document: shown } = view;
  const isEnabled = view.canEditFields;
  const { relationships } = draft.fields;
  return html`<section class="relationships" aria-labelledby="relationships-heading">
    <h2 id="relationships-heading">${t('Relationships')}</h2>
    ${relationships.length === 0 ? html`<p class="quiet">${t('None yet. Links in the text count as references, too.')}</p>` : nothing}
    <ul class="rows">
      ${relationships.map((link, index) => relationship(view, link, shown.ends[index], index, isEnabled))}
    </ul>
    ${faults(view, 'relationships')} ${isEnabled ? addRow(view, added) : nothing}
  </section>`;
}

function relationship(
  view: NoteView,
  { type, target }: FormLink,
  end: { state: LinkState; title?: string } | undefined,
  index: number,
  isEnabled: boolean,
) {
  const remove = async () => {
    view.draft.removeRelationship(index);
    view.changed();
    await view.updateComplete;
    const buttons = document.querySelectorAll<HTMLElement>('.relationships .remove');
    (buttons[Math.min(index, buttons.length - 1)] ?? document.querySelector<HTMLElement>('#new-type'))?.focus();
  };
  return html`<li class="link-row">
    <span class="badge">${relationshipName(type)}</span>
    <span class="end">${end ? stateIcon(end.state) : nothing} ${linkEnd(view, target, end)}</span>
    ${
      isEnabled
        ? html`<button type="button" class="icon-button remove" aria-label=${t('Remove the relationship to {0}', target)} title=${t('Remove')} @click=${remove}>
            <span class="codicon codicon-trash" aria-hidden="true"></span>
          </button>`
        : nothing
    }
  </li>`;
}

function linkEnd(view: NoteView, target: string, end: { state: LinkState; title?: string } | undefined) {
  if (end?.state === 'broken') {
    const create = () => view.sayAfterEdits({ type: 'create', target });
    return html`<span>${t('{0} (not found)', target)}</span>
      ${view.canWrite ? html`<button type="button" class="link" @click=${create}>${t('Create Note')}</button>` : nothing}`;
  }
  const open = () => view.sayAfterEdits({ type: 'openLink', target });
  return html`<button type="button" class="link" @click=${open}>${end?.title ?? target}</button>
    ${end?.title === undefined ? nothing : html`<span class="quiet">${target}</span>`}`;
}

function addRow(view: NoteView, added: NewLink) {
  const { relationshipTypes } = view.surroundings;
  const add = async () => {
    const target = added.target.trim();
    if (target === '') return;
    view.draft.addRelationship({ type: added.type, target });
    added.target = '';
    view.changed();
    await view.updateComplete;
    document.querySelector<HTMLElement>('#new-target input')?.focus();
  };
  const suggest = async (typed: string) => {
    const items = await view.complete(typed, false);
    added.suggestions = items.map(({ text, description }) => ({ value: text, description }));
    view.changed();
  };
  const commit = ({ detail }: CustomEvent<string>) => {
    added.target = detail;
    view.changed();
  };
  return html`<div class="add-row" role="group" aria-label=${t('Add a relationship')}>
    <select
      id="new-type"
      class="field"
      aria-label=${t('Kind of relationship')}
      @change=${(event: Event) => {
        added.type = (event.target as HTMLSelectElement).value;
      }}
    >
      ${relationshipTypes.map((each) => html`<option value=${each} .selected=${each === added.type}>${relationshipName(each)}</option>`)}
    </select>
    <kaizen-suggest-field
      id="new-target"
      .label=${t('Note that it leads to')}
      .placeholder=${t('Id or title of a note')}
      .value=${added.target}
      .suggestions=${added.suggestions}
      .ranked=${true}
      @focusin=${() => added.suggestions.length === 0 && suggest('')}
      @type=${({ detail }: CustomEvent<string>) => suggest(detail)}
      @commit=${commit}
    ></kaizen-suggest-field>
    <vscode-button secondary icon="add" @click=${add}>${t('Add')}</vscode-button>
  </div>`;
}

/** What is not there, once that is known. */
function nothingYet({ surroundings }: NoteView, words: string) {
  if (surroundings.problem) return nothing;
  return html`<p class="quiet">${surroundings.isKnown ? words : t('The notes are still being indexed.')}</p>`;
}

export function backlinksSection(view: NoteView) {
  const { backlinks } = view.surroundings;
  return html`<section class="backlinks" aria-labelledby="backlinks-heading">
    <h2 id="backlinks-heading">${t('Backlinks')}</h2>
    ${backlinks.length === 0 ? nothingYet(view, t('No note links to this one.')) : nothing}
    <ul class="rows">
      ${backlinks.map(
        ({ space, file, zettel_id, title, types }) =>
          html`<li class="link-row">
            <span class="badge">${[...new Set(types)].map(relationshipName).join(', ')}</span>
            <span class="end">
              ${stateIcon('note')}
              <button type="button" class="link" @click=${() => view.sayAfterEdits({ type: 'openFile', space, file })}>${title}</button>
              <span class="quiet">${space === view.surroundings.space ? zettel_id : `${spaceName(space)} / ${zettel_id}`}</span>
            </span>
          </li>`,
      )}
    </ul>
  </section>`;
}

export function collectionsSection(view: NoteView) {
  const { collections } = view.surroundings;
  const add = () => view.sayAfterEdits({ type: 'run', command: 'addToCollection' });
  return html`<section class="collections" aria-labelledby="collections-heading">
    <h2 id="collections-heading">${t('Collections')}</h2>
    ${collections.length === 0 ? nothingYet(view, t('In no collection.')) : nothing}
    <ul class="rows">
      ${collections.map(
        ({ space, file, name }) =>
          html`<li class="link-row">
            <span class="end">
              ${stateIcon('collection')}
              <button type="button" class="link" @click=${() => view.sayAfterEdits({ type: 'openFile', space, file })}>${name}</button>
            </span>
          </li>`,
      )}
    </ul>
    ${view.canWrite ? html`<vscode-button secondary icon="library" @click=${add}>${t('Add to Collection…')}</vscode-button>` : nothing}
  </section>`;
}
