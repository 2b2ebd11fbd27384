import { html, nothing } from 'lit';
import type { Passage } from '../protocol/entry';
import { LONGEST_CONTENT } from '../protocol/limits';
import { t } from '../shared/l10n';
import { riskBadge, riskClass } from './head';
import type { EntryView } from './view';

export function contentSection(view: EntryView) {
  const onInput = ({ target }: Event) => {
    view.draft.content = (target as HTMLTextAreaElement).value;
    view.changed();
  };
  return html`<section class="content" aria-labelledby="content-heading">
    <h2 id="content-heading">${t('Content')}</h2>
    <textarea
      id="content"
      class="field"
      rows="10"
      maxlength=${LONGEST_CONTENT}
      spellcheck="true"
      aria-labelledby="content-heading"
      aria-describedby="content-hint"
      ?readonly=${!view.canWrite}
      @input=${onInput}
    ></textarea>
    <p id="content-hint" class="hint quiet">
      ${t('Markdown. WARNING:, DANGER: and LAST TIME: make what follows a risk, up to the end of the paragraph.')}
    </p>
  </section>`;
}

/** The content as agents and editors read it: its risks in the order found, and where they stand. */
export function readingSection({ document: { risks, passages } }: EntryView) {
  return html`<section class="reading" aria-labelledby="reading-heading">
    <h2 id="reading-heading">${t('How Risks Are Read')}</h2>
    ${
      risks.length > 0
        ? html`<ol class="risks">
            ${risks.map(({ level, text }) => html`<li>${riskBadge(level)}<span>${text || emptyRisk()}</span></li>`)}
          </ol>`
        : html`<p class="quiet">${t('No risk: the entry is told when it is asked for, and warns nobody.')}</p>`
    }
    <div class="rendering" role="group" tabindex="0" aria-label=${t('The content with its risks marked')}>${passages.map(passage)}</div>
    ${
      passages.some(({ kind }) => kind === 'code')
        ? html`<p class="hint quiet">${t('Code is an example: nothing in it counts as a risk.')}</p>`
        : nothing
    }
  </section>`;
}

function emptyRisk() {
  return html`<em class="quiet">${t('No text follows the indicator.')}</em>`;
}

function passage({ kind, text }: Passage) {
  if (kind === 'text') return text;
  return kind === 'code' ? html`<code>${text}</code>` : html`<mark class=${riskClass(kind)}>${text}</mark>`;
}
