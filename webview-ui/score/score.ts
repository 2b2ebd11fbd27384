import '@vscode-elements/elements/dist/vscode-button/index.js';
import '../charts';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { ScoreMessage, ScoreRequest, ScoreState } from '../protocol/score';
import { connect } from '../shared/host';
import { t } from '../shared/l10n';
import { ratingLine } from '../shared/rating';
import { effects, factorBars, overall, sumList } from './numbers';
import { remarkList, sampleTable } from './samples';

/** What is kept when the page is hidden or the window reloaded. */
interface Kept {
  artifact: string;
  scroll: number;
}

const SCROLL_PAUSE_MS = 200;

const host = connect<ScoreRequest, ScoreMessage, Kept>();
const post = (message: ScoreRequest) => host.post(message);

/** How something served: its score, in words and numbers, with all that it is made of. */
@customElement('kaizen-score')
export class ScorePage extends LitElement {
  @state() private shown: ScoreState | undefined;
  @state() private problem: string | undefined;
  @state() private isEmpty = false;
  private restoredScroll: number | undefined = host.state().scroll;

  /** The page's own style sheet is for it. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    host.onMessage((message) => this.receive(message));
    const { artifact } = host.state();
    post({ type: 'ready', ...(artifact ? { artifact } : {}) });
    let pause: number | undefined;
    window.addEventListener('scroll', () => {
      window.clearTimeout(pause);
      pause = window.setTimeout(() => host.keep({ scroll: window.scrollY }), SCROLL_PAUSE_MS);
    });
  }

  protected override updated(_changed: PropertyValues): void {
    if (!this.shown || this.restoredScroll === undefined) return;
    const { restoredScroll } = this;
    this.restoredScroll = undefined;
    // The charts take their place once they know their width.
    requestAnimationFrame(() => requestAnimationFrame(() => window.scrollTo(0, restoredScroll)));
  }

  override render(): TemplateResult {
    return html`<main aria-label=${t('Score')}>
      ${
        this.problem
          ? html`<div class="banner danger" role="alert">
              <span class="codicon codicon-error" aria-hidden="true"></span><span class="grow">${this.problem}</span>
              <vscode-button secondary @click=${() => this.again()}>${t('Try Again')}</vscode-button>
            </div>`
          : nothing
      }
      ${this.shown && !this.problem ? this.explained(this.shown) : nothing}
      ${this.isEmpty && !this.shown && !this.problem ? this.invitation() : nothing}
    </main>`;
  }

  private receive(message: ScoreMessage): void {
    this.problem = message.type === 'problem' ? message.message : undefined;
    this.isEmpty = message.type === 'empty';
    if (message.type !== 'state') return;
    this.shown = message.state;
    host.keep({ artifact: message.state.artifact });
  }

  private again(): void {
    const { artifact } = host.state();
    post({ type: 'ready', ...(artifact ? { artifact } : {}) });
  }

  private invitation(): TemplateResult {
    return html`<h1>${t('Score')}</h1>
      <section class="card invitation">
        <p>${t('Choose something, and this page says how it served, and how its score came about.')}</p>
        <vscode-button @click=${() => post({ type: 'choose' })}>${t('Choose…')}</vscode-button>
      </section>`;
  }

  private explained(shown: ScoreState): TemplateResult {
    const { artifact, title, kind, explanation, rating } = shown;
    return html`
      <header class="top">
        <div class="name">
          <p class="quiet">${kind}</p>
          <h1>${title}</h1>
          ${ratingLine(rating, post, { explains: false })}
        </div>
        <div class="actions" role="toolbar" aria-label=${t('Actions')}>
          <vscode-button secondary icon="go-to-file" @click=${() => post({ type: 'open', artifact })}>${t('Open')}</vscode-button>
          ${
            rating.writable
              ? html`<vscode-button secondary icon="star-empty" @click=${() => post({ type: 'rateInDetail' })}
                  >${t('Rate in Detail…')}</vscode-button
                >`
              : nothing
          }
          <vscode-button secondary icon="search" @click=${() => post({ type: 'choose' })}>${t('Another Score…')}</vscode-button>
        </div>
      </header>
      ${rating.writable ? nothing : html`<p class="quiet note">${t('Nothing can be rated here: in Restricted Mode nothing is noted, and what is gone cannot be rated.')}</p>`}
      <div class="grid">
        ${overall(explanation.score)} ${factorBars(explanation.score)} ${effects(shown)}
        ${sumList(explanation)} ${sampleTable(shown, post)} ${remarkList(shown, post)}
      </div>
    `;
  }
}

document.body.append(document.createElement('kaizen-score'));
