import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';

export interface Suggestion {
  value: string;
  /** What it is for, in a few words. */
  description?: string;
}

/** More than the extension takes would not reach the document. */
const LONGEST_VALUE = 2_000;

let fields = 0;

/**
 * A text field that suggests and lets anything be typed: a combobox with a list (WAI-ARIA 1.2). It draws into the page,
 * so that the page's labels and styles reach it.
 * Fires `type` with each letter, and `commit` when the person has decided: by Enter, by picking, or by leaving.
 */
@customElement('kaizen-suggest-field')
export class SuggestField extends LitElement {
  @property() value = '';
  @property() label = '';
  @property() placeholder = '';
  /** What the field says about itself below: the id of an element of the page. */
  @property() describedBy = '';
  @property({ type: Boolean }) invalid = false;
  @property({ type: Boolean }) disabled = false;
  /** The suggestions are made for what is typed: all of them show, in their order. */
  @property({ type: Boolean }) ranked = false;
  @property({ attribute: false }) suggestions: readonly Suggestion[] = [];

  @state() private open = false;
  @state() private active = -1;
  /** Until something is typed all suggestions show, whatever stands in the field. */
  @state() private typed: string | undefined;
  private readonly list = `suggestions-${++fields}`;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override focus(): void {
    this.input?.focus();
  }

  /** What stands in the field counts from now on, as if the person had left it. */
  commit(): void {
    this.close();
    const value = this.input?.value ?? this.value;
    if (value === this.value) return;
    this.value = value;
    this.dispatchEvent(new CustomEvent('commit', { detail: value, bubbles: true }));
  }

  /** Takes back what was typed since the last `commit`; false when nothing was. */
  revert(): boolean {
    if (!this.input || this.input.value === this.value) return false;
    this.input.value = this.value;
    this.close();
    return true;
  }

  protected override render() {
    const shown = this.shown;
    const isOpen = this.open && shown.length > 0;
    return html`<input
        class="field"
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck="false"
        aria-label=${this.label}
        aria-autocomplete="list"
        aria-expanded=${isOpen}
        aria-controls=${this.list}
        aria-activedescendant=${isOpen && this.active >= 0 ? `${this.list}-${this.active}` : nothing}
        aria-describedby=${this.describedBy || nothing}
        aria-invalid=${this.invalid}
        maxlength=${LONGEST_VALUE}
        placeholder=${this.placeholder}
        ?disabled=${this.disabled}
        .value=${this.value}
        @input=${this.onInput}
        @click=${this.show}
        @blur=${this.commit}
        @keydown=${this.onKey}
      />
      <ul id=${this.list} class="suggestions" role="listbox" aria-label=${this.label} ?hidden=${!isOpen}>
        ${shown.map(
          ({ value, description }, index) =>
            html`<li
              id=${`${this.list}-${index}`}
              role="option"
              aria-selected=${index === this.active}
              @mousedown=${(event: Event) => event.preventDefault()}
              @click=${() => this.pick(value)}
            >
              <span>${value}</span>${description ? html`<small>${description}</small>` : nothing}
            </li>`,
        )}
      </ul>`;
  }

  protected override updated(): void {
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  private get input(): HTMLInputElement | null {
    return this.querySelector('input');
  }

  private get shown(): readonly Suggestion[] {
    const typed = this.typed?.toLowerCase();
    return typed && !this.ranked
      ? this.suggestions.filter(({ value }) => value.toLowerCase().includes(typed))
      : this.suggestions;
  }

  private show(): void {
    this.open = true;
  }

  private close(): void {
    this.open = false;
    this.active = -1;
    this.typed = undefined;
  }

  private onInput(): void {
    this.typed = this.input?.value ?? '';
    this.active = -1;
    this.show();
    this.dispatchEvent(new CustomEvent('type', { detail: this.typed, bubbles: true }));
  }

  private pick(value: string): void {
    if (this.input) this.input.value = value;
    this.commit();
  }

  private onKey(event: KeyboardEvent): void {
    const count = this.shown.length;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (this.open && count > 0)
        this.active = (this.active + step + count + Number(this.active < 0 && step < 0)) % count;
      else this.active = -1;
      this.show();
    } else if (event.key === 'Enter') {
      const chosen = this.open ? this.shown[this.active] : undefined;
      if (chosen) this.pick(chosen.value);
      else this.commit();
    } else if (event.key === 'Escape' && this.open) {
      this.close();
    } else return;
    event.preventDefault();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'kaizen-suggest-field': SuggestField;
  }
}
