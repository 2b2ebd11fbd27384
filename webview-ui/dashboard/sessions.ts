import { html, type TemplateResult } from 'lit';
import type { SessionSummary } from '../../src/continuity/model';
import type { TimelinePoint } from '../charts';
import type { DashboardRequest, DashboardState } from '../protocol/dashboard';
import { dayOf, formatDay, formatDuration, formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { emptyNote } from './notes';

/** Sessions that the list shows before it is unfolded. */
const SHOWN = 5;
/** Characters of a summary that the timeline shows. */
const TIP_LENGTH = 140;

export interface SessionsOptions {
  unfolded: boolean;
  unfold(): void;
  run(action: Extract<DashboardRequest, { type: 'run' }>['action']): void;
}

/** The project's sessions on an axis of time, and what they were about. */
export function sessionsFigure(state: DashboardState, { unfolded, unfold, run }: SessionsOptions): TemplateResult {
  const { sessions, project, writable, counted_at } = state;
  const heading = t('Sessions');
  if (!project || sessions.length === 0) {
    const [text, label, action] = project
      ? [
          t(
            'No session of {0} was logged yet. Agents store a summary when they finish; you can log one, too.',
            project.name,
          ),
          t('Log Session…'),
          'logSession' as const,
        ]
      : [
          t('Sessions belong to a project, and this workspace has none yet.'),
          t('Set Up Project…'),
          'setUpProject' as const,
        ];
    const button = html`<vscode-button secondary @click=${() => run(action)}>${label}</vscode-button>`;
    return html`<section class="card wide">
      <h2>${heading}</h2>
      ${emptyNote(text, writable ? button : undefined)}
    </section>`;
  }
  const durations = sessions.flatMap(({ duration_minutes }) => duration_minutes ?? []);
  const total = formatDuration(durations.reduce((sum, minutes) => sum + minutes, 0));
  const counted = sessions.length === 1 ? t('1 session') : t('{0} sessions', formatNumber(sessions.length));
  const gist =
    durations.length > 0
      ? t('{0} of {1}, {2} altogether as far as known.', counted, project.name, total)
      : t('{0} of {1}.', counted, project.name);
  const points: TimelinePoint[] = sessions.map((session) => ({
    date: dayOf(session.date),
    duration: session.duration_minutes,
    tip: [`${formatDay(dayOf(session.date))} · ${durationOf(session)}`, shortened(session.summary)].join('\n'),
  }));
  const table = {
    columns: [
      { label: t('Date') },
      { label: t('Duration'), numeric: true },
      { label: t('Domain') },
      { label: t('Tasks completed'), numeric: true },
    ],
    rows: sessions.map((session) => [
      formatDay(dayOf(session.date)),
      durationOf(session),
      session.domain ?? '–',
      formatNumber(session.tasks_completed.length),
    ]),
  };
  return html`<div class="card wide">
    <kaizen-chart-figure .heading=${heading} .caption=${gist} .table=${table}>
      <kaizen-timeline-chart
        .label=${t('When sessions took place and how long they took. {0}', gist)}
        .points=${points}
        .until=${dayOf(counted_at.slice(0, 10))}
      ></kaizen-timeline-chart>
    </kaizen-chart-figure>
    <ol class="sessions" reversed>
      ${(unfolded ? sessions : sessions.slice(0, SHOWN)).map(
        (session) => html`<li>
          <p class="when">
            <strong>${formatDay(dayOf(session.date))}</strong>
            <span>${durationOf(session)}</span>
            ${session.domain ? html`<span>${session.domain}</span>` : ''}
          </p>
          <p class="summary">${session.summary}</p>
        </li>`,
      )}
    </ol>
    ${
      sessions.length > SHOWN && !unfolded
        ? html`<vscode-button class="more" secondary @click=${unfold}
            >${t('Show {0} more', formatNumber(sessions.length - SHOWN))}</vscode-button
          >`
        : ''
    }
  </div>`;
}

function durationOf({ duration_minutes }: SessionSummary): string {
  return duration_minutes === null ? t('Duration unknown') : formatDuration(duration_minutes);
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= TIP_LENGTH ? text : `${characters.slice(0, TIP_LENGTH).join('').trimEnd()}…`;
}
