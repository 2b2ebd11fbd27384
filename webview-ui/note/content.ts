import { html, nothing } from 'lit';
import { LONGEST_NOTE } from '../protocol/limits';
import type { Passage } from '../protocol/note';
import { t } from '../shared/l10n';
import { stateIcon } from './links';
import './text-field';
import type { NoteView } from './view';

export function contentSection(view: NoteView) {
  const onText = ({ detail }: CustomEvent<string>) => {
    view.draft.content = detail;
    view.changed();
  };
  return html`<section class="content" aria-labelledby="content-heading">
    <h2 id="content-heading">${t('Text')}</h2>
    <kaizen-note-text
      .readonly=${!view.canWrite || view.draft.content.length > LONGEST_NOTE}
      .complete=${(typed: string, section: boolean) => view.complete(typed, section)}
      @change-text=${onText}
      @drawn=${() => view.requestUpdate()}
    ></kaizen-note-text>
    <p id="content-hint" class="hint quiet">${t('Markdown. [[ links to another note, and # behind its id to a section of it.')}</p>
  </section>`;
}

/** The text with its links, which can be followed. */
export function readingSection(view: NoteView) {
  const { passages } = view.document;
  if (!passages.some(({ link }) => link)) return nothing;
  return html`<section class="reading" aria-labelledby="reading-heading">
    <h2 id="reading-heading">${t('Text with Its Links')}</h2>
    <div class="rendering" role="group" tabindex="0" aria-label=${t('The text with its links marked')}>${passages.map((each) => passage(view, each))}</div>
  </section>`;
}

function passage(view: NoteView, { text, link }: Passage) {
  if (!link) return text;
  const { state, target, title } = link;
  if (state === 'broken') {
    const create = () => view.sayAfterEdits({ type: 'create', target });
    return html`<span class="missing" title=${t('No note is called "{0}".', target)}>${stateIcon(state)}${text}</span
      >${view.canWrite ? html` <button type="button" class="link" @click=${create}>${t('Create Note')}</button>` : nothing}`;
  }
  const open = () => view.sayAfterEdits({ type: 'openLink', target });
  return html`<button type="button" class="link" title=${title ?? target} @click=${open}>${text}</button>`;
}
