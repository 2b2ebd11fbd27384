import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { LONGEST_CONTENT } from '../protocol/limits';
import { t } from '../shared/l10n';
import '../shared/suggest-field';
import type { Suggestion } from '../shared/suggest-field';
import { type FormRow, type RowFault, rowFault } from './draft';
import { type KeyHelp, keyHelp, keySuggestions } from './metaknowledge-help';
import type { EntryView } from './view';

export function metaknowledgeSection(view: EntryView) {
  const { draft, document: shown, surroundings } = view;
  const isReadable = shown.faults.length === 0;
  const isEnabled = view.canWrite && isReadable;
  const keys = keySuggestions(surroundings?.knownKeys ?? [], draft.rows);
  const add = async () => {
    if (!isEnabled) return;
    const row = draft.addRow();
    view.changed();
    await view.updateComplete;
    document.querySelector<HTMLElement>(`#row-${row.id} kaizen-suggest-field`)?.focus();
  };
  return html`<section class="metaknowledge" aria-labelledby="metaknowledge-heading">
    <h2 id="metaknowledge-heading">${t('Metaknowledge')}</h2>
    ${isReadable ? nothing : html`<p class="quiet">${t('It can be edited here once the front matter can be read.')}</p>`}
    ${draft.rows.length === 0 && isReadable ? html`<p class="quiet">${t('Nothing yet. Say why the rule holds, since when, and for which files.')}</p>` : nothing}
    <ul class="rows">
      ${repeat(
        draft.rows,
        ({ id }) => id,
        (row) => rowFields(view, row, keys, isEnabled),
      )}
    </ul>
    <vscode-button secondary icon="add" ?disabled=${!isEnabled} aria-disabled=${!isEnabled} @click=${add}>${t('Add Metaknowledge')}</vscode-button>
  </section>`;
}

function rowFields(view: EntryView, row: FormRow, keys: readonly Suggestion[], isEnabled: boolean) {
  const { draft } = view;
  const fault = rowFault(draft.rows, row);
  const help = keyHelp(row, view.document.risks.length > 0);
  const note = `note-${row.id}`;
  const change = (values: Partial<FormRow>) => {
    draft.changeRow(row.id, values);
    view.changed();
  };
  const remove = async () => {
    const index = draft.rows.findIndex(({ id }) => id === row.id);
    draft.removeRow(row.id);
    view.changed();
    await view.updateComplete;
    // The focus stays near the place, for the next one.
    const buttons = document.querySelectorAll<HTMLElement>('.rows .remove');
    (
      buttons[Math.min(index, buttons.length - 1)] ??
      document.querySelector<HTMLElement>('.metaknowledge vscode-button')
    )?.focus();
  };
  return html`<li id=${`row-${row.id}`} class="row">
    <kaizen-suggest-field
      class="key"
      .label=${t('Key')}
      .placeholder=${t('Key')}
      .value=${row.key}
      .suggestions=${keys}
      .invalid=${fault !== undefined}
      .disabled=${!isEnabled}
      .describedBy=${note}
      @commit=${({ detail }: CustomEvent<string>) => change({ key: detail.trim() })}
    ></kaizen-suggest-field>
    ${valueField(row, help, note, isEnabled, (value) => change({ value }))}
    <button
      type="button"
      class="icon-button remove"
      aria-label=${row.key ? t('Remove {0}', row.key) : t('Remove This Row')}
      title=${t('Remove')}
      ?disabled=${!isEnabled}
      @click=${remove}
    >
      <span class="codicon codicon-trash" aria-hidden="true"></span>
    </button>
    <p id=${note} class="note">
      ${fault ? html`<span class="fault"><span class="note-icon codicon codicon-error" aria-hidden="true"></span>${faultText(fault, row.key)}</span>` : nothing}
      ${help.warning ? html`<span class="caution"><span class="note-icon codicon codicon-info" aria-hidden="true"></span>${help.warning}</span>` : nothing}
      ${help.hint ? html`<span class="quiet">${help.hint}</span>` : nothing}
    </p>
  </li>`;
}

function valueField(row: FormRow, help: KeyHelp, note: string, isEnabled: boolean, change: (value: string) => void) {
  const label = row.key ? t('Value of {0}', row.key) : t('Value');
  // A list is for one line; a text of several needs room.
  if (help.values && !row.value.includes('\n')) {
    return html`<kaizen-suggest-field
      class="value"
      .label=${label}
      .placeholder=${t('Value')}
      .value=${row.value}
      .suggestions=${help.values}
      .disabled=${!isEnabled}
      .describedBy=${note}
      @commit=${({ detail }: CustomEvent<string>) => change(detail)}
    ></kaizen-suggest-field>`;
  }
  return html`<textarea
    class="field value"
    rows="1"
    maxlength=${LONGEST_CONTENT}
    aria-label=${label}
    aria-describedby=${note}
    placeholder=${t('Value')}
    spellcheck="false"
    ?readonly=${!isEnabled}
    .value=${row.value}
    @input=${({ target }: Event) => change((target as HTMLTextAreaElement).value)}
  ></textarea>`;
}

function faultText(fault: RowFault, key: string): string {
  switch (fault) {
    case 'empty':
      return t('This value has no key yet, so it is not stored.');
    case 'duplicate':
      return t('{0} stands above already. This row is not stored; give it another key.', key);
    case 'long':
      return t('A key has 200 characters at most. This row is not stored.');
  }
}
