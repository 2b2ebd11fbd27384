import { html, nothing, type TemplateResult } from 'lit';
import type { SessionSummary } from '../../src/continuity/model';
import { t } from '../shared/l10n';
import type { Page } from './page';

/** What was done in the last sessions, newest first. */
export function sessionsPart(page: Page): TemplateResult {
  const { sessions } = page.project;
  return html`
    <div class="toolbar">
      <p class="lead">${t('What was done last and comes next carries over to the next session.')}</p>
      ${
        page.state.writable
          ? html`<vscode-button icon="save" @click=${() => page.post({ type: 'run', command: 'logSession' })}>
              ${t('Log Session')}
            </vscode-button>`
          : nothing
      }
    </div>
    ${
      sessions.length === 0
        ? html`<p class="empty">${t('No session was logged yet. Agents do it at the end of their work; so can you.')}</p>`
        : html`<ol class="sessions">${sessions.map(sessionItem)}</ol>`
    }
  `;
}

function sessionItem(session: SessionSummary): TemplateResult {
  const { date, duration_minutes, domain, summary, tasks_completed, next_planned } = session;
  return html`<li>
    <div class="when">
      <time datetime=${date}>${date}</time>
      ${duration_minutes === null ? nothing : html`<span>${durationText(duration_minutes)}</span>`}
    </div>
    <div class="what">
      ${domain ? html`<span class="tag">${domain}</span>` : nothing}
      <p class="summary">${summary}</p>
      ${
        tasks_completed.length === 0
          ? nothing
          : html`<ul class="done">
              ${tasks_completed.map(
                (task) =>
                  html`<li><span class="codicon codicon-check" aria-hidden="true"></span><span>${task}</span></li>`,
              )}
            </ul>`
      }
      ${
        next_planned
          ? html`<p class="next">
              <span class="codicon codicon-arrow-right" aria-hidden="true"></span>
              <span><b>${t('Next:')}</b> ${next_planned}</span>
            </p>`
          : nothing
      }
    </div>
  </li>`;
}

function durationText(minutes: number): string {
  if (minutes < 60) return t('{0} min', minutes);
  if (minutes % 60 === 0) return t('{0} h', minutes / 60);
  return t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}
