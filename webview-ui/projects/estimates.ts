import { html, nothing, type TemplateResult } from 'lit';
import type { Bar, Series } from '../charts';
import type { EstimateRow } from '../protocol/projects';
import { formatNumber, formatPercent } from '../shared/formats';
import { t } from '../shared/l10n';
import type { Page } from './page';

/** Rows of the picture; the table behind it has all. */
const DRAWN = 6;

const DAYS = (): Series => ({ label: t('days'), colour: 'blue' });
const HOURS = (): Series => ({ label: t('hours of work'), colour: 'purple', hatched: true });

/** What was needed for each unit that was estimated, over all completed projects, by type. */
export function estimates(page: Page): TemplateResult | typeof nothing {
  const rows = page.state.estimates;
  const [all] = rows;
  if (!all) return nothing;
  return html`<details
    class="estimates panel"
    ?open=${page.comparing}
    @toggle=${(event: Event) => {
      page.comparing = (event.target as HTMLDetailsElement).open;
      page.changed();
    }}
  >
    <summary>
      <h2 class="gist-title">${t('Estimates against what it took')}</h2>
      <span class="gist">${gist(all)}</span>
    </summary>
    ${page.comparing ? figure(rows) : nothing}
  </details>`;
}

/** The ratio in words, for those who read no further. */
function gist({ duration, effort }: EstimateRow): string {
  const projects = (count: number) => (count === 1 ? t('1 project') : t('{0} projects', formatNumber(count)));
  return [
    duration ? t('Days: {0} of the estimate ({1})', formatPercent(duration.mean), projects(duration.projects)) : '',
    effort ? t('Hours: {0} of the estimate ({1})', formatPercent(effort.mean), projects(effort.projects)) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function figure(rows: readonly EstimateRow[]): TemplateResult {
  const bars = rows.slice(0, DRAWN).flatMap((row): Bar[] =>
    (['duration', 'effort'] as const).flatMap((key) => {
      const factor = row[key];
      if (!factor) return [];
      const series = key === 'duration' ? DAYS() : HOURS();
      const note = factor.projects === 1 ? t('1 project') : t('{0} projects', factor.projects);
      const label = `${typeName(row)}: ${series.label}`;
      return [
        {
          label,
          values: [Math.round(100 * factor.mean)],
          series,
          note,
          tip: `${label}: ${formatPercent(factor.mean)} (${note})`,
        },
      ];
    }),
  );
  const share = (value: number | undefined) => (value === undefined ? '–' : formatPercent(value));
  const table = {
    columns: [
      { label: t('Type') },
      { label: t('Days: mean'), numeric: true },
      { label: t('Days: median'), numeric: true },
      { label: t('Days: projects'), numeric: true },
      { label: t('Hours: mean'), numeric: true },
      { label: t('Hours: median'), numeric: true },
      { label: t('Hours: projects'), numeric: true },
    ],
    rows: rows.map((row) => [
      typeName(row),
      ...[row.duration, row.effort].flatMap((factor) => [
        share(factor?.mean),
        share(factor?.median),
        factor ? formatNumber(factor.projects) : '–',
      ]),
    ]),
  };
  return html`<kaizen-chart-figure
    .heading=${t('What was needed for each unit that was estimated')}
    .caption=${t('In percent: 100 is as estimated, 200 twice as much. Only completed projects with both numbers count.')}
    .legend=${[DAYS(), HOURS()]}
    .table=${table}
  >
    <kaizen-bar-chart
      .label=${t('What was needed for each unit that was estimated')}
      .series=${[DAYS(), HOURS()]}
      .bars=${bars}
    ></kaizen-bar-chart>
  </kaizen-chart-figure>`;
}

function typeName({ project_type }: EstimateRow): string {
  return project_type ?? t('All projects');
}
