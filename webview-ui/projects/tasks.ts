import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { TaskRecord } from '../../src/learning/records-model';
import type { TaskStatus } from '../../src/learning/vocabulary';
import type { Bar, Series } from '../charts';
import type { CapturedProject } from '../protocol/projects';
import { formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { amountIn } from './fields';
import { textOf } from './forms';
import { refuse } from './moves';
import type { Page } from './page';
import { hoursText, TASK_STATUSES, taskStatusName } from './words';

/** Tasks that the picture has; the table behind it has all. */
const DRAWN = 12;

const ESTIMATED = (): Series => ({ label: t('estimated'), colour: 'blue', hatched: true });
const ACTUAL = (): Series => ({ label: t('actual'), colour: 'green' });

/** The tasks, each with its state and what it took, which can be said here. */
export function taskList(page: Page, { record }: CapturedProject): TemplateResult | typeof nothing {
  const { tasks } = record;
  if (tasks.length === 0) return nothing;
  return html`<section aria-label=${t('Tasks')}>
    <h3>${t('Tasks')}</h3>
    <ul class="tasks">
      ${tasks.map((task) => row(page, record.id, task))}
    </ul>
    ${chart(tasks)}
  </section>`;
}

function row(page: Page, project: string, task: TaskRecord): TemplateResult {
  const { writable } = page.state;
  const { name, status, estimated_hours, actual_hours, blockers_encountered: blockers } = task;
  const save = async (changed: { status: TaskStatus } | { actual_hours: number }) => {
    const { error } = await page.ask({ type: 'saveTask', project_id: project, task_id: task.id, ...changed });
    page.error = error ?? '';
    if (error === undefined) page.announce(t('Saved'));
    page.changed();
  };
  return html`<li>
    <span class="name">${name}</span>
    ${
      writable
        ? html`<select
              class="field"
              aria-label=${t('State of {0}', name)}
              @change=${(event: Event) => save({ status: textOf(event) as TaskStatus })}
            >
              ${TASK_STATUSES.map(
                (each) =>
                  html`<option value=${each} .selected=${live(each === status)}>${taskStatusName(each)}</option>`,
              )}
            </select>
            <input
              class="field hours"
              inputmode="decimal"
              maxlength="20"
              aria-label=${t('Actual hours of {0}', name)}
              placeholder=${t('actual h')}
              .value=${String(actual_hours ?? '')}
              @change=${(event: Event) => {
                const hours = amountIn(textOf(event));
                if (typeof hours === 'number') return save({ actual_hours: hours });
                (event.target as HTMLInputElement).value = String(actual_hours ?? '');
                return hours === null ? refuse(page, t('A number of 0 or more is needed.')) : undefined;
              }}
            />`
        : html`<span>${taskStatusName(status)}</span>
            <span>${actual_hours === undefined ? '' : hoursText(actual_hours)}</span>`
    }
    <span class="quiet">${estimated_hours === undefined ? '' : t('{0} estimated', hoursText(estimated_hours))}</span>
    ${
      blockers.length > 0
        ? html`<p class="blockers">
            <span class="codicon codicon-warning" aria-hidden="true"></span>${t('Blocked by: {0}', blockers.join('; '))}
          </p>`
        : nothing
    }
  </li>`;
}

/** For each task two bars: what was estimated, and below it what it took. */
function chart(tasks: readonly TaskRecord[]): TemplateResult | typeof nothing {
  const timed = tasks.filter(({ estimated_hours, actual_hours }) => (estimated_hours ?? actual_hours) !== undefined);
  if (timed.length === 0) return nothing;
  const bar = (label: string, series: Series, hours: number | undefined, name: string): Bar => {
    const said = hours === undefined ? t('not said') : hoursText(hours);
    return { label, values: [hours ?? 0], series, note: series.label, tip: `${name}\n${series.label}: ${said}` };
  };
  const bars = timed
    .slice(0, DRAWN)
    .flatMap(({ name, estimated_hours, actual_hours }) => [
      bar(name, ESTIMATED(), estimated_hours, name),
      ...(actual_hours === undefined ? [] : [bar('', ACTUAL(), actual_hours, name)]),
    ]);
  const number = (value: number | undefined) => (value === undefined ? '–' : formatNumber(value));
  const table = {
    columns: [
      { label: t('Task') },
      { label: t('State') },
      { label: t('Estimated hours'), numeric: true },
      { label: t('Actual hours'), numeric: true },
    ],
    rows: tasks.map(({ name, status, estimated_hours, actual_hours }) => [
      name,
      taskStatusName(status),
      number(estimated_hours),
      number(actual_hours),
    ]),
  };
  return html`<kaizen-chart-figure
    .heading=${t('Hours of its tasks')}
    .caption=${timed.length > DRAWN ? t('The first {0}; the table has all.', DRAWN) : ''}
    .legend=${[ESTIMATED(), ACTUAL()]}
    .table=${table}
  >
    <kaizen-bar-chart
      .label=${t('Hours of its tasks, estimated and actual')}
      .series=${[ESTIMATED(), ACTUAL()]}
      .bars=${bars}
    ></kaizen-bar-chart>
  </kaizen-chart-figure>`;
}
