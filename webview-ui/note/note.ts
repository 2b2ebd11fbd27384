import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { CompletionItem, DocumentMessage, NoteMessage, NoteRequest, SurroundingsMessage } from '../protocol/note';
import type { RatingState } from '../protocol/rating';
import { DocumentPage } from '../shared/document-page';
import { connect } from '../shared/host';
import { t } from '../shared/l10n';
import { contentSection, readingSection } from './content';
import { NoteDraft } from './draft';
import { fieldsSection } from './fields';
import { banners, head } from './head';
import { backlinksSection, collectionsSection, type NewLink, relationshipsSection } from './links';
import type { NoteView } from './view';

interface PageState {
  scroll: number;
}

const host = connect<NoteRequest, NoteMessage, PageState>();

@customElement('kaizen-note')
export class NotePage extends DocumentPage<NoteRequest, NoteMessage, PageState> implements NoteView {
  readonly draft = new NoteDraft();
  @state() document!: DocumentMessage;
  @state() surroundings!: SurroundingsMessage;
  @state() rating: RatingState | undefined;
  private readonly added: NewLink = { type: 'related', target: '', suggestions: [] };
  private asked = 0;
  private answer: ((items: readonly CompletionItem[]) => void) | undefined;

  constructor() {
    super(host);
  }

  override get canWrite(): boolean {
    return this.surroundings?.readOnly !== true;
  }

  get canEditFields(): boolean {
    return this.canWrite && this.document.isReadable;
  }

  /** A question that was not answered yet is answered with nothing: nobody waits for it any more. */
  complete(typed: string, section: boolean): Promise<readonly CompletionItem[]> {
    this.answer?.([]);
    this.asked += 1;
    host.post({ type: 'complete', number: this.asked, typed, section });
    return new Promise((resolve) => {
      this.answer = resolve;
    });
  }

  protected override render() {
    if (!this.draft.isFilled || !this.surroundings) return nothing;
    return html`<main aria-label=${t('Note {0}', this.document.zettel_id)}>
      ${head(this)} ${banners(this)}
      <div class="parts">
        <div class="column">${contentSection(this)} ${readingSection(this)}</div>
        <div class="column">
          ${fieldsSection(this)} ${relationshipsSection(this, this.added)} ${backlinksSection(this)}
          ${collectionsSection(this)}
        </div>
      </div>
    </main>`;
  }

  protected override receive(message: NoteMessage): void {
    switch (message.type) {
      case 'document': {
        const goesOn = this.draft.receive(message);
        this.document = message;
        if (goesOn) this.send();
        break;
      }
      case 'surroundings':
        this.surroundings = message;
        break;
      case 'rating':
        this.rating = message.rating;
        break;
      case 'completions':
        if (message.number === this.asked) this.answer?.(message.items);
        break;
      case 'flush':
        this.flush();
    }
  }
}

document.body.append(document.createElement('kaizen-note'));
