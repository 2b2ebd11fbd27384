import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { BoardTask } from '../protocol/project';
import { t } from '../shared/l10n';
import { COLUMNS, type Column, dropped, keyOf, type Mover } from './board-moves';
import { addForm, card } from './card';
import { textField, textOf } from './field';
import type { Page } from './page';

/** So many completed tasks are shown until the person asks for all. */
const SHOWN_COMPLETED = 12;

/** What is being done, what is in the way, what is done. */
export function boardPart(page: Page): TemplateResult {
  const { board, project } = page;
  // The last task of a domain may have gone, and what was to be shown with it.
  if (!project.domains.includes(board.domain)) board.domain = '';
  const tasks = board.domain === '' ? project.tasks : project.tasks.filter(({ domain }) => domain === board.domain);
  return html`
    ${progressHead(page)}
    <div class="toolbar">
      ${domainFilter(page)}
      ${
        page.state.writable
          ? html`<vscode-button
              icon="add"
              @click=${() => {
                board.adding ??= { name: '', domain: board.domain };
                page.changed();
                void page.focusOn('.adding input');
              }}
            >
              ${t('Add Task')}
            </vscode-button>`
          : nothing
      }
    </div>
    ${
      board.error
        ? html`<p class="refusal" role="alert">
            <span class="codicon codicon-error" aria-hidden="true"></span><span>${board.error}</span>
          </p>`
        : nothing
    }
    <div class="board">
      ${COLUMNS.map((column) =>
        columnOf(
          page,
          column,
          tasks.filter(({ state }) => state === column.state),
        ),
      )}
    </div>
    ${page.state.writable ? html`<p class="hint">${t('Move a task by dragging it, by its buttons, or with Shift and the left and right arrow keys.')}</p>` : nothing}
  `;
}

function progressHead(page: Page): TemplateResult {
  const { tasks } = page.project;
  const done = tasks.filter(({ state }) => state === 'completed').length;
  const percent = tasks.length === 0 ? 0 : Math.round((100 * done) / tasks.length);
  const count = t('{0} of {1} tasks completed', done, tasks.length);
  return html`<div class="progress-head">
    <div class="bar">
      <vscode-progress-bar .ariaLabel=${count} .value=${percent} .max=${100}></vscode-progress-bar>
      <p class="hint">${count} · ${percent}%</p>
    </div>
    <div class="columns">
      ${textField(page, 'overall_progress', { label: t('Overall progress'), placeholder: t('{0}% complete', percent) })}
      ${textField(page, 'current_sprint', { label: t('Current sprint'), placeholder: t('For example: Sprint 12') })}
    </div>
  </div>`;
}

function domainFilter(page: Page): TemplateResult {
  const { board, project } = page;
  return html`<label class="filter">
    <span class="codicon codicon-filter" aria-hidden="true"></span>
    <vscode-single-select
      .label=${t('Show the tasks of a domain')}
      .value=${board.domain}
      @change=${(event: Event) => {
        board.domain = textOf(event);
        page.changed();
      }}
    >
      <vscode-option value="" ?selected=${board.domain === ''}>${t('All domains')}</vscode-option>
      ${project.domains.map(
        (domain) => html`<vscode-option value=${domain} ?selected=${domain === board.domain}>${domain}</vscode-option>`,
      )}
    </vscode-single-select>
  </label>`;
}

function columnOf(page: Page, column: Column, tasks: BoardTask[]): TemplateResult {
  const { board } = page;
  const all = column.state !== 'completed' || board.allCompleted || tasks.length <= SHOWN_COMPLETED;
  const shown = all ? tasks : tasks.slice(0, SHOWN_COMPLETED);
  const mover: Mover = { page, column };
  return html`<section
    class="lane ${column.state}"
    aria-label=${column.title()}
    @dragover=${(event: DragEvent) => event.preventDefault()}
    @drop=${(event: DragEvent) => dropped(mover, event)}
  >
    <h2>
      <span class="codicon codicon-${column.icon}" aria-hidden="true"></span>
      ${column.title()} <span class="count">${tasks.length}</span>
    </h2>
    ${column.state === 'in_progress' && board.adding ? addForm(page, board.adding) : nothing}
    <ul>
      ${repeat(shown, keyOf, (task) => card(page, task))}
    </ul>
    ${tasks.length === 0 ? html`<p class="empty">${column.none()}</p>` : nothing}
    ${
      all
        ? nothing
        : html`<vscode-button
            secondary
            @click=${() => {
              board.allCompleted = true;
              page.changed();
            }}
          >
            ${t('Show all {0}', tasks.length)}
          </vscode-button>`
    }
  </section>`;
}
