import { html, nothing, type TemplateResult } from 'lit';
import type { ProjectRecord } from '../../src/learning/records-model';
import type { CapturedProject } from '../protocol/projects';
import { formatLocalDay, formatLocalTime, formatPercent } from '../shared/formats';
import { t } from '../shared/l10n';
import { levelName } from '../shared/score-words';
import { mark } from './card';
import { comparison } from './comparison';
import { planFieldsOf } from './fields';
import { cardSelector, take } from './moves';
import { openForm } from './opening';
import type { Page } from './page';
import { question } from './question';
import { taskList } from './tasks';
import { daysText, hoursText, STATUS_ICON, statusName, transitionName, visibilityName } from './words';

/** Everything about one project. */
export function details(page: Page, shown: CapturedProject): TemplateResult {
  const { record, uri } = shown;
  const close = () => {
    page.look({ project: null });
    void page.focusOn(cardSelector(record.id));
  };
  return html`<section class="details panel" aria-labelledby="details-name">
    <header>
      <h2 id="details-name" class="details-name" tabindex="-1">${record.name}</h2>
      <button class="icon-button" title=${t('Close Details')} aria-label=${t('Close Details')} @click=${close}>
        <span class="codicon codicon-close" aria-hidden="true"></span>
      </button>
    </header>
    ${shown.asks ? question(page, record.id) : nothing}
    ${facts(shown)} ${actions(page, shown)} ${outcome(record)} ${score(page, shown)} ${taskList(page, shown)}
    ${list(
      t('Risks'),
      record.identified_risks.map(({ description }) => description),
    )}
    ${list(
      t('Dependencies'),
      record.identified_dependencies.map(({ description }) => description),
    )}
    ${list(
      t('Constraints'),
      record.constraints_applied.map(({ description }) => description),
    )}
    ${lessons(page, shown)} ${history(record)}
    <p class="links">
      ${link(page, 'open', uri, t('Open as Document'))}
      ${link(page, 'relations', uri, shown.relations > 0 ? t('Relations ({0})', shown.relations) : t('Relations'))}
      ${shown.template ? html`<span>${t('Template:')} ${link(page, 'open', shown.template.uri, shown.template.name)}</span>` : nothing}
    </p>
  </section>`;
}

function facts({ record }: CapturedProject): TemplateResult {
  const { status, project_type, domain, visibility, owner, description, tags, start_date, end_date } = record;
  return html`<p class="quiet">
      <span class="codicon codicon-${STATUS_ICON[status]}" aria-hidden="true"></span>
      ${[
        statusName(status),
        project_type,
        domain,
        visibilityName(visibility),
        owner ?? '',
        start_date ? t('begun {0}', formatLocalDay(start_date)) : '',
        end_date ? t('ended {0}', formatLocalDay(end_date)) : '',
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
    ${description ? html`<p class="prose">${description}</p>` : nothing}
    ${tags.length > 0 ? html`<p class="quiet">${tags.map((tag) => `#${tag}`).join(' ')}</p>` : nothing}
    ${comparison(
      t('Duration'),
      { estimated: record.estimated_duration_days ?? null, actual: record.actual_duration_days ?? null },
      daysText,
    )}
    ${comparison(
      t('Effort'),
      { estimated: record.estimated_effort_hours ?? null, actual: record.actual_effort_hours ?? null },
      hoursText,
    )}`;
}

