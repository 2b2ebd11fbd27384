import { html, nothing, type TemplateResult } from 'lit';
import { formatLocalTime } from '../shared/formats';
import { t } from '../shared/l10n';
import '../shared/suggest-field';
import type { NoteView } from './view';
import { entryTypeName, sourceTypeName, spaceName } from './words';

const LONGEST_TITLE = 300;
const LONGEST_URL = 2_000;

/** What the front matter says, a line each. */
export function fieldsSection(view: NoteView) {
  const { draft, document: shown, surroundings } = view;
  const { space, category } = surroundings;
  const isEnabled = view.canEditFields;
  const text = (name: 'title' | 'source_url') => (event: Event) => {
    draft.set(name, (event.target as HTMLInputElement).value);
    view.changed();
  };
  return html`<section class="fields" aria-labelledby="fields-heading">
    <h2 id="fields-heading">${t('Note')}</h2>
    ${shown.isReadable ? nothing : html`<p class="quiet">${t('It can be edited here once the front matter can be read.')}</p>`}
    <div class="grid">
      ${labelled(
        t('Id'),
        html`<span class="value"><code>${shown.zettel_id}</code></span> ${acting(view, t('Rename…'), t('Rename the note, and have links to it follow'), 'rename')}`,
        faults(view, 'zettel_id'),
      )}
      ${labelled(
        t('Title'),
        html`<input
          id="field-title"
          class="field"
          maxlength=${LONGEST_TITLE}
          aria-label=${t('Title')}
          aria-describedby="faults-title"
          ?readonly=${!isEnabled}
          .value=${draft.fields.title}
          @input=${text('title')}
        />`,
        faults(view, 'title'),
      )}
      ${labelled(
        t('Type'),
        select(view, 'entry_type', t('Type'), surroundings.entryTypes, entryTypeName, isEnabled),
        faults(view, 'entry_type'),
      )}
      ${labelled(
        t('Category'),
        html`<span class="value">${spaceName(space)}${category === '' ? '' : ` / ${category}`}</span>
          ${acting(view, t('Move…'), t('Move the note to another category or space'), 'move')}`,
      )}
      ${labelled(t('Tags'), tags(view, isEnabled), faults(view, 'tags'))}
      ${labelled(
        t('Source'),
        select(view, 'source_type', t('Source'), surroundings.sourceTypes, sourceTypeName, isEnabled),
        faults(view, 'source_type'),
      )}
      ${labelled(
        t('Source address'),
        html`<input
          class="field"
          type="url"
          maxlength=${LONGEST_URL}
          placeholder="https://"
          spellcheck="false"
          aria-label=${t('Source address')}
          aria-describedby="faults-source_url"
          ?readonly=${!isEnabled}
          .value=${draft.fields.source_url}
          @input=${text('source_url')}
        />`,
        faults(view, 'source_url'),
      )}
      ${shown.created_at ? labelled(t('Created'), html`<span class="value">${time(shown.created_at)}</span>`, faults(view, 'created_at')) : nothing}
      ${shown.updated_at ? labelled(t('Updated'), html`<span class="value">${time(shown.updated_at)}</span>`, faults(view, 'updated_at')) : nothing}
    </div>
  </section>`;
}

/** Said beside the field that it is about. */
export function faults(view: NoteView, field: string): TemplateResult {
  const found = view.document.problems.filter((problem) => problem.field === field);
  return html`<p id=${`faults-${field}`} class="faults">
    ${found.map(
      ({ message, isGrave }) =>
        html`<span class=${isGrave ? 'fault' : 'quiet'}
          ><span class="note-icon codicon codicon-${isGrave ? 'warning' : 'info'}" aria-hidden="true"></span>${message}</span
        >`,
    )}
  </p>`;
}

function labelled(label: string, control: TemplateResult, below: TemplateResult | typeof nothing = nothing) {
  return html`<div class="line">
    <span class="label quiet" aria-hidden="true">${label}</span>
    <div class="control" role="group" aria-label=${label}>${control}</div>
    ${below}
  </div>`;
}

function acting(view: NoteView, label: string, title: string, command: 'rename' | 'move') {
  if (!view.canWrite) return nothing;
  const run = () => view.sayAfterEdits({ type: 'run', command });
  return html`<button type="button" class="link" title=${title} @click=${run}>${label}</button>`;
}

function select(
  view: NoteView,
  field: 'entry_type' | 'source_type',
  label: string,
  values: readonly string[],
  nameOf: (value: string) => string,
  isEnabled: boolean,
) {
  const value = view.draft.fields[field];
  const onChange = (event: Event) => {
    view.draft.set(field, (event.target as HTMLSelectElement).value);
    view.changed();
  };
  return html`<select class="field" aria-label=${label} aria-describedby=${`faults-${field}`} ?disabled=${!isEnabled} @change=${onChange}>
    ${
      field === 'source_type' || value === ''
        ? html`<option value="" .selected=${value === ''}>${field === 'source_type' ? t('None') : t('Choose a type')}</option>`
        : nothing
    }
    ${values.map((each) => html`<option value=${each} .selected=${each === value}>${nameOf(each)}</option>`)}
  </select>`;
}

function tags(view: NoteView, isEnabled: boolean) {
  const { draft, surroundings } = view;
  const current = draft.fields.tags;
  const change = (list: string[]) => {
    draft.set('tags', list);
    view.changed();
  };
  const add = (event: CustomEvent<string>) => {
    const field = event.target as HTMLElement & { value: string };
    const added = event.detail.split(',').map((tag) => tag.trim().replace(/^#+/, ''));
    field.value = '';
    field.querySelector('input')!.value = '';
    change([...new Set([...current, ...added.filter((tag) => tag !== '')])]);
  };
  const remove = async (tag: string) => {
    change(current.filter((each) => each !== tag));
    await view.updateComplete;
    document.querySelector<HTMLElement>('.tags kaizen-suggest-field')?.focus();
  };
  return html`<div class="tags">
    ${current.map(
      (tag) =>
        html`<span class="badge tag"
          >${tag}${
            isEnabled
              ? html`<button type="button" aria-label=${t('Remove the tag {0}', tag)} title=${t('Remove')} @click=${() => remove(tag)}>
                  <span class="codicon codicon-close" aria-hidden="true"></span>
                </button>`
              : nothing
          }</span
        >`,
    )}
    <kaizen-suggest-field
      .label=${t('Add a tag')}
      .placeholder=${t('Add a tag')}
      .suggestions=${surroundings.tags.filter((tag) => !current.includes(tag)).map((value) => ({ value }))}
      .disabled=${!isEnabled}
      .describedBy=${'faults-tags'}
      @commit=${add}
    ></kaizen-suggest-field>
  </div>`;
}

function time(iso: string): string {
  return Number.isNaN(Date.parse(iso)) ? iso : formatLocalTime(iso);
}
