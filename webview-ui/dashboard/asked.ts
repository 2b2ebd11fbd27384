import { html, nothing, type TemplateResult } from 'lit';
import type { UsageAnalytics } from '../../src/learning/administration/reports-model';
import type { AskedQuery } from '../../src/learning/feedback-model';
import type { Bar, Column, Series } from '../charts';
import type { AskedTab } from '../protocol/dashboard-reports';
import { dayOf, formatLocalDay, formatLocalTime, formatNumber, formatWeekday } from '../shared/formats';
import { t } from '../shared/l10n';
import { emptyNote } from './notes';
import { countedTable } from './pieces';
import { moreOf, type ReportUse, restricted, shownOf } from './report';

const DAY_MS = 86_400_000;
/** Days that are drawn. */
const DAYS = 60;

/** What agents ask and get, and above all what they asked and did not find. */
export function askedReport(report: AskedTab, use: ReportUse): TemplateResult {
  const { made_at, totals, unanswered, asked, counting, used_most, never_used } = report;
  const isEmpty = totals.asked === 0 && asked.length === 0 && used_most.length === 0 && never_used.length === 0;
  return html`
    <p class="caption">${t('As of {0}', formatLocalTime(made_at))}</p>
    ${counting ? nothing : notCounted(use)}
    ${
      isEmpty
        ? html`<section class="card welcome">
            <h2>${t('Nothing was asked yet')}</h2>
            <p>${t(
              'Once agents search and ask for knowledge, it says here what they asked, what they did not find, and what they were given and never used. It is counted on this machine and stays there.',
            )}</p>
          </section>`
        : html`<div class="grid">
            ${unansweredList(unanswered, report.writable, use)} ${daysFigure(report)} ${askedTable(asked, use)}
            ${toolsFigure(report.by_tool)}
            ${countedTable(
              {
                list: 'usedMost',
                heading: t('Used Most'),
                caption: t('What projects were made from, and what else was used.'),
                pieces: used_most,
                whenEmpty: t('Nothing was used yet. Making a project from a template counts as a use.'),
              },
              use,
            )}
            ${countedTable(
              {
                list: 'neverUsed',
                heading: t('Given and Never Used'),
                caption: t('Given to agents, and neither used nor rated. Does it promise more than it says?'),
                pieces: never_used,
                whenEmpty: t('Nothing was given without being used or rated.'),
              },
              use,
            )}
          </div>`
    }
  `;
}

function notCounted(use: ReportUse): TemplateResult {
  return html`<div class="problem">
    <p>${t('What agents ask and are given is not counted now.')}</p>
    <vscode-button secondary @click=${() => use.post({ type: 'run', action: 'openSettings' })}
      >${t('Open Settings')}</vscode-button
    >
  </div>`;
}

function unansweredList(queries: readonly AskedQuery[], writable: boolean, use: ReportUse): TemplateResult {
  const action = (label: string, by: 'store' | 'web' | 'request', query: string) =>
    html`<button
      type="button"
      class="link"
      aria-label=${t('{0} “{1}”', label, query)}
      @click=${() => use.post({ type: 'answer', by, query })}
    >
      ${label}
    </button>`;
  return html`<section class="card wide">
    <h2 id="unanswered">${t('Asked and Not Found')}</h2>
    <p class="caption">${t('What nothing, or nothing that had to do with it, was found for. An answer helps the next one who asks.')}</p>
    ${
      queries.length === 0
        ? emptyNote(t('Every question found something.'))
        : html`<table class="usage" aria-labelledby="unanswered">
            <thead>
              <tr>
                <th scope="col">${t('Question')}</th>
                <th scope="col" class="number">${t('Not found')}</th>
                <th scope="col" class="number">${t('Asked')}</th>
                <th scope="col" class="number">${t('Last')}</th>
              </tr>
            </thead>
            <tbody>
              ${shownOf('unanswered', queries, use).map(
                ({ query, tool, unanswered, times, last_asked }) => html`<tr>
                  <th scope="row">
                    <span class="question">${query}</span> <span class="place">${tool}</span>
                    ${
                      writable
                        ? html`<span class="actions"
                            >${action(t('Store an Answer…'), 'store', query)}
                            ${action(t('Search the Web…'), 'web', query)}
                            ${action(t('Ask for a Document…'), 'request', query)}</span
                          >`
                        : nothing
                    }
                  </th>
                  <td class="number">${formatNumber(unanswered)}</td>
                  <td class="number">${formatNumber(times)}</td>
                  <td class="number">${formatLocalDay(last_asked)}</td>
                </tr>`,
              )}
            </tbody>
          </table>`
    }
    ${queries.length > 0 && !writable ? restricted() : nothing}
    ${moreOf('unanswered', { listed: queries.length }, use)}
  </section>`;
}

