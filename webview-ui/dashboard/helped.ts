import { html, type TemplateResult } from 'lit';
import { SCORE_BANDS } from '../../src/learning/vocabulary';
import type { Bar } from '../charts';
import type { HelpedTab } from '../protocol/dashboard-reports';
import { formatLocalTime, formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { levelColour, levelName } from '../shared/score-words';
import { scoredTable } from './pieces';
import type { ReportUse } from './report';

/** How what was rated and used is spread over the levels, what helped most, and what helped least. */
export function helpedReport(report: HelpedTab, use: ReportUse): TemplateResult {
  const { made_at, counts, best, worst } = report;
  return html`
    <p class="caption">${t('As of {0}', formatLocalTime(made_at))}</p>
    <div class="grid">
      ${
        counts.artifacts === 0
          ? html`<section class="card welcome wide">
              <h2>${t('Nothing was rated yet')}</h2>
              <p>${t(
                'Say whether it helped where results are shown, or capture what came of a project: what worked comes up first the next time, and it stands here.',
              )}</p>
            </section>`
          : html`${levelsFigure(report)}
            ${scoredTable(
              {
                list: 'best',
                heading: t('What Helped Most'),
                caption: t('It comes up first where it fits.'),
                pieces: best,
                whenEmpty: t('Nothing is above the middle.'),
              },
              use,
            )}
            ${scoredTable(
              {
                list: 'worst',
                heading: t('What Helped Least'),
                caption: t('Below the middle. Can it be put right, or should it go?'),
                pieces: worst,
                whenEmpty: t('Nothing is below the middle.'),
              },
              use,
            )}`
      }
      ${fileCard(report, use)}
    </div>
  `;
}

function levelsFigure({ counts }: HelpedTab): TemplateResult {
  const bars: Bar[] = SCORE_BANDS.map(({ level }) => {
    const count = counts.levels[level] ?? 0;
    return {
      label: levelName(level),
      values: [count],
      series: { label: levelName(level), colour: levelColour(level) },
      tip: `${levelName(level)}: ${formatNumber(count)}`,
    };
  });
  const gist = t(
    'Rated or used: {0}. Pieces of feedback: {1}.',
    formatNumber(counts.artifacts),
    formatNumber(counts.feedback),
  );
  const table = {
    columns: [{ label: t('Level') }, { label: t('How many'), numeric: true }],
    rows: SCORE_BANDS.map(({ level }) => [levelName(level), formatNumber(counts.levels[level] ?? 0)]),
  };
  return html`<kaizen-chart-figure
    class="card wide"
    .heading=${t('How It Is Spread')}
    .caption=${gist}
    .table=${table}
  >
    <kaizen-bar-chart
      .label=${t('Scores by level. {0}.', bars.map(({ tip }) => tip).join('; '))}
      .series=${[{ label: t('How many'), colour: 'blue' }]}
      .bars=${bars}
    ></kaizen-bar-chart>
  </kaizen-chart-figure>`;
}

function fileCard({ writable }: HelpedTab, use: ReportUse): TemplateResult {
  const button = (label: string, action: 'exportLearning' | 'importLearning') =>
    html`<vscode-button secondary @click=${() => use.post({ type: 'run', action })}>${label}</vscode-button>`;
  return html`<section class="card wide">
    <h2>${t('To and from a File')}</h2>
    <p class="caption">${t('Captured records, feedback, counts and relations, for another place or to keep.')}</p>
    <div class="buttons">
      ${button(t('Export What Was Learned…'), 'exportLearning')}
      ${writable ? button(t('Import What Was Learned…'), 'importLearning') : ''}
    </div>
  </section>`;
}
