import { html, nothing, type TemplateResult } from 'lit';
import { LONGEST_TEXT } from '../protocol/limits';
import type { ListField, TextField } from '../protocol/project';
import { t } from '../shared/l10n';
import type { FieldView, Standing } from './fields';
import type { Page } from './page';

export interface FieldOptions {
  label: string;
  hint?: string;
  placeholder?: string;
  /** Of more lines than one, so many. */
  rows?: number;
}

/** A text that is stored when the person leaves it. */
export function textField(page: Page, name: TextField, options: FieldOptions): TemplateResult {
  const view = page.fields.text(name);
  const { placeholder = '', rows } = options;
  const id = `field-${name}`;
  const type = (event: Event) => page.fields.type(name, textOf(event));
  const save = () => page.fields.save(name);
  const control = rows
    ? html`<textarea class="field" maxlength=${LONGEST_TEXT} id=${id} rows=${rows} placeholder=${placeholder} .value=${view.value}
        ?readonly=${!page.state.writable} @input=${type} @focusout=${save}></textarea>`
    : html`<input class="field" maxlength=${LONGEST_TEXT} id=${id} placeholder=${placeholder} .value=${view.value}
        ?readonly=${!page.state.writable} @input=${type} @focusout=${save}
        @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && save()} />`;
  return html`<div class="edited" data-field=${name}>
    ${fieldHead(view, options, id)} ${control} ${trouble(page, name, view)}
  </div>`;
}

/** A list, a row an item; what is typed in the empty last row is added. Stored when the person leaves a row. */
export function listField(page: Page, name: ListField, options: FieldOptions): TemplateResult {
  const view = page.fields.list(name);
  const { writable } = page.state;
  const rows = writable ? [...view.value, ''] : view.value;
  const set = (items: string[]) => page.fields.type(name, items);
  const row = (index: number) => `[data-field="${name}"] [data-row="${index}"]`;
  const type = (index: number, text: string) =>
    set(rows.with(index, text).slice(0, Math.max(view.value.length, index + 1)));
  const remove = (index: number) => {
    set(view.value.toSpliced(index, 1));
    void page.fields.save(name);
    void page.focusOn(row(Math.min(index, view.value.length - 1)));
  };
  const move = (index: number, by: number) => {
    const to = index + by;
    const item = view.value[index];
    if (item === undefined || to < 0 || to >= view.value.length) return;
    set(view.value.toSpliced(index, 1).toSpliced(to, 0, item));
    void page.fields.save(name);
    void page.focusOn(row(to));
    page.announce(t('Moved to place {0} of {1}', to + 1, view.value.length));
  };
  const press = (index: number, event: KeyboardEvent) => {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      move(index, event.key === 'ArrowUp' ? -1 : 1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      void page.focusOn(row(index + 1));
    }
  };
  return html`<div class="edited" data-field=${name} role="group" aria-label=${options.label}>
    ${fieldHead(view, options)}
    <div class="rows">
      ${rows.map((item, index) => {
        const isNew = index === view.value.length;
        const label = isNew ? t('Add to {0}', options.label) : t('{0}, item {1}', options.label, index + 1);
        return html`<div class="row">
          <textarea
            class="field" maxlength=${LONGEST_TEXT}
            rows="1"
            data-row=${index}
            aria-label=${label}
            placeholder=${isNew ? (options.placeholder ?? '') : ''}
            .value=${item}
            ?readonly=${!writable}
            @input=${(event: Event) => type(index, asOneLine(textOf(event)))}
            @focusout=${() => page.fields.save(name)}
            @keydown=${(event: KeyboardEvent) => press(index, event)}
          ></textarea>
          ${
            isNew || !writable
              ? nothing
              : html`${tool('arrow-up', t('Move {0} up', item), () => move(index, -1), index === 0)}
                  ${tool('arrow-down', t('Move {0} down', item), () => move(index, 1), index === view.value.length - 1)}
                  ${tool('close', t('Remove {0}', item), () => remove(index))}`
          }
        </div>`;
      })}
    </div>
    ${trouble(page, name, view)}
  </div>`;
}

/** A long item shows on several lines and is one all the same: what is pasted may hold line breaks. */
function asOneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ');
}

/** What stands in the control that the event comes from. */
export function textOf(event: Event): string {
  return (event.currentTarget as HTMLInputElement).value;
}

/** A button that is an icon only. */
export function tool(icon: string, label: string, run: () => unknown, disabled = false): TemplateResult {
  return html`<button class="icon-button" title=${label} aria-label=${label} ?disabled=${disabled} @click=${run}>
    <span class="codicon codicon-${icon}" aria-hidden="true"></span>
  </button>`;
}

function fieldHead({ standing }: FieldView<string | string[]>, { label, hint }: FieldOptions, id?: string) {
  return html`<div class="edited-head">
      ${id ? html`<label class="label" for=${id}>${label}</label>` : html`<span class="label">${label}</span>`}
      ${standingSign(standing)}
    </div>
    ${hint ? html`<p class="hint">${hint}</p>` : nothing}`;
}

export function standingSign(standing: Standing): TemplateResult {
  const signs: Partial<Record<Standing, [string, string]>> = {
    typing: ['circle-filled', t('Not saved yet')],
    saving: ['sync', t('Saving…')],
    saved: ['check', t('Saved')],
    refused: ['error', t('Not saved')],
    conflict: ['warning', t('Not saved')],
  };
  const [icon, text] = signs[standing] ?? [];
  return html`<span class="standing ${standing}" role="status">
    ${icon ? html`<span class="codicon codicon-${icon}" aria-hidden="true"></span>${text}` : nothing}
  </span>`;
}

/** Why it is not stored, and what can be done about it. */
export function trouble(
  page: Page,
  name: TextField | ListField,
  { standing, stored, error }: FieldView<string | string[]>,
): TemplateResult | typeof nothing {
  if (standing === 'refused' && error) {
    return html`<p class="refusal" role="alert">
      <span class="codicon codicon-error" aria-hidden="true"></span><span>${error}</span>
    </p>`;
  }
  if (standing !== 'conflict') return nothing;
  const theirs = Array.isArray(stored) ? stored.join(', ') : stored;
  return html`<div class="elsewhere" role="alert">
    <p>
      <span class="codicon codicon-warning" aria-hidden="true"></span>
      <span>${t('This was changed elsewhere while you were typing. It says now:')}</span>
    </p>
    <blockquote>${theirs || t('(nothing)')}</blockquote>
    <div class="buttons">
      <vscode-button @click=${() => page.fields.insist(name)}>${t('Keep Mine')}</vscode-button>
      <vscode-button secondary @click=${() => page.fields.forget(name)}>${t('Take Theirs')}</vscode-button>
    </div>
  </div>`;
}
