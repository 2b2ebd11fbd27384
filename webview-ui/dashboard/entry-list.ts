import { html, type TemplateResult } from 'lit';
import type { EntryKey, EntryMention } from '../../src/knowledge/model';
import { formatLocalDay, formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { emptyNote } from './notes';

/** Entries that a list shows before it is unfolded. */
const SHOWN = 8;

export interface EntryListOptions {
  heading: string;
  caption: string;
  entries: readonly EntryMention[];
  /** How many there are, listed or not. */
  count: number;
  /** In place of the list when it is empty. */
  whenEmpty: string;
  unfolded: boolean;
  unfold(): void;
  open(entry: EntryKey): void;
}

/** Entries to look after, each a button that opens it. */
export function entryList(options: EntryListOptions): TemplateResult {
  const { heading, caption, entries, count, whenEmpty, unfolded, unfold, open } = options;
  const shown = unfolded ? entries : entries.slice(0, SHOWN);
  const left = count - entries.length;
  return html`<section class="card">
    <h2>${heading}</h2>
    <p class="caption">${caption}</p>
    ${entries.length === 0 ? emptyNote(whenEmpty) : ''}
    <ul class="entries">
      ${shown.map(({ scope_id, category, keyword, updated_at }) => {
        return html`<li>
          <button type="button" @click=${() => open({ scope_id, category, keyword })}>
            <span class="keyword">${keyword}</span>
            <span class="place">${scope_id} · ${category}</span>
            <span class="date">${formatLocalDay(updated_at)}</span>
          </button>
        </li>`;
      })}
    </ul>
    ${
      entries.length > SHOWN && !unfolded
        ? html`<vscode-button class="more" secondary @click=${unfold}
            >${t('Show {0} more', formatNumber(entries.length - SHOWN))}</vscode-button
          >`
        : ''
    }
    ${
      unfolded && left > 0
        ? html`<p class="caption">${left === 1 ? t('and 1 more') : t('and {0} more', formatNumber(left))}</p>`
        : ''
    }
  </section>`;
}