function actions(page: Page, { record, uri }: CapturedProject): TemplateResult | typeof nothing {
  if (!page.state.writable) return nothing;
  const { id, name, status } = record;
  const change = () => {
    const fields = planFieldsOf(record);
    openForm(page, { kind: 'change', project_id: id, name, base: record.updated_at, tasks: fields.tasks, fields });
  };
  const remove = async () => {
    const { error } = await page.ask({ type: 'remove', project_id: id });
    page.error = error ?? '';
    if (error === undefined) page.look({ project: null });
    page.changed();
    await page.focusOn('.new');
  };
  return html`<div class="buttons">
    ${page.state.ways[status].map(
      ({ transition }, index) =>
        html`<vscode-button ?secondary=${index > 0} @click=${() => take(page, record, transition)}
          >${transitionName(transition)}</vscode-button
        >`,
    )}
    <vscode-button secondary @click=${change}>${t('Change…')}</vscode-button>
    ${
      status === 'abandoned'
        ? nothing
        : html`<vscode-button secondary @click=${() => page.post({ type: 'run', command: 'template', uri })}
            >${t('Capture Template…')}</vscode-button
          >`
    }
    <vscode-button secondary @click=${remove}>${t('Delete')}</vscode-button>
  </div>`;
}

function outcome(record: ProjectRecord): TemplateResult | typeof nothing {
  const {
    status,
    outcome_status = null,
    outcome_summary,
    success_rating = null,
    what_worked,
    what_didnt_work,
  } = record;
  if (outcome_status === null) return nothing;
  const hasEnded = status === 'completed' || status === 'abandoned';
  return html`<section aria-label=${t('Outcome')}>
    <h3>${hasEnded ? t('Outcome') : t('Outcome, before it was reopened')}</h3>
    ${mark({ outcome: outcome_status, success_rating })}
    ${outcome_summary ? html`<p class="prose">${outcome_summary}</p>` : nothing}
    ${list(t('What worked'), what_worked)} ${list(t("What didn't work"), what_didnt_work)}
  </section>`;
}

function score(page: Page, { score: known, uri }: CapturedProject): TemplateResult {
  return html`<p>
    ${known ? scoreText(known) : html`<span class="quiet">${t('Nobody has rated it yet.')}</span>`}
    ${link(page, 'explain', uri, t('Explain'))}
  </p>`;
}

function scoreText({ value, level, ratings }: NonNullable<CapturedProject['score']>): string {
  const [share, name] = [formatPercent(value), levelName(level)];
  return ratings === 1
    ? t('Score: {0}, {1}, from 1 rating', share, name)
    : t('Score: {0}, {1}, from {2} ratings', share, name, ratings);
}

/** What it taught: those that are records of their own, and what else its outcome said. */
function lessons(page: Page, { record, lessons: captured }: CapturedProject): TemplateResult | typeof nothing {
  const own = new Set(captured.map(({ name }) => name));
  const said = record.lessons_learned.filter((lesson) => !own.has(lesson) && captured.length === 0);
  if (captured.length + said.length === 0) return nothing;
  return html`<section aria-label=${t('Lessons')}>
    <h3>${t('Lessons')}</h3>
    <ul class="plain">
      ${captured.map(({ uri, name }) => html`<li>${link(page, 'open', uri, name)}</li>`)}
      ${said.map((lesson) => html`<li>${lesson}</li>`)}
    </ul>
  </section>`;
}

function history({ status_history }: ProjectRecord): TemplateResult | typeof nothing {
  if (status_history.length === 0) return nothing;
  return html`<section aria-label=${t('Transitions')}>
    <h3>${t('Transitions')}</h3>
    <ol class="plain">
      ${status_history.map(
        ({ transition, from_status, to_status, timestamp, reason, author }) => html`<li>
          <time datetime=${timestamp}>${formatLocalTime(timestamp)}</time>
          ${transitionName(transition)}: ${statusName(from_status)} → ${statusName(to_status)}
          <span class="quiet">${author}</span>
          ${reason ? html`<p class="prose">${reason}</p>` : nothing}
        </li>`,
      )}
    </ol>
  </section>`;
}

function list(title: string, items: readonly string[]): TemplateResult | typeof nothing {
  if (items.length === 0) return nothing;
  return html`<section aria-label=${title}>
    <h3>${title}</h3>
    <ul class="plain">
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
  </section>`;
}

function link(page: Page, command: 'open' | 'explain' | 'relations', uri: string, label: string): TemplateResult {
  return html`<button type="button" class="link" @click=${() => page.post({ type: 'run', command, uri })}>${label}</button>`;
}
