import { html, type TemplateResult } from 'lit';
import { t } from '../shared/l10n';
import { refuse } from './moves';
import type { Page } from './page';
import { ratingName } from './words';

const RATINGS = [1, 2, 3, 4, 5];

/** Asks once, in passing, how well a project went of which nobody has said so. */
export function question(page: Page, project: string): TemplateResult {
  const rate = async (rating: number) => {
    const { error } = await page.ask({ type: 'rate', project_id: project, rating });
    if (error !== undefined) return refuse(page, error);
    page.announce(t('Thank you.'));
    return page.focusOn('.details h2');
  };
  const dismiss = () => {
    page.post({ type: 'dismiss', project_id: project });
    void page.focusOn('.details h2');
  };
  return html`<div class="question" role="group" aria-labelledby="how-well">
    <span id="how-well">${t('How well did it go?')}</span>
    <span class="ratings"
      ><span class="quiet" aria-hidden="true">${ratingName(1)}</span>${RATINGS.map(
        (rating) =>
          html`<button
            type="button"
            class="rating"
            title=${ratingName(rating)}
            aria-label=${`${rating}: ${ratingName(rating)}`}
            @click=${() => rate(rating)}
          >
            ${rating}
          </button>`,
      )}<span class="quiet" aria-hidden="true">${ratingName(5)}</span></span
    >
    <button class="icon-button" title=${t('Do Not Ask')} aria-label=${t('Do Not Ask')} @click=${dismiss}>
      <span class="codicon codicon-close" aria-hidden="true"></span>
    </button>
  </div>`;
}
