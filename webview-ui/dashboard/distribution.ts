import { html, type TemplateResult } from 'lit';
import type { KnowledgeStatistics, RiskLevel, Tier } from '../../src/knowledge/model';
import type { Bar, ChartColour, Series } from '../charts';
import { entriesText } from '../shared/counts';
import { formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { emptyNote } from './notes';

/** Categories that have a bar of their own. */
const SHOWN_CATEGORIES = 12;

/** Gravest first. */
export const LEVELS: readonly { level: RiskLevel; colour: ChartColour; icon: string }[] = [
  { level: 'DANGER', colour: 'red', icon: 'flame' },
  { level: 'WARNING', colour: 'yellow', icon: 'warning' },
  { level: 'LAST TIME', colour: 'blue', icon: 'history' },
];

function scopesText(count: number): string {
  return count === 1 ? t('in 1 scope') : t('in {0} scopes', formatNumber(count));
}

export function tiersFigure({ tiers }: KnowledgeStatistics): TemplateResult {
  const names: Record<Tier, string> = {
    GENERAL: t('General'),
    PRODUCT: t('Product'),
    GROUP: t('Group'),
    PROJECT: t('Project'),
  };
  const bars: Bar[] = tiers.map(({ tier, scopes, entries }) => ({
    label: names[tier],
    values: [entries],
    note: scopesText(scopes),
    tip: t('{0}: {1} {2}', names[tier], entriesText(entries), scopesText(scopes)),
  }));
  const table = {
    columns: [{ label: t('Tier') }, { label: t('Scopes'), numeric: true }, { label: t('Entries'), numeric: true }],
    rows: tiers.map(({ tier, scopes, entries }) => [names[tier], formatNumber(scopes), formatNumber(entries)]),
  };
  return html`<kaizen-chart-figure
    class="card"
    .heading=${t('Entries by Tier')}
    .caption=${t('From what holds everywhere to what holds in one project.')}
    .table=${table}
  >
    <kaizen-bar-chart
      .label=${t('Entries by tier. {0}.', bars.map(({ tip }) => tip).join('; '))}
      .series=${[{ label: t('Entries'), colour: 'blue' }]}
      .bars=${bars}
    ></kaizen-bar-chart>
  </kaizen-chart-figure>`;
}

export function risksFigure({ risks }: KnowledgeStatistics): TemplateResult {
  const total = LEVELS.reduce((sum, { level }) => sum + risks[level], 0);
  const bars: Bar[] = LEVELS.map(({ level, colour }) => ({
    label: level,
    values: [risks[level]],
    series: { label: level, colour },
    tip: `${level}: ${formatNumber(risks[level])}`,
  }));
  const table = {
    columns: [{ label: t('Level') }, { label: t('Risk indicators'), numeric: true }],
    rows: LEVELS.map(({ level }) => [level, formatNumber(risks[level])]),
  };
  return html`<kaizen-chart-figure
    class="card"
    .heading=${t('Risks by Level')}
    .caption=${t('Risk indicators in all entries, past incidents last.')}
    .table=${total > 0 ? table : undefined}
  >
    ${
      total > 0
        ? html`<kaizen-bar-chart
            .label=${t('Risk indicators by level. {0}.', bars.map(({ tip }) => tip).join('; '))}
            .series=${[{ label: t('Risk indicators'), colour: 'red' }]}
            .bars=${bars}
          ></kaizen-bar-chart>`
        : emptyNote(
            t(
              'No entry warns of anything yet. Begin a paragraph with WARNING:, DANGER: or LAST TIME: and it shows here.',
            ),
          )
    }
  </kaizen-chart-figure>`;
}

export function categoriesFigure({ categories }: KnowledgeStatistics): TemplateResult {
  const series: Series[] = [
    { label: t('Without a risk'), colour: 'blue' },
    { label: t('With a risk'), colour: 'yellow', hatched: true },
  ];
  const barOf = (label: string, entries: number, withRisk: number): Bar => ({
    label,
    values: [entries - withRisk, withRisk],
    tip: t('{0}: {1}, {2} with a risk', label, entriesText(entries), formatNumber(withRisk)),
  });
  const others = categories.slice(SHOWN_CATEGORIES);
  const sum = (key: 'entries' | 'entries_with_risk') => others.reduce((total, each) => total + each[key], 0);
  const bars = categories
    .slice(0, SHOWN_CATEGORIES)
    .map(({ category, entries, entries_with_risk }) => barOf(category, entries, entries_with_risk));
  if (others.length > 0) {
    const label = others.length === 1 ? t('1 other') : t('{0} others', formatNumber(others.length));
    bars.push(barOf(label, sum('entries'), sum('entries_with_risk')));
  }
  const table = {
    columns: [
      { label: t('Category') },
      { label: t('Entries'), numeric: true },
      { label: t('With a risk'), numeric: true },
    ],
    rows: categories.map(({ category, entries, entries_with_risk }) => [
      category,
      formatNumber(entries),
      formatNumber(entries_with_risk),
    ]),
  };
  return html`<kaizen-chart-figure
    class="card tall"
    .heading=${t('Entries by Category')}
    .caption=${t('By top-level category, over all scopes.')}
    .legend=${series}
    .table=${table}
  >
    <kaizen-bar-chart
      .label=${t('Entries by category. {0}.', bars.map(({ tip }) => tip).join('; '))}
      .series=${series}
      .bars=${bars}
    ></kaizen-bar-chart>
  </kaizen-chart-figure>`;
}
