import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { LONGEST_NOTE } from '../protocol/limits';
import type { CompletionItem } from '../protocol/note';
import { t } from '../shared/l10n';
import { caretPlace } from './caret-place';
import { type TypedLink, typedLink } from './link-text';

/** A list that is wider lies over the edge of the field. */
const LIST_WIDTH = 320;

/**
 * The text of a note, in which `[[` suggests what can be linked to. It draws into the page, so that the page's labels and
 * styles reach it. Fires `change-text` with each letter, and `drawn` once it can be filled.
 */
@customElement('kaizen-note-text')
export class NoteTextField extends LitElement {
  @property({ type: Boolean }) readonly = false;
  /** What may be meant by what was typed. */
  @property({ attribute: false }) complete: (typed: string, section: boolean) => Promise<readonly CompletionItem[]> =
    async () => [];
  @state() private items: readonly CompletionItem[] = [];
  @state() private active = 0;
  private link: TypedLink | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render() {
    const isOpen = this.items.length > 0;
    return html`<textarea
        id="content"
        class="field"
        rows="12"
        maxlength=${LONGEST_NOTE}
        spellcheck="true"
        aria-labelledby="content-heading"
        aria-describedby="content-hint"
        aria-autocomplete="list"
        aria-controls="link-suggestions"
        aria-activedescendant=${isOpen ? `link-suggestion-${this.active}` : nothing}
        ?readonly=${this.readonly}
        @input=${this.onInput}
        @click=${this.close}
        @blur=${this.close}
        @keydown=${this.onKey}
      ></textarea>
      <ul id="link-suggestions" class="suggestions" role="listbox" aria-label=${t('Notes to link to')} ?hidden=${!isOpen}>
        ${this.items.map(
          ({ label, description }, index) =>
            html`<li
              id=${`link-suggestion-${index}`}
              role="option"
              aria-selected=${index === this.active}
              @mousedown=${(event: Event) => event.preventDefault()}
              @click=${() => this.pick(index)}
            >
              <span>${label}</span><small>${description}</small>
            </li>`,
        )}
      </ul>
      <span class="visually-hidden" role="status">${isOpen ? t('{0} suggestions', this.items.length) : ''}</span>`;
  }

  protected override firstUpdated(): void {
    this.dispatchEvent(new CustomEvent('drawn'));
  }

  protected override updated(): void {
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  private get field(): HTMLTextAreaElement {
    return this.querySelector('textarea')!;
  }

  private onInput(): void {
    this.tell();
    void this.suggest();
  }

  private tell(): void {
    this.dispatchEvent(new CustomEvent('change-text', { detail: this.field.value }));
  }

  private async suggest(): Promise<void> {
    const { value, selectionStart, selectionEnd } = this.field;
    const link = selectionStart === selectionEnd ? typedLink(value, selectionStart) : undefined;
    this.link = link;
    if (!link) return this.close();
    const items = await this.complete(link.typed, link.section !== undefined);
    // The caret may have moved on.
    if (this.link !== link) return;
    const section = link.section?.toLowerCase();
    this.items = section === undefined ? items : items.filter(({ label }) => label.toLowerCase().includes(section));
    this.active = 0;
    this.place(link.from);
  }

  private place(offset: number): void {
    const list = this.querySelector<HTMLElement>('.suggestions')!;
    const { top, left, line } = caretPlace(this.field, offset);
    list.style.top = `${Math.min(Math.max(top + line, line), this.field.clientHeight) + 4}px`;
    list.style.insetInlineStart = `${Math.max(0, Math.min(left, this.field.clientWidth - LIST_WIDTH))}px`;
  }

  private close(): void {
    this.link = undefined;
    if (this.items.length > 0) this.items = [];
  }

  private pick(index: number): void {
    const { link, field } = this;
    const item = this.items[index];
    if (!link || !item) return;
    field.setRangeText(`${item.text}]]`, link.from, link.to, 'end');
    this.close();
    this.tell();
  }

  private onKey(event: KeyboardEvent): void {
    const count = this.items.length;
    if (count === 0) return;
    switch (event.key) {
      case 'ArrowDown':
        this.active = (this.active + 1) % count;
        break;
      case 'ArrowUp':
        this.active = (this.active + count - 1) % count;
        break;
      case 'Enter':
      case 'Tab':
        this.pick(this.active);
        break;
      case 'Escape':
        this.close();
        break;
      case 'ArrowLeft':
      case 'ArrowRight':
      case 'Home':
      case 'End':
        this.close();
        return;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'kaizen-note-text': NoteTextField;
  }
}
