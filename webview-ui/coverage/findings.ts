import { html, nothing, type TemplateResult } from 'lit';
import { numberedTitle } from '../../src/core/numbered-title';
import type { AcquisitionRecommendation, Citation } from '../../src/library/coverage-model';
import type { Recommendation, RequestedType } from '../../src/library/vocabulary';
import type { CoverageRequestMessage } from '../protocol/coverage';
import { formatPercent } from '../shared/formats';
import { t } from '../shared/l10n';
import type { Sentence, Sentences } from './sentences';
import { actionName, gapName, IMPORTANCE_ICON, importanceName, verdictOf } from './words';

/** Kinds of documents that can be asked for by name; any other is asked for as any. */
const REQUESTED: readonly string[] = ['standard', 'handbook', 'guide', 'report', 'paper', 'internal', 'vendor', 'any'];

export type Post = (message: CoverageRequestMessage) => void;

/** What to do, in one line, with the reason. */
export function verdict(recommendation: Recommendation, rationale: string, sentences: Sentences): TemplateResult {
  const { title, icon, tone } = verdictOf(recommendation);
  return html`<section class="verdict ${tone}" aria-label=${t('Recommendation')}>
    <span class="codicon codicon-${icon}" aria-hidden="true"></span>
    <div>
      <h2>${title}</h2>
      ${paragraph(sentences.ofVerdict(recommendation, rationale))}
    </div>
  </section>`;
}

export function gapList(sentences: Sentences): TemplateResult {
  const { gaps } = sentences;
  return html`<section class="card">
    <h2>${t('What is missing')}</h2>
    ${
      gaps.length === 0
        ? html`<p class="quiet">${t('No gap was found for what you asked.')}</p>`
        : html`<ul class="gaps">
            ${gaps.map((gap) => {
              const { gap_type, importance, suggested_sources } = gap;
              const isStandard = sentences.subjectOf(gap)?.kind === 'standard';
              return html`<li>
                <span class="badge ${importance}"
                  ><span class="codicon codicon-${IMPORTANCE_ICON[importance]}" aria-hidden="true"></span
                  >${importanceName(importance)}</span
                >
                <div>
                  <h3>${isStandard ? t('A standard is not there') : gapName(gap_type)}</h3>
                  ${paragraph(sentences.ofGap(gap))}
                  ${
                    suggested_sources.length > 0
                      ? html`<p class="quiet">
                          ${t('Sources to look for: {0}', suggested_sources.map((each) => sentences.ofSource(each)).join(', '))}
                        </p>`
                      : nothing
                  }
                </div>
              </li>`;
            })}
          </ul>`
    }
  </section>`;
}

/** @param topic what it is about where a step does not say it by itself */
export function recommendationList(
  topic: string,
  recommendations: readonly AcquisitionRecommendation[],
  sentences: Sentences,
  { post, writable }: { post: Post; writable: boolean },
): TemplateResult | typeof nothing {
  const useful = recommendations.filter(({ action }) => action !== 'none').toSorted((a, b) => a.priority - b.priority);
  if (useful.length === 0) return nothing;
  const canSearch = useful.some(({ action }) => action === 'web_search');
  return html`<section class="card">
    <h2>${t('What to do')}</h2>
    <ol class="steps">
      ${useful.map((recommendation) => {
        const why = sentences.ofStep(recommendation, canSearch);
        const gap = sentences.gapIn(recommendation.rationale);
        const about = (gap && sentences.subjectOf(gap)?.name) ?? topic;
        return html`<li>
          <h3>${actionName(recommendation.action)}</h3>
          ${paragraph(why)} ${chips(recommendation)}
          ${writable ? buttons(about, why.text, recommendation, post) : nothing}
        </li>`;
      })}
    </ol>
    ${writable ? nothing : html`<p class="quiet">${t('In Restricted Mode nothing is added.')}</p>`}
  </section>`;
}

function paragraph({ text, lang }: Sentence): TemplateResult {
  return html`<p lang=${lang ?? nothing}>${text}</p>`;
}

function chips(recommendation: AcquisitionRecommendation): TemplateResult | typeof nothing {
  const { action, suggested_queries, suggested_urls, suggested_domains, example_documents } = recommendation;
  const all = action === 'request_document' ? example_documents : [...suggested_queries, ...suggested_urls];
  return html`${
    all.length === 0 ? nothing : html`<ul class="chips">${all.map((each) => html`<li>${each}</li>`)}</ul>`
  }${
    action !== 'request_document' && suggested_domains.length > 0
      ? html`<p class="quiet">${t('Sites that are known for it: {0}', suggested_domains.join(', '))}</p>`
      : nothing
  }`;
}

function buttons(topic: string, why: string, recommendation: AcquisitionRecommendation, post: Post): TemplateResult {
  const { action, suggested_queries: queries, suggested_urls: urls, document_type, example_documents } = recommendation;
  const isDocument = action === 'request_document';
  const request = () =>
    post({
      type: 'request',
      topic,
      rationale: why,
      document_type: (REQUESTED.includes(document_type) ? document_type : 'any') as RequestedType,
      examples: [...example_documents],
    });
  return html`<div class="buttons">
    ${
      isDocument
        ? nothing
        : html`<vscode-button
            @click=${() => post({ type: 'searchWeb', topic, queries: [...queries], urls: [...urls] })}
            >${action === 'web_crawl' ? t('Fetch These Pages…') : t('Search the Web…')}</vscode-button
          >`
    }
    <vscode-button ?secondary=${!isDocument} @click=${() => post({ type: 'add' })}>${t('Add a Document…')}</vscode-button>
    <vscode-button secondary @click=${request}>${t('Ask for a Document…')}</vscode-button>
  </div>`;
}

export function caveatList(
  caveats: readonly string[],
  canProceed: boolean,
  sentences: Sentences,
): TemplateResult | typeof nothing {
  if (caveats.length === 0) return nothing;
  return html`<section class="card">
    <h2>${canProceed ? t('When you go on all the same') : t('What speaks against going on')}</h2>
    <ul class="caveats">
      ${caveats.map((caveat) => {
        const { text, lang } = sentences.ofCaveat(caveat);
        return html`<li lang=${lang ?? nothing}>${text}</li>`;
      })}
    </ul>
  </section>`;
}

/** What the scores rest on, each a link to the passage. */
export function evidenceList(evidence: readonly Citation[], post: Post): TemplateResult {
  return html`<section class="card">
    <h2>${t('What it rests on')}</h2>
    ${
      evidence.length === 0
        ? html`<p class="quiet">${t('No passage of the library has to do with it.')}</p>`
        : html`<ol class="evidence">
            ${evidence.map((citation) => {
              const { uri, document_title, score } = citation;
              return html`<li>
                <button type="button" class="link" @click=${() => post({ type: 'open', uri })}>${document_title}</button>
                <span class="quiet">${placeOf(citation)}</span>
                <span class="score">${formatPercent(score)}</span>
              </li>`;
            })}
          </ol>`
    }
  </section>`;
}

function placeOf({ section_title, clause_number, page_numbers }: Citation): string {
  const [first, last] = [page_numbers[0], page_numbers.at(-1)];
  const pages =
    first === undefined || last === undefined
      ? ''
      : first === last
        ? t('page {0}', first)
        : t('pages {0}–{1}', first, last);
  return [numberedTitle(section_title, clause_number), pages].filter(Boolean).join(', ');
}
