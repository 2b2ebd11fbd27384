import { LitElement } from 'lit';
import { spliceBetween } from '../protocol/text-splices';
import type { Host } from './host';
import { caretAfter } from './text-merge';

/** Long enough for a word, short enough to see at once what it does. */
const TYPING_MILLISECONDS = 150;

/** What every such page says to the extension. */
type PageRequest = { type: 'ready' } | { type: 'undo' } | { type: 'redo' } | { type: 'flushed' };

/** What is typed and on its way to the document. */
export interface PageDraft<Edit> {
  /** The text in the field `#content`. */
  readonly content: string;
  /** Whether something is typed that the document does not hold yet. */
  readonly isPending: boolean;
  /** The edit to send next; undefined when there is none, or one is on its way. */
  nextEdit(): Edit | undefined;
}

/**
 * A page that is the form of a document: what is typed is in the document a moment later, and before anything else
 * happens to it; undo and redo are the document's; the page comes back as it was scrolled.
 */
export abstract class DocumentPage<Request, Message, State extends { scroll: number }> extends LitElement {
  abstract readonly draft: PageDraft<Request>;
  private typing: number | undefined;
  /** What is to be said once all that was typed is in the document. */
  private waiting: (Request | PageRequest)[] = [];
  /** Where the page was scrolled to before it was shown again; until it has grown as long as it was. */
  private scrollTarget: number | undefined;

  constructor(protected readonly host: Host<Request | PageRequest, Message, State>) {
    super();
    this.scrollTarget = host.state().scroll;
    host.onMessage((message) => this.receive(message));
    this.addEventListener('keydown', (event) => this.onKey(event), { capture: true });
    this.addEventListener('beforeinput', (event) => this.onNativeUndo(event));
    // What was typed is in the document before the person is anywhere else.
    window.addEventListener('blur', () => this.send());
    window.addEventListener('pagehide', () => this.send());
    window.addEventListener('scrollend', () => {
      if (this.scrollTarget === undefined) host.keep({ scroll: window.scrollY } as Partial<State>);
    });
    // Fields and fonts take their size after the page is drawn.
    new ResizeObserver(() => this.scrollBack()).observe(document.body);
    for (const act of ['wheel', 'pointerdown', 'keydown']) {
      window.addEventListener(act, () => {
        this.scrollTarget = undefined;
      });
    }
  }

  abstract get canWrite(): boolean;

  protected abstract receive(message: Message): void;

  post(message: Request): void {
    this.host.post(message);
  }

  /** To be called after each change of the draft. */
  changed(): void {
    this.requestUpdate();
    window.clearTimeout(this.typing);
    this.typing = window.setTimeout(() => this.send(), TYPING_MILLISECONDS);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.host.post({ type: 'ready' });
  }

  protected override updated(): void {
    this.fillContent();
    this.scrollBack();
  }

  /** Hands over what was typed; once all of it has arrived, what waits for that follows. */
  protected send(): void {
    window.clearTimeout(this.typing);
    const edit = this.canWrite ? this.draft.nextEdit() : undefined;
    if (edit) this.host.post(edit);
    else if (!this.draft.isPending) for (const message of this.waiting.splice(0)) this.host.post(message);
  }

  sayAfterEdits(message: Request | PageRequest): void {
    this.waiting.push(message);
    this.send();
  }

  /** The extension is about to save: it waits for what was typed. */
  protected flush(): void {
    for (const field of this.querySelectorAll('kaizen-suggest-field')) field.commit();
    this.sayAfterEdits({ type: 'flushed' });
  }

  private scrollBack(): void {
    if (this.scrollTarget === undefined || !this.querySelector('main')) return;
    window.scrollTo(0, this.scrollTarget);
    if (Math.abs(window.scrollY - this.scrollTarget) < 2) this.scrollTarget = undefined;
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
