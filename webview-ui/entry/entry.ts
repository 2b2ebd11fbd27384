import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type {
  DocumentMessage,
  EntryMessage,
  EntryRequest,
  HistoryItem,
  Row,
  SurroundingsMessage,
} from '../protocol/entry';
import type { RatingState } from '../protocol/rating';
import { DocumentPage } from '../shared/document-page';
import { connect } from '../shared/host';
import { t } from '../shared/l10n';
import { banners } from './banners';
import { contentSection, readingSection } from './content';
import { Draft } from './draft';
import { head } from './head';
import { historySection } from './history';
import { inheritanceSection } from './inheritance';
import { metaknowledgeSection } from './metaknowledge';
import type { EntryView } from './view';

interface PageState {
  scroll: number;
  historyIsOpen: boolean;
  /** Rows of metaknowledge that no document holds yet, such as a value without a key. */
  unfinished: Row[];
}

const host = connect<EntryRequest, EntryMessage, PageState>();

@customElement('kaizen-entry')
export class EntryPage extends DocumentPage<EntryRequest, EntryMessage, PageState> implements EntryView {
  readonly draft = new Draft();
  @state() document!: DocumentMessage;
  @state() surroundings: SurroundingsMessage | undefined;
  @state() rating: RatingState | undefined;
  @state() history: { revisions: HistoryItem[]; total: number } | undefined;
  @state() historyIsOpen = host.state().historyIsOpen ?? false;

  constructor() {
    super(host);
  }

  override get canWrite(): boolean {
    return this.surroundings?.readOnly !== true;
  }

  override changed(): void {
    this.keepUnfinished();
    super.changed();
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

  override connectedCallback(): void {
    super.connectedCallback();
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

  protected override receive(message: EntryMessage): void {
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
      case 'rating':
        this.rating = message.rating;
        break;
      case 'history':
        this.history = message;
        break;
      case 'flush':
        this.flush();
    }
  }

  private keepUnfinished(): void {
    const unfinished = this.draft.unfinished();
    if (unfinished.length > 0 || host.state().unfinished?.length) host.keep({ unfinished });
  }
}

document.body.append(document.createElement('kaizen-entry'));
