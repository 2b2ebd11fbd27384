import { html, nothing, type TemplateResult } from 'lit';
import { AGES, type Age, type OldKind, type OldPiece, type OldTab } from '../protocol/dashboard-reports';
import { formatLocalDay, formatLocalTime, formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { emptyNote } from './notes';
import { scoredTable } from './pieces';
import { moreOf, type ReportUse, restricted, shownOf } from './report';
import { dateSays } from './report-words';

/** What nobody has looked at or changed for long, and scores from which age takes something off. */
export function oldReport(report: OldTab, use: ReportUse, choose: (age: Age) => void): TemplateResult {
  const { age, made_at, pieces, scores, counts, message, undated_documents: undated, writable } = report;
  const pages = pieces.documents.flatMap(({ source_id }) => source_id ?? []);
  return html`
    <div class="toolbar">
      <label for="age">${t('Older than')}</label>
      <vscode-single-select
        id="age"
        class="range"
        .label=${t('Older than')}
        .value=${String(age)}
        @change=${(event: Event) => choose(Number((event.target as HTMLInputElement).value) as Age)}
      >
        ${AGES.map(
          (days) => html`<vscode-option value=${days} ?selected=${days === age}>${t('{0} days', days)}</vscode-option>`,
        )}
      </vscode-single-select>
      <span class="caption">${t('As of {0}', formatLocalTime(made_at))}</span>
    </div>
    ${message ? html`<div class="problem"><p lang="en">${message}</p></div>` : nothing}
    <div class="grid">
      ${oldList(
        {
          kind: 'documents',
          heading: t('Documents of the Library'),
          caption: t('By when they were published, or looked at last.'),
          pieces: pieces.documents,
          count: counts.documents,
          whenEmpty: t('No document of the library is old.'),
          footer: html`${
            undated > 0
              ? html`<p class="caption">${t('Documents of which no date is known: {0}.', formatNumber(undated))}</p>`
              : nothing
          }${
            pages.length === 0
              ? nothing
              : writable
                ? html`<vscode-button
                    class="more"
                    @click=${() => use.post({ type: 'refresh', sources: pages })}
                    >${t('Look at Old Web Pages Again…')}</vscode-button
                  >`
                : restricted()
          }`,
        },
        use,
      )}
      ${oldList(
        {
          kind: 'entries',
          heading: t('Entries'),
          caption: t('By when they were changed last. Do they still hold?'),
          pieces: pieces.entries,
          count: counts.entries,
          whenEmpty: t('No entry is old.'),
        },
        use,
      )}
      ${oldList(
        {
          kind: 'nodes',
          heading: t('Nodes of Knowledge Bases'),
          caption: t('By their “last checked”; what does not say it is not listed.'),
          pieces: pieces.nodes,
          count: counts.nodes,
          whenEmpty: t('No node says that it was checked so long ago.'),
        },
        use,
      )}
      ${oldList(
        {
          kind: 'notes',
          heading: t('Notes'),
          caption: t('By when they were changed last.'),
          pieces: pieces.notes,
          count: counts.notes,
          whenEmpty: t('No note is old.'),
        },
        use,
      )}
      ${scoredTable(
        {
          list: 'oldScores',
          heading: t('Scores that Age Took Something Off'),
          caption: t('Neither used nor rated for a month or more. A new rating brings a score back.'),
          pieces: scores,
          count: counts.scores,
          whenEmpty: t('Age took nothing off any score.'),
        },
        use,
      )}
    </div>
  `;
}

interface OldList {
  kind: OldKind;
  heading: string;
  caption: string;
  pieces: readonly OldPiece[];
  /** How many there are, listed or not. */
  count: number;
  whenEmpty: string;
  footer?: TemplateResult;
}

function oldList(
  { kind, heading, caption, pieces, count, whenEmpty, footer }: OldList,
  use: ReportUse,
): TemplateResult {
  const list = `old-${kind}`;
  return html`<section class="card" data-list=${list}>
    <h2>${heading}</h2>
    <p class="caption">${caption}</p>
    ${pieces.length === 0 ? emptyNote(whenEmpty) : nothing}
    <ul class="entries">
      ${shownOf(list, pieces, use).map(
        ({ uri, title, place, date, age_days, by }) => html`<li>
          <button type="button" @click=${() => use.post({ type: 'openArtifact', uri })}>
            <span class="keyword">${title}</span>
            <span class="place">${place} · ${t('{0} {1} days ago', dateSays(by), formatNumber(age_days))}</span>
            <span class="date">${dateText(date)}</span>
          </button>
        </li>`,
      )}
    </ul>
    ${moreOf(list, { listed: pieces.length, count }, use)} ${footer ?? nothing}
  </section>`;
}

/** As exact as it is known: a year or a month stays as it is written. */
function dateText(date: string): string {
  return /^\d{4}(-\d\d)?$/.test(date) || Number.isNaN(Date.parse(date)) ? date : formatLocalDay(date);
}
