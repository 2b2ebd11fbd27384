import { html, nothing, type TemplateResult } from 'lit';
import type { CountedPiece, NamedPiece, ScoredPiece } from '../protocol/dashboard-reports';
import { formatLocalDay, formatNumber, formatPercent } from '../shared/formats';
import { t } from '../shared/l10n';
import { confidenceName, levelName } from '../shared/score-words';
import { emptyNote } from './notes';
import { moreOf, type ReportUse, shownOf } from './report';

interface Table<Piece> {
  /** Unique in the page. */
  list: string;
  heading: string;
  caption: string;
  pieces: readonly Piece[];
  /** How many there are, listed or not. */
  count?: number;
  whenEmpty: string;
}

/** What was given and used, each a button that opens it. */
export function countedTable(
  { list, heading, caption, pieces, whenEmpty }: Table<CountedPiece>,
  use: ReportUse,
): TemplateResult {
  return html`<section class="card">
    <h2 id=${list}>${heading}</h2>
    <p class="caption">${caption}</p>
    ${
      pieces.length === 0
        ? emptyNote(whenEmpty)
        : html`<table class="usage" aria-labelledby=${list}>
            <thead>
              <tr>
                <th scope="col">${t('What it is')}</th>
                <th scope="col" class="number">${t('Given')}</th>
                <th scope="col" class="number">${t('Used')}</th>
                <th scope="col" class="number">${t('Last')}</th>
              </tr>
            </thead>
            <tbody>
              ${shownOf(list, pieces, use).map(
                (piece) => html`<tr>
                  <th scope="row">${nameOf(piece, use)}</th>
                  <td class="number">${formatNumber(piece.retrieved)}</td>
                  <td class="number">${formatNumber(piece.used)}</td>
                  <td class="number">${piece.last_at ? formatLocalDay(piece.last_at) : '–'}</td>
                </tr>`,
              )}
            </tbody>
          </table>`
    }
    ${moreOf(list, { listed: pieces.length }, use)}
  </section>`;
}

/** What has a score, each with what it rests on and the way to how it comes about. */
export function scoredTable(
  { list, heading, caption, pieces, count = pieces.length, whenEmpty }: Table<ScoredPiece>,
  use: ReportUse,
): TemplateResult {
  return html`<section class="card wide">
    <h2 id=${list}>${heading}</h2>
    <p class="caption">${caption}</p>
    ${
      pieces.length === 0
        ? emptyNote(whenEmpty)
        : html`<table class="usage" aria-labelledby=${list}>
            <thead>
              <tr>
                <th scope="col">${t('What it is')}</th>
                <th scope="col" class="scored">${t('Score')}</th>
                <th scope="col" class="number">${t('Feedback')}</th>
                <th scope="col" class="number">${t('Used')}</th>
                <th scope="col" class="number">${t('Last')}</th>
                <th scope="col"><span class="visually-hidden">${t('How it comes about')}</span></th>
              </tr>
            </thead>
            <tbody>
              ${shownOf(list, pieces, use).map((piece) => scoredRow(piece, use))}
            </tbody>
          </table>`
    }
    ${moreOf(list, { listed: pieces.length, count }, use)}
  </section>`;
}

function scoredRow(piece: ScoredPiece, use: ReportUse): TemplateResult {
  const { uri, title, score, level, confidence_level, feedback, used, staleness_penalty, last_at } = piece;
  return html`<tr>
    <th scope="row">${nameOf(piece, use)}</th>
    <td>
      <span class="score">${formatPercent(score)}</span> ${levelName(level)}
      <span class="place"
        >${confidenceName(confidence_level)}${
          staleness_penalty > 0 ? html` · ${t('age took {0} off', formatPercent(staleness_penalty))}` : nothing
        }</span
      >
    </td>
    <td class="number">${formatNumber(feedback)}</td>
    <td class="number">${formatNumber(used)}</td>
    <td class="number">${last_at ? formatLocalDay(last_at) : '–'}</td>
    <td class="number">
      <button
        type="button"
        class="link"
        aria-label=${t('Explain the score of {0}', title)}
        @click=${() => use.post({ type: 'explain', uri })}
      >
        ${t('Explain…')}
      </button>
    </td>
  </tr>`;
}

/** Its title, which opens it, and where it is. */
function nameOf({ uri, title, place }: NamedPiece, use: ReportUse): TemplateResult {
  return html`<button type="button" class="link" @click=${() => use.post({ type: 'openArtifact', uri })}>${title}</button>
    <span class="place">${place}</span>`;
}
