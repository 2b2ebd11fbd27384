import { html, nothing, type TemplateResult } from 'lit';
import { LONGEST_TEXT } from '../protocol/limits';
import type { BoardTask } from '../protocol/project';
import { t } from '../shared/l10n';
import { add, COLUMNS, drag, edit, keyOf, move, pressed, remove, saveNote, stopEditing } from './board-moves';
import { textOf, tool } from './field';
import type { BoardUse, Page } from './page';

/** One task of the board. */
export function card(page: Page, task: BoardTask): TemplateResult {
  const { writable } = page.state;
  const key = keyOf(task);
  const editing = page.board.editing?.key === key ? page.board.editing : undefined;
  return html`<li
    class="card ${task.state}"
    data-key=${key}
    tabindex="0"
    draggable=${writable && !editing ? 'true' : 'false'}
    aria-label=${labelOf(task)}
    @dragstart=${(event: DragEvent) => drag(event, task)}
    @keydown=${(event: KeyboardEvent) => pressed(page, task, event)}
  >
    <p class="name">${task.name}</p>
    ${editing ? noteForm(page, task, editing) : note(task)}
    <div class="foot">
      ${task.domain ? html`<span class="tag">${task.domain}</span>` : nothing}
      ${task.date ? html`<time datetime=${task.date}>${task.date}</time>` : nothing}
      <span class="tools">${writable && !editing ? tools(page, task) : nothing}</span>
    </div>
  </li>`;
}

function labelOf({ name, domain, note }: BoardTask): string {
  return [name, domain, note].filter(Boolean).join(', ');
}

function note({ state, note }: BoardTask): TemplateResult | typeof nothing {
  if (!note) return nothing;
  return html`<p class="note">
    ${state === 'blocked' ? html`<span class="codicon codicon-warning" aria-hidden="true"></span>` : nothing}
    <span>${note}</span>
  </p>`;
}

function tools(page: Page, task: BoardTask) {
  return html`
    ${COLUMNS.filter(({ state }) => state !== task.state).map(({ state, icon, title }) =>
      tool(icon, t('Move to {0}', title()), () => move(page, task, state)),
    )}
    ${task.state === 'completed' ? nothing : tool('edit', noteLabel(task), () => edit(page, task))}
    ${tool('trash', t('Remove'), () => remove(page, task))}
  `;
}

function noteLabel({ state }: BoardTask): string {
  return state === 'blocked' ? t('Edit what blocks it') : t('Edit status');
}

function noteForm(page: Page, task: BoardTask, editing: NonNullable<BoardUse['editing']>): TemplateResult {
  const label = task.state === 'blocked' ? t('What blocks it?') : t('How does it stand?');
  return html`<div
    class="editing"
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape') stopEditing(page);
      else if (event.key === 'Enter' && !event.shiftKey && event.target instanceof HTMLTextAreaElement) {
        event.preventDefault();
        void saveNote(page, task);
      }
    }}
  >
    <textarea
      class="field" maxlength=${LONGEST_TEXT}
      rows="2"
      aria-label=${label}
      placeholder=${label}
      .value=${editing.text}
      @input=${(event: Event) => {
        editing.text = textOf(event);
        page.changed();
      }}
    ></textarea>
    <div class="buttons">
      <vscode-button @click=${() => saveNote(page, task)}>${t('Save')}</vscode-button>
      <vscode-button secondary @click=${() => stopEditing(page)}>${t('Cancel')}</vscode-button>
    </div>
  </div>`;
}

export function addForm(page: Page, adding: NonNullable<BoardUse['adding']>): TemplateResult {
  const cancel = () => {
    page.board.adding = undefined;
    page.board.error = '';
    page.changed();
  };
  const type = (part: 'name' | 'domain') => (event: Event) => {
    adding[part] = textOf(event);
    page.changed();
  };
  return html`<div
    class="card adding"
    role="group"
    aria-label=${t('New task')}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape') cancel();
      else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void add(page);
    }}
  >
    <input class="field" maxlength=${LONGEST_TEXT} aria-label=${t('Task')} placeholder=${t('Task')} .value=${adding.name} @input=${type('name')} />
    <input
      class="field" maxlength=${LONGEST_TEXT}
      aria-label=${t('Domain (optional)')}
      placeholder=${t('Domain (optional)')}
      .value=${adding.domain}
      @input=${type('domain')}
    />
    <div class="buttons">
      <vscode-button ?disabled=${adding.name.trim() === ''} @click=${() => add(page)}>${t('Add')}</vscode-button>
      <vscode-button secondary @click=${cancel}>${t('Cancel')}</vscode-button>
    </div>
  </div>`;
}