function askedTable(queries: readonly AskedQuery[], use: ReportUse): TemplateResult {
  return html`<section class="card">
    <h2 id="asked">${t('Asked Most')}</h2>
    <p class="caption">${t('Questions that are the same but for case and white space count as one.')}</p>
    ${
      queries.length === 0
        ? emptyNote(t('No question is known. Some tools ask none.'))
        : html`<table class="usage" aria-labelledby="asked">
            <thead>
              <tr>
                <th scope="col">${t('Question')}</th>
                <th scope="col" class="number">${t('Asked')}</th>
                <th scope="col" class="number">${t('Not found')}</th>
              </tr>
            </thead>
            <tbody>
              ${shownOf('asked', queries, use).map(
                ({ query, tool, times, unanswered }) => html`<tr>
                  <th scope="row"><span class="question">${query}</span> <span class="place">${tool}</span></th>
                  <td class="number">${formatNumber(times)}</td>
                  <td class="number">${formatNumber(unanswered)}</td>
                </tr>`,
              )}
            </tbody>
          </table>`
    }
    ${moreOf('asked', { listed: queries.length }, use)}
  </section>`;
}

function seriesOf(): Series[] {
  return [
    { label: t('Something was found'), colour: 'blue' },
    { label: t('Nothing was found'), colour: 'yellow', hatched: true },
  ];
}

/** Every day, so that gaps are seen. Ends with the day of the report. */
function daysFigure({ by_day, made_at }: AskedTab): TemplateResult {
  const series = seriesOf();
  const counted = new Map(by_day.map((day) => [dayOf(day.day).getTime(), day]));
  const today = dayOf(made_at.slice(0, 10)).getTime();
  const columns = Array.from({ length: DAYS }, (_, index): Column => {
    const date = new Date(today - (DAYS - 1 - index) * DAY_MS);
    const { times = 0, unanswered = 0 } = counted.get(date.getTime()) ?? {};
    return {
      ...{ date, days: 1, values: [times - unanswered, unanswered] },
      tip: t('{0}\nAsked: {1}\nNot found: {2}', formatWeekday(date), formatNumber(times), formatNumber(unanswered)),
    };
  });
  const busy = columns.filter(({ values }) => values.some((value) => value > 0));
  const sum = (at: number) => busy.reduce((total, { values }) => total + values[at]!, 0);
  const gist = t(
    'Asked over the last {0} days: {1}, of which nothing was found for {2}.',
    DAYS,
    formatNumber(sum(0) + sum(1)),
    formatNumber(sum(1)),
  );
  const table = {
    columns: [
      { label: t('Day') },
      { label: t('Something was found'), numeric: true },
      { label: t('Nothing was found'), numeric: true },
    ],
    rows: busy.map(({ date, values }) => [formatWeekday(date), ...values.map(formatNumber)]),
  };
  return html`<kaizen-chart-figure
    class="card wide"
    .heading=${t('Questions by Day')}
    .caption=${gist}
    .legend=${busy.length > 0 ? series : []}
    .table=${busy.length > 0 ? table : undefined}
  >
    ${
      busy.length > 0
        ? html`<kaizen-column-chart .label=${gist} .series=${series} .columns=${columns}></kaizen-column-chart>`
        : emptyNote(t('Nothing was asked in this time.'))
    }
  </kaizen-chart-figure>`;
}

function toolsFigure(tools: UsageAnalytics['by_tool']): TemplateResult {
  const series = seriesOf();
  const bars: Bar[] = tools.map(({ tool, times, unanswered }) => ({
    label: tool,
    values: [times - unanswered, unanswered],
    tip: t('{0}: asked {1} times, nothing was found for {2}', tool, formatNumber(times), formatNumber(unanswered)),
  }));
  const table = {
    columns: [{ label: t('Tool') }, { label: t('Asked'), numeric: true }, { label: t('Not found'), numeric: true }],
    rows: tools.map(({ tool, times, unanswered }) => [tool, formatNumber(times), formatNumber(unanswered)]),
  };
  return html`<kaizen-chart-figure
    class="card"
    .heading=${t('Questions by Tool')}
    .caption=${t('Since counting began.')}
    .legend=${bars.length > 0 ? series : []}
    .table=${bars.length > 0 ? table : undefined}
  >
    ${
      bars.length > 0
        ? html`<kaizen-bar-chart
            .label=${t('Questions by tool. {0}.', bars.map(({ tip }) => tip).join('; '))}
            .series=${series}
            .bars=${bars}
          ></kaizen-bar-chart>`
        : emptyNote(t('Nothing was asked yet.'))
    }
  </kaizen-chart-figure>`;
}
