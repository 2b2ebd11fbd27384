import { html, type TemplateResult } from 'lit';
import type { KnowledgeStatistics } from '../../src/knowledge/model';
import type { Column, Series } from '../charts';
import type { DashboardDays } from '../protocol/dashboard';
import { dayOf, formatDays, formatNumber, formatWeekday } from '../shared/formats';
import { t } from '../shared/l10n';
import { emptyNote } from './notes';

const DAY_MS = 86_400_000;
const RANGES: readonly DashboardDays[] = [30, 90, 365];

/** Who changed something when, as columns, and the choice of how far back. */
export function activityFigure(
  { activity }: KnowledgeStatistics,
  { days, until, choose }: { days: DashboardDays; until: string; choose(days: DashboardDays): void },
): TemplateResult {
  const series: Series[] = [
    { label: t('By people'), colour: 'blue' },
    { label: t('By agents'), colour: 'purple', hatched: true },
  ];
  const columns = columnsOf(activity, days, until);
  const people = activity.reduce((sum, { by_people }) => sum + by_people, 0);
  const agents = activity.reduce((sum, { by_agents }) => sum + by_agents, 0);
  const gist = t(
    'Changes over the last {0} days: {1} by people, {2} by agents.',
    days,
    formatNumber(people),
    formatNumber(agents),
  );
  const busy = columns.filter(({ values }) => values.some((value) => value > 0));
  const table = {
    columns: [
      { label: days > 90 ? t('Week') : t('Day') },
      { label: t('By people'), numeric: true },
      { label: t('By agents'), numeric: true },
    ],
    rows: busy.map(({ date, days: span, values }) => [nameOf(date, span), ...values.map(formatNumber)]),
  };
  return html`<kaizen-chart-figure
    class="card wide"
    .heading=${t('Activity')}
    .caption=${gist}
    .legend=${busy.length > 0 ? series : []}
    .table=${busy.length > 0 ? table : undefined}
  >
    <vscode-single-select
      slot="controls"
      class="range"
      .label=${t('Range')}
      .value=${String(days)}
      @change=${(event: Event) => choose(Number((event.target as HTMLInputElement).value) as DashboardDays)}
    >
      ${RANGES.map(
        (range) =>
          html`<vscode-option value=${range} ?selected=${range === days}>${
            range === 365 ? t('Last year') : t('Last {0} days', range)
          }</vscode-option>`,
      )}
    </vscode-single-select>
    ${
      busy.length > 0
        ? html`<kaizen-column-chart .label=${gist} .series=${series} .columns=${columns}></kaizen-column-chart>`
        : emptyNote(
            days === RANGES.at(-1)
              ? t('Nothing was changed for a year.')
              : t('Nothing was changed in this time. Choose a longer range to see what was.'),
          )
    }
  </kaizen-chart-figure>`;
}

/** Every day of the range, or every week where days would be too thin to see. Weeks end with today. */
function columnsOf(activity: KnowledgeStatistics['activity'], days: number, until: string): Column[] {
  const changes = new Map(
    activity.map(({ day, by_people, by_agents }) => [dayOf(day).getTime(), [by_people, by_agents]]),
  );
  const today = dayOf(until.slice(0, 10)).getTime();
  const span = days > 90 ? 7 : 1;
  const count = Math.ceil(days / span);
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(today - ((count - index) * span - 1) * DAY_MS);
    const values = [0, 0];
    for (let day = 0; day < span; day++) {
      const [byPeople = 0, byAgents = 0] = changes.get(date.getTime() + day * DAY_MS) ?? [];
      values[0]! += byPeople;
      values[1]! += byAgents;
    }
    const [byPeople = 0, byAgents = 0] = values;
    const tip = t(
      '{0}\nBy people: {1}\nBy agents: {2}',
      nameOf(date, span),
      formatNumber(byPeople),
      formatNumber(byAgents),
    );
    return { date, days: span, values, tip };
  });
}

function nameOf(date: Date, days: number): string {
  return days === 1 ? formatWeekday(date) : formatDays(date, new Date(date.getTime() + (days - 1) * DAY_MS));
}
