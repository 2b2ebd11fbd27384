import { html, nothing, type TemplateResult } from 'lit';
import type { ProjectCard } from '../protocol/projects';
import { formatPercent } from '../shared/formats';
import { t } from '../shared/l10n';
import { comparison } from './comparison';
import { drag, open, pressed, take } from './moves';
import type { Page } from './page';
import {
  daysText,
  hoursText,
  OUTCOME_ICON,
  outcomeName,
  TRANSITION_ICON,
  transitionName,
  visibilityName,
} from './words';

/** One project of the board. */
export function card(page: Page, project: ProjectCard): TemplateResult {
  const { writable, ways } = page.state;
  const { id, name, project_type, domain, visibility, owner, tasks } = project;
  const isOpen = page.view.project === id;
  return html`<li
    class=${isOpen ? 'card chosen' : 'card'}
    data-id=${id}
    tabindex="0"
    draggable=${writable ? 'true' : 'false'}
    aria-label=${labelOf(project)}
    aria-current=${isOpen ? 'true' : nothing}
    @dragstart=${(event: DragEvent) => drag(event, project)}
    @keydown=${(event: KeyboardEvent) => pressed(page, project, event)}
    @click=${(event: Event) => {
      // Its buttons do something else.
      if (!(event.target as Element).closest('button')) open(page, id);
    }}
  >
    <p class="name">${name}</p>
    <p class="quiet kinds">${project_type} · ${domain}</p>
    ${mark(project)}
    ${tasks.all > 0 ? html`<p>${tasksText(project)}</p>` : nothing}
    ${comparison(t('Duration'), project.days, daysText)} ${comparison(t('Effort'), project.hours, hoursText)}
    <div class="foot">
      <span class="quiet">${[visibilityName(visibility), owner].filter(Boolean).join(' · ')}</span>
      ${
        writable
          ? html`<span class="tools"
              >${ways[project.status].map(({ transition }) => {
                const label = `${transitionName(transition)}: ${name}`;
                return html`<button
                  class="icon-button"
                  title=${transitionName(transition)}
                  aria-label=${label}
                  @click=${() => take(page, project, transition)}
                >
                  <span class="codicon codicon-${TRANSITION_ICON[transition]}" aria-hidden="true"></span>
                </button>`;
              })}</span
            >`
          : nothing
      }
    </div>
  </li>`;
}

function labelOf(project: ProjectCard): string {
  const { name, project_type, domain, outcome, tasks } = project;
  return [name, project_type, domain, outcome ? outcomeName(outcome) : '', tasks.all > 0 ? tasksText(project) : '']
    .filter(Boolean)
    .join(', ');
}

function tasksText({ tasks }: ProjectCard): string {
  return t('{0} of {1} tasks completed', tasks.done, tasks.all);
}

/** What came of it. */
export function mark({
  outcome,
  success_rating,
}: Pick<ProjectCard, 'outcome' | 'success_rating'>): TemplateResult | typeof nothing {
  if (!outcome && success_rating === null) return nothing;
  return html`<p class="marks">
    ${
      outcome
        ? html`<span class="badge ${outcome}"
            ><span class="codicon codicon-${OUTCOME_ICON[outcome]}" aria-hidden="true"></span>${outcomeName(outcome)}</span
          >`
        : nothing
    }
    ${success_rating === null ? nothing : html`<span>${t('Success: {0}', formatPercent(success_rating))}</span>`}
  </p>`;
}
