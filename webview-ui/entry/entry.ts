import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, LitElement, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type {
  DocumentMessage,
  EntryMessage,
  EntryRequest,
  HistoryItem,
  Row,
  SurroundingsMessage,
} from '../protocol/entry';
import { spliceBetween } from '../protocol/text-splices';
import { connect } from '../shared/host';
import { t } from '../shared/l10n';
import { banners } from './banners';
import { contentSection, readingSection } from './content';
import { caretAfter, Draft } from './draft';
import { head } from './head';
import { historySection } from './history';
import { inheritanceSection } from './inheritance';
import { metaknowledgeSection } from './metaknowledge';
import type { EntryView } from './view';

/** Long enough for a word, short enough to see at once what it does. */
const TYPING_MILLISECONDS = 150;

interface PageState {
  scroll: number;
  historyIsOpen: boolean;
  /** Rows of metaknowledge that no document holds yet, such as a value without a key. */
  unfinished: Row[];
}

const host = connect<EntryRequest, EntryMessage, PageState>();

@customElement('kaizen-entry')
export class EntryPage extends LitElement implements EntryView {
  readonly draft = new Draft();
  @state() document!: DocumentMessage;
  @state() surroundings: SurroundingsMessage | undefined;
  @state() history: { revisions: HistoryItem[]; total: number } | undefined;
  @state() historyIsOpen = host.state().historyIsOpen ?? false;
  private typing: number | undefined;
  /** What is to be said once all that was typed is in the document. */
  private waiting: EntryRequest[] = [];
  /** Where the page was scrolled to before it was shown again; until it has grown as long as it was. */
  private scrollTarget = host.state().scroll;

  constructor() {
    super();
    host.onMessage((message) => this.receive(message));
    this.addEventListener('keydown', (event) => this.onKey(event), { capture: true });
    this.addEventListener('beforeinput', (event) => this.onNativeUndo(event));
    // What was typed is in the document before the person is anywhere else.
    window.addEventListener('blur', () => this.send());
    window.addEventListener('pagehide', () => this.send());
    window.addEventListener('scrollend', () => {
      if (this.scrollTarget === undefined) host.keep({ scroll: window.scrollY });
    });
    // Fields and fonts take their size after the page is drawn.
    new ResizeObserver(() => this.scrollBack()).observe(document.body);
    for (const act of ['wheel', 'pointerdown', 'keydown']) {
      window.addEventListener(act, () => {
        this.scrollTarget = undefined;
      });
    }
  }

  post(message: EntryRequest): void {
    host.post(message);
  }

  get canWrite(): boolean {
    return this.surroundings?.readOnly !== true;
  }

  changed(): void {
    this.requestUpdate();
    this.keepUnfinished();
    window.clearTimeout(this.typing);
    this.typing = window.setTimeout(() => this.send(), TYPING_MILLISECONDS);
  }

  openHistory(isOpen: boolean): void {
    if (isOpen === this.historyIsOpen) return;
    this.historyIsOpen = isOpen;
    host.keep({ historyIsOpen: isOpen });
    host.post({ type: 'history', open: isOpen });
  }

  showHistory(): void {
    this.openHistory(true);
    void this.updateComplete.then(() => {
      this.querySelector('.history')?.scrollIntoView();
      this.querySelector<HTMLElement>('.history summary')?.focus();
    });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    host.post({ type: 'ready' });
    if (this.historyIsOpen) host.post({ type: 'history', open: true });
  }

  protected override render() {
    if (!this.draft.isFilled || !this.surroundings) return nothing;
    const { keyword } = this.surroundings.key;
    return html`<main aria-label=${t('Entry {0}', keyword)}>
      ${head(this, this.surroundings)} ${banners(this, this.surroundings)}
      <div class="parts">
        ${contentSection(this)} ${readingSection(this)} ${metaknowledgeSection(this)}
        ${this.surroundings.problem ? nothing : inheritanceSection(this, this.surroundings)} ${historySection(this)}
      </div>
    </main>`;
  }

  protected override updated(): void {
    this.fillContent();
    this.scrollBack();
  }

  private scrollBack(): void {
    if (this.scrollTarget === undefined || !this.querySelector('main')) return;
    window.scrollTo(0, this.scrollTarget);
    if (Math.abs(window.scrollY - this.scrollTarget) < 2) this.scrollTarget = undefined;
  }

  private receive(message: EntryMessage): void {
    switch (message.type) {
      case 'document': {
        const isFirst = !this.draft.isFilled;
        const goesOn = this.draft.receive(message);
        this.document = message;
        if (isFirst) for (const row of host.state().unfinished ?? []) this.draft.addRow(row);
        else this.keepUnfinished();
        if (goesOn) this.send();
        break;
      }
      case 'surroundings':
        this.surroundings = message;
        break;
      case 'history':
        this.history = message;
        break;
      case 'flush':
        for (const field of this.querySelectorAll('kaizen-suggest-field')) field.commit();
        this.sayAfterEdits({ type: 'flushed' });
    }
  }

  private keepUnfinished(): void {
    const unfinished = this.draft.unfinished();
    if (unfinished.length > 0 || host.state().unfinished?.length) host.keep({ unfinished });
  }

  /** Hands over what was typed; once all of it has arrived, what waits for that follows. */
  private send(): void {
    window.clearTimeout(this.typing);
    const edit = this.canWrite ? this.draft.nextEdit() : undefined;
    if (edit) host.post(edit);
    else if (!this.draft.isPending) for (const message of this.waiting.splice(0)) host.post(message);
  }

  private sayAfterEdits(message: EntryRequest): void {
    this.waiting.push(message);
    this.send();
  }

  /** Undo is the document's. The editor's own keys do that; only what was typed a moment ago has to go there first. */
  private onKey(event: KeyboardEvent): void {
    const action = undoKey(event);
    if (!action) return;
    event.preventDefault();
    const field = event.target instanceof Element ? event.target.closest('kaizen-suggest-field') : null;
    const isTakenBack = action === 'undo' && field?.revert();
    if (!isTakenBack && !this.draft.isPending) return;
    event.stopImmediatePropagation();
    if (!isTakenBack) this.sayAfterEdits({ type: action });
  }

  /** The browser's own undo knows only the field. */
  private onNativeUndo(event: InputEvent): void {
    if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return;
    event.preventDefault();
    this.sayAfterEdits({ type: event.inputType === 'historyUndo' ? 'undo' : 'redo' });
  }

  /** The field's text follows the draft without losing caret and selection. */
  private fillContent(): void {
    const field = this.querySelector<HTMLTextAreaElement>('#content');
    if (!field) return;
    const splice = spliceBetween(field.value, this.draft.content);
    if (!splice) return;
    const { selectionStart, selectionEnd, selectionDirection } = field;
    field.value = this.draft.content;
    field.setSelectionRange(
      caretAfter(splice, selectionStart),
      caretAfter(splice, selectionEnd),
      selectionDirection ?? 'none',
    );
  }
}

function undoKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (altKey || ctrlKey === metaKey) return undefined;
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo';
  return key.toLowerCase() === 'y' && !shiftKey ? 'redo' : undefined;
}

document.body.append(document.createElement('kaizen-entry'));
