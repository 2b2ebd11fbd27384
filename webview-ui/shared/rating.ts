import { html, nothing, type TemplateResult } from 'lit';
import type { RatingRequest, RatingState } from '../protocol/rating';
import { formatScore } from './formats';
import { t } from './l10n';

/**
 * *Was this helpful?*, with one click to say so and one to take it back. The buttons stay where they are, so that who
 * comes to them by key stays there; what was said is told beside them.
 */
export function ratingLine(
  { said, score, ratings, writable }: RatingState,
  post: (message: RatingRequest) => void,
  options: { explains: boolean } = { explains: true },
): TemplateResult {
  return html`<div class="rating quiet" role="group" aria-label=${t('Was this helpful?')}>
    ${
      writable
        ? html`<span aria-live="polite">${question(said)}</span>
          <span class="thumbs">
            ${thumb('thumbsup', t('This was helpful'), said === 'helpful', () => post(clicked(said, 'helpful')))}
            ${thumb('thumbsdown', t('This was not helpful'), said === 'not_helpful', () => post(clicked(said, 'not_helpful')))}
          </span>`
        : nothing
    }
    ${said && writable ? html`<button type="button" class="link" @click=${() => post({ type: 'takeBackRating' })}>${t('Take Back')}</button>` : nothing}
    ${
      ratings > 0 && options.explains
        ? html`<button type="button" class="link" @click=${() => post({ type: 'explainScore' })}>
            ${ratings === 1 ? t('Score {0} from 1 rating', formatScore(score)) : t('Score {0} from {1} ratings', formatScore(score), ratings)}
          </button>`
        : nothing
    }
  </div>`;
}

/** A click on what was said takes it back. */
function clicked(said: RatingState['said'], thumb: NonNullable<RatingState['said']>): RatingRequest {
  return said === thumb ? { type: 'takeBackRating' } : { type: 'rate', helpful: thumb === 'helpful' };
}

function question(said: RatingState['said']): string {
  if (said === undefined) return t('Was this helpful?');
  return said === 'helpful' ? t('You found this helpful.') : t('You found this not helpful.');
}

function thumb(icon: string, label: string, isSaid: boolean, onClick: () => void): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    aria-label=${label}
    aria-pressed=${isSaid}
    title=${label}
    @click=${onClick}
  >
    <span class="codicon codicon-${icon}${isSaid ? '-filled' : ''}" aria-hidden="true"></span>
  </button>`;
}
