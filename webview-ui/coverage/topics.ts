import { html, nothing, type TemplateResult } from 'lit';
import { libraryUri } from '../../src/core/knowledge-uri';
import type { CoverageAssessment, Preflight } from '../../src/library/coverage-model';
import { formatNumber, formatPercent } from '../shared/formats';
import { t } from '../shared/l10n';
import type { Post } from './findings';
import { levelName, levelOf } from './words';

/** The topics of a workflow, a line each, with their scores as shaded cells that say their numbers. */
export function topicTable(
  { topics, derived_topics }: Preflight,
  chosen: string | undefined,
  choose: (topic: string) => void,
): TemplateResult {
  const columns = [t('Overall'), t('Coverage'), t('Authority'), t('Recency'), t('Confidence')];
  return html`<section class="card wide">
    <h2 id="topics">${t('Topics')}</h2>
    <p class="quiet">${t('Choose one to see what it rests on, and what is missing.')}</p>
    <div class="scroll">
      <table class="heat" aria-labelledby="topics">
        <thead>
          <tr>
            <th scope="col">${t('Topic')}</th>
            ${columns.map((column) => html`<th scope="col" class="number">${column}</th>`)}
            <th scope="col" class="number">${t('Gaps')}</th>
          </tr>
        </thead>
        <tbody>
          ${topics.map((assessment) => {
            const { topic, gaps } = assessment;
            const isChosen = topic === chosen;
            return html`<tr class=${isChosen ? 'chosen' : ''}>
              <th scope="row">
                <button type="button" class="link" aria-pressed=${isChosen} @click=${() => choose(topic)}>${topic}</button>
                ${derived_topics.includes(topic) ? html`<span class="quiet">${t('not named by you')}</span>` : nothing}
              </th>
              ${scoresOf(assessment).map((score, index) => cell(score, index === 0))}
              <td class="number">${formatNumber(gaps.length)}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** Standards that the workflow names: whether they are there, or what refers to them. */
export function standardList({ standards, topics }: Preflight, post: Post): TemplateResult | typeof nothing {
  if (standards.length === 0) return nothing;
  const titles = new Map(
    topics.flatMap(({ evidence }) => evidence.map(({ document_id, document_title }) => [document_id, document_title])),
  );
  const link = (id: string) =>
    html`<button type="button" class="link" @click=${() => post({ type: 'open', uri: libraryUri(id) })}>
      ${titles.get(id) ?? id}
    </button>`;
  return html`<section class="card">
    <h2>${t('Standards')}</h2>
    <ul class="standards">
      ${standards.map(
        ({ standard, found, documents }) => html`<li class=${found ? 'good' : 'bad'}>
          <span class="codicon codicon-${found ? 'pass' : 'circle-slash'}" aria-hidden="true"></span>
          <span>${standard}</span>
          <span class="quiet">${found ? t('in the library') : t('not in the library')}</span>
          ${documents.length === 0 ? nothing : html`<ul class="documents">${documents.map((id) => html`<li>${found ? nothing : html`<span class="quiet">${t('referred to by')} </span>`}${link(id)}</li>`)}</ul>`}
        </li>`,
      )}
    </ul>
  </section>`;
}

function scoresOf(assessment: CoverageAssessment): number[] {
  const { overall_score, coverage_score, authority_score, recency_score, confidence_score } = assessment;
  return [overall_score, coverage_score, authority_score, recency_score, confidence_score];
}

function cell(score: number, isOverall: boolean): TemplateResult {
  const level = levelOf(score);
  return html`<td class="number score-cell ${level}">
    ${formatPercent(score)}${isOverall ? html` <span class="word">${levelName(level)}</span>` : nothing}
  </td>`;
}
