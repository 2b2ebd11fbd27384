import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-ring/index.js';
import '../charts';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { CoverageAssessment, Preflight } from '../../src/library/coverage-model';
import type { Depth } from '../../src/library/vocabulary';
import type { CoverageMessage, CoverageRequestMessage, CoverageState, CoverageSubject } from '../protocol/coverage';
import { formatLocalTime, formatNumber } from '../shared/formats';
import { connect } from '../shared/host';
import { t } from '../shared/l10n';
import { caveatList, evidenceList, gapList, recommendationList, verdict } from './findings';
import { EMPTY_FIELDS, type Fields, fieldsOf, form, subjectOf } from './form';
import { fourScores, overall } from './scores';
import { Sentences } from './sentences';
import { standardList, topicTable } from './topics';

/** What is kept when the page is hidden or the window reloaded. */
interface Kept {
  fields: Fields;
  subject: CoverageSubject;
  topic: string;
  scroll: number;
}

/** Nothing is shown for this long, so that a quick answer is not preceded by a flash. */
const PATIENCE_MS = 400;
const SCROLL_PAUSE_MS = 200;
const LANGUAGE = { t, formatNumber };

const host = connect<CoverageRequestMessage, CoverageMessage, Kept>();
const post = (message: CoverageRequestMessage) => host.post(message);

/** The whole page: asks what about, and draws what is covered, how well, and what is missing. */
@customElement('kaizen-coverage')
export class CoveragePage extends LitElement {
  @state() private fields: Fields = { ...EMPTY_FIELDS, ...host.state().fields };
  @state() private shown: CoverageState | undefined;
  @state() private documents: number | undefined;
  @state() private problem: string | undefined;
  /** Of a workflow: whose details are shown. */
  @state() private topic: string | undefined = host.state().topic;
  @state() private isWaiting = false;
  @state() private isLate = false;
  private restoredScroll: number | undefined = host.state().scroll;
  private patience: number | undefined;

  /** The page's own style sheet is for it. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    host.onMessage((message) => this.receive(message));
    const { subject } = host.state();
    this.wait();
    post({ type: 'ready', ...(subject ? { subject } : {}) });
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
    return html`<main>
      <h1>${t('Coverage of the Library')}</h1>
      <p class="quiet">${t('Is what the library knows enough, and what is missing?')}</p>
      ${form(this.fields, { change: (changed) => this.change(changed), ask: () => this.ask() })}
      <div aria-live="polite" aria-busy=${this.isWaiting}>
        ${this.problem ? this.trouble(this.problem) : nothing}
        ${this.isWaiting && this.isLate ? this.waiting() : nothing}
        ${this.shown && !this.problem ? this.report(this.shown) : this.invitation()}
      </div>
    </main>`;
  }

  private receive(message: CoverageMessage): void {
    if (message.type === 'assessing') {
      this.remember(message.subject);
      this.wait();
      return;
    }
    this.isWaiting = false;
    this.problem = message.type === 'problem' ? message.message : undefined;
    if (message.type === 'empty') this.documents = message.documents;
    if (message.type !== 'state') return;
    this.documents = message.state.documents;
    if (message.state.subject.kind === 'topic') this.choose(undefined);
    this.shown = message.state;
  }

  /** What the person has asked for elsewhere stands in the fields as well. */
  private remember(subject: CoverageSubject): void {
    host.keep({ subject });
    if (JSON.stringify(subjectOf(this.fields)) !== JSON.stringify(subject)) this.change(fieldsOf(subject, this.fields));
  }

  private change(changed: Partial<Fields>): void {
    this.fields = { ...this.fields, ...changed };
    host.keep({ fields: this.fields });
  }

  private ask(): void {
    const subject = subjectOf(this.fields);
    if (!subject) return;
    this.choose(undefined);
    this.wait();
    post({ type: 'assess', subject });
  }

  private choose(topic: string | undefined): void {
    this.topic = topic;
    host.keep({ topic });
  }

  private wait(): void {
    this.isWaiting = true;
    this.isLate = false;
    window.clearTimeout(this.patience);
    this.patience = window.setTimeout(() => {
      this.isLate = true;
    }, PATIENCE_MS);
  }

  private trouble(problem: string): TemplateResult {
    return html`<div class="banner danger" role="alert">
      <span class="codicon codicon-error" aria-hidden="true"></span><span class="grow">${problem}</span>
    </div>`;
  }

  private waiting(): TemplateResult {
    return html`<p class="waiting">
      <vscode-progress-ring aria-hidden="true"></vscode-progress-ring>${t('Looking through the library…')}
    </p>`;
  }

