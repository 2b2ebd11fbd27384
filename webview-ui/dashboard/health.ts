import { html, nothing, type TemplateResult } from 'lit';
import type { HealthCode, HealthReport, Recommendation } from '../../src/learning/administration/reports-model';
import type { HealthTab } from '../protocol/dashboard-reports';
import { formatLocalTime, formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { type ReportUse, restricted } from './report';
import { actionOf, findingText, statusOf } from './report-words';

/** What only leads to another place can be done in Restricted Mode as well. */
const READING: readonly HealthCode[] = [
  'library_unreachable',
  'library_says',
  'sources_failed',
  'sources_stale',
  'entries_stale',
  'base_problems',
  'note_problems',
  'questions_unanswered',
];

/** What another part of this page is about. */
const TABS: Partial<Record<HealthCode, 'asked' | 'old'>> = {
  questions_unanswered: 'asked',
  sources_stale: 'old',
  entries_stale: 'old',
};

/** Whether all is well, what was found, what to do about it, and how much there is of what. */
export function healthReport({ health, made_at, writable }: HealthTab, use: ReportUse): TemplateResult {
  const { title, detail, icon, tone } = statusOf(health.status);
  return html`
    <p class="caption">${t('As of {0}', formatLocalTime(made_at))}</p>
    <section class="verdict ${tone}" aria-label=${t('Health')}>
      <span class="codicon codicon-${icon}" aria-hidden="true"></span>
      <div>
        <h2>${title}</h2>
        <p>${detail}</p>
      </div>
    </section>
    <div class="grid">
      ${health.findings.length > 0 ? findings(health) : nothing}
      ${health.recommendations?.length ? recommendations(health.recommendations, writable, use) : nothing}
      ${areas(health)}
    </div>
  `;
}

function findings({ findings: found }: HealthReport): TemplateResult {
  return html`<section class="card">
    <h2>${t('What Was Found')}</h2>
    <ul class="findings">
      ${found.map((finding) => {
        const isProblem = finding.severity === 'problem';
        const { text, lang } = findingText(finding);
        return html`<li>
          <span class="badge ${isProblem ? 'bad' : 'warning'}"
            ><span class="codicon codicon-${isProblem ? 'error' : 'warning'}" aria-hidden="true"></span
            >${isProblem ? t('Problem') : t('Look at it')}</span
          >
          <p lang=${lang ?? nothing}>${text}</p>
        </li>`;
      })}
    </ul>
  </section>`;
}

function recommendations(advised: readonly Recommendation[], writable: boolean, use: ReportUse): TemplateResult {
  const isDone = ({ code }: Recommendation) => writable || READING.includes(code);
  return html`<section class="card">
    <h2>${t('What to Do')}</h2>
    <ol class="steps">
      ${advised.map((each) => {
        const { advice, button } = actionOf(each.code);
        const tab = TABS[each.code];
        const run = () => (tab ? use.go(tab) : use.post({ type: 'mend', code: each.code }));
        return html`<li>
          <p>${advice}</p>
          ${isDone(each) ? html`<vscode-button secondary @click=${run}>${button}</vscode-button>` : nothing}
        </li>`;
      })}
    </ol>
    ${advised.every(isDone) ? nothing : restricted()}
  </section>`;
}

function areas({ library, knowledge, bases, notes, learning, relations }: HealthReport): TemplateResult {
  const area = (heading: string, icon: string, numbers: readonly (readonly [string, number])[]) =>
    html`<section class="card area">
      <h2><span class="codicon codicon-${icon}" aria-hidden="true"></span> ${heading}</h2>
      <dl>
        ${numbers.map(
          ([label, value]) => html`<div>
            <dt>${label}</dt>
            <dd>${formatNumber(value)}</dd>
          </div>`,
        )}
      </dl>
    </section>`;
  return html`<div class="wide areas">
    ${area(t('Knowledge'), 'library', [
      [t('Scopes'), knowledge.scopes],
      [t('Entries'), knowledge.entries],
      [t('Not changed for a year'), knowledge.stale],
      [t('Risk indicators'), knowledge.risks],
    ])}
    ${area(t('Library'), 'book', [
      [t('Sources'), library.documents],
      [t('Passages'), library.chunks],
      [t('Could not be read'), library.failed],
      [t('Old'), library.stale],
      [t('Asked for'), library.open_requests],
    ])}
    ${area(t('Learning'), 'mortar-board', [
      [t('Projects'), learning.project],
      [t('Templates'), learning.template],
      [t('Patterns'), learning.pattern],
      [t('Decisions'), learning.decision],
      [t('Lessons'), learning.lesson],
      [t('Pieces of feedback'), learning.feedback],
    ])}
    ${area(t('Knowledge Bases'), 'list-tree', [
      [t('Bases'), bases.bases],
      [t('Nodes'), bases.nodes],
      [t('Problems'), bases.problems],
    ])}
    ${area(t('Notes'), 'note', [
      [t('Spaces'), notes.spaces],
      [t('Notes'), notes.notes],
      [t('Problems'), notes.problems],
    ])}
    ${area(t('Relations'), 'references', [[t('Relations'), relations]])}
  </div>`;
}
