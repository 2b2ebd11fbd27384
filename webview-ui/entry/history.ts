import { html, nothing } from 'lit';
import type { HistoryItem } from '../protocol/entry';
import { t } from '../shared/l10n';
import type { EntryView } from './view';

/** Read when it is opened. */
export function historySection(view: EntryView) {
  const { history, historyIsOpen } = view;
  const onToggle = ({ target }: Event) => view.openHistory((target as HTMLDetailsElement).open);
  return html`<section class="history" aria-labelledby="history-heading">
    <details .open=${historyIsOpen} @toggle=${onToggle}>
      <summary><h2 id="history-heading">${t('History')}</h2></summary>
      ${history && historyIsOpen ? revisions(view, history.revisions, history.total) : nothing}
    </details>
  </section>`;
}

function revisions(view: EntryView, items: readonly HistoryItem[], total: number) {
  if (items.length === 0) return html`<p class="quiet">${t('Nothing was stored yet.')}</p>`;
  return html`<ol class="revisions" reversed>
      ${items.map((item, index) => revision(view, item, index === 0))}
    </ol>
    ${
      total > items.length
        ? html`<p class="quiet">${t('These are the newest {0} of {1} revisions. The command Show Entry History has all.', items.length, total)}</p>`
        : nothing
    }`;
}

function revision(view: EntryView, item: HistoryItem, isNewest: boolean) {
  const { number, at, author, by_agent, reason, added, removed } = item;
  return html`<li class="revision">
    <div class="what">
      <strong>${t('Revision {0}', number)}</strong><span>${actionText(item)}</span>
      <span class="quiet lines"
        ><span aria-hidden="true">+${added} −${removed}</span
        ><span class="visually-hidden">${t('{0} lines added, {1} removed', added, removed)}</span></span
      >
      <span class="who quiet">
        <span class="codicon codicon-${by_agent ? 'hubot' : 'account'}" aria-hidden="true"></span>
        <span>${by_agent ? t('{0} (agent)', author) : t('{0} (person)', author)}</span>
        <time datetime=${at}>${dateText(at)}</time>
      </span>
    </div>
    ${reason ? html`<p class="why">${reason}</p>` : nothing}
    <div class="does">
      ${action(view, t('Show Change'), number, 'before')}
      ${item.has_content && !isNewest ? action(view, t('Compare with Now'), number, 'document') : nothing}
      ${
        item.has_content && view.canWrite && (!isNewest || view.surroundings?.stored === 'deleted')
          ? html`<button type="button" class="link" aria-label=${t('Restore Revision {0}', number)} @click=${() => view.post({ type: 'restore', revision: number })}>
              ${t('Restore')}
            </button>`
          : nothing
      }
    </div>
  </li>`;
}

function action(view: EntryView, text: string, revision: number, other: 'document' | 'before') {
  return html`<button
    type="button"
    class="link"
    aria-label=${t('{0}: Revision {1}', text, revision)}
    @click=${() => view.post({ type: 'compare', revision, with: other })}
  >
    ${text}
  </button>`;
}

function actionText({ action: done }: HistoryItem): string {
  switch (done) {
    case 'create':
      return t('Stored');
    case 'update':
      return t('Changed');
    case 'delete':
      return t('Deleted');
    case 'restore':
      return t('Restored');
  }
}

function dateText(at: string): string {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' });
  return format.format(new Date(at));
}