  private invitation(): TemplateResult | typeof nothing {
    if (this.isWaiting || this.problem || this.documents === undefined) return nothing;
    if (this.documents > 0) {
      const count = formatNumber(this.documents);
      return html`<p class="card invitation">
        ${t('Name a topic, or describe what is to be done. The library has {0} sources to answer from.', count)}
      </p>`;
    }
    return html`<section class="card invitation">
      <p>${t('The library has no sources yet. Add documents, and this page says what they cover.')}</p>
      <vscode-button @click=${() => post({ type: 'add' })}>${t('Add a Document…')}</vscode-button>
    </section>`;
  }

  private report({ subject, result, writable }: CoverageState): TemplateResult {
    if (result.kind === 'workflow') return this.ofWorkflow(result.preflight, writable);
    const depth = (subject.kind === 'topic' && subject.depth) || EMPTY_FIELDS.depth;
    return this.ofTopic(result.assessment, depth, writable);
  }

  private ofTopic(assessment: CoverageAssessment, depth: Depth, writable: boolean): TemplateResult {
    const { recommendation, recommendation_rationale, overall_score, overall_level, caveats_if_proceeding } =
      assessment;
    const sentences = aboutOne(assessment, depth);
    return html`
      ${verdict(recommendation, recommendation_rationale, sentences)}
      <p class="quiet facts">${factsOf(assessment)}</p>
      <div class="grid">
        ${overall(overall_score, overall_level)} ${fourScores(assessment)} ${gapList(sentences)}
        ${recommendationList(assessment.topic, assessment.acquisition_recommendations, sentences, { post, writable })}
        ${caveatList(caveats_if_proceeding, assessment.can_proceed_with_caveats, sentences)}
        ${evidenceList(assessment.evidence, post)}
      </div>
    `;
  }

  private ofWorkflow(preflight: Preflight, writable: boolean): TemplateResult {
    const { topics, standards, gaps } = preflight;
    const chosen = topics.find(({ topic }) => topic === this.topic);
    const subject = topics.map(({ topic }) => topic).join('; ');
    const { depth } = EMPTY_FIELDS;
    const sentences = new Sentences({ topics, standards, gaps, depth }, LANGUAGE);
    return html`
      ${verdict(preflight.recommendation, preflight.recommendation_rationale, sentences)}
      <p class="quiet facts">${t('As of {0}', formatLocalTime(preflight.assessed_at))}</p>
      <div class="grid">
        ${overall(preflight.overall_score, preflight.overall_level)} ${standardList(preflight, post)}
        ${topicTable(preflight, chosen?.topic, (topic) => this.choose(topic === this.topic ? undefined : topic))}
        ${
          chosen
            ? this.detail(chosen, aboutOne(chosen, depth), writable)
            : html`${gapList(sentences)}
              ${recommendationList(subject.slice(0, 200), preflight.acquisition_recommendations, sentences, { post, writable })}
              ${caveatList(preflight.caveats_if_proceeding, preflight.can_proceed_with_caveats, sentences)}`
        }
      </div>
    `;
  }

  /** Of a topic of a workflow. */
  private detail(chosen: CoverageAssessment, sentences: Sentences, writable: boolean): TemplateResult {
    return html`<section class="wide detail" aria-label=${chosen.topic}>
      <h2>${chosen.topic}</h2>
      <p class="quiet facts">${factsOf(chosen)}</p>
      <div class="grid">
        ${fourScores(chosen)} ${gapList(sentences)}
        ${recommendationList(chosen.topic, chosen.acquisition_recommendations, sentences, { post, writable })}
        ${evidenceList(chosen.evidence, post)}
      </div>
    </section>`;
  }
}

function aboutOne(assessment: CoverageAssessment, depth: Depth): Sentences {
  return new Sentences({ topics: [assessment], standards: [], gaps: assessment.gaps, depth }, LANGUAGE);
}

function factsOf(assessment: CoverageAssessment): string {
  const {
    sources_found,
    chunks_found,
    oldest_source_date: oldest,
    newest_source_date: newest,
    assessed_at,
  } = assessment;
  return [
    t('Sources: {0}', formatNumber(sources_found)),
    t('Passages: {0}', formatNumber(chunks_found)),
    oldest && newest ? (oldest === newest ? t('of {0}', oldest) : t('from {0} to {1}', oldest, newest)) : '',
    t('As of {0}', formatLocalTime(assessed_at)),
  ]
    .filter(Boolean)
    .join(' · ');
}

document.body.append(document.createElement('kaizen-coverage'));
