import { html, nothing, type TemplateResult } from 'lit';
import type { ExplainedSample } from '../../src/learning/feedback-model';
import type { Remark, ScoreRequest, ScoreState } from '../protocol/score';
import { formatLocalDay, formatLocalTime, formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { plainNumber } from './numbers';
import { factorName, saidText, tierName } from './words';

export type Post = (message: ScoreRequest) => void;

/** Everything that the score is made of, newest first: when, who, what was said, and how much it counts. */
export function sampleTable({ explanation, byAgents, own, projects }: ScoreState, post: Post): TemplateResult {
  const samples = [...explanation.samples].sort((a, b) => (a.at < b.at ? 1 : -1));
  const agents = new Set(byAgents);
  const mine = new Set(own);
  /** Of several samples of one piece of feedback, the first takes all of it back. */
  const offers = new Map<string, ExplainedSample>();
  for (const sample of samples) {
    const { feedback_id: id } = sample;
    if (id !== undefined && mine.has(id) && !offers.has(id)) offers.set(id, sample);
  }
  return html`<section class="card wide">
    <h2 id="samples">${t('What was said')}</h2>
    ${
      samples.length === 0
        ? html`<p class="quiet">${t('Nobody has said anything of it yet. What nobody rated is neutral.')}</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-labelledby="samples">
            <table aria-labelledby="samples">
              <thead>
                <tr>
                  ${[t('When'), t('Who'), t('What'), t('Factor')].map((each) => html`<th scope="col">${each}</th>`)}
                  ${[t('Value'), t('Weight')].map((each) => html`<th scope="col" class="number">${each}</th>`)}
                  <th scope="col">${t('Kind')}</th>
                  <th scope="col"><span class="visually-hidden">${t('Take Back')}</span></th>
                </tr>
              </thead>
              <tbody>
                ${samples.map((sample) => {
                  const { at, author, feedback_id: id, feedback_type, factor, value, weight, times, tier } = sample;
                  const from = sample.propagated_from;
                  return html`<tr>
                    <td><time datetime=${at} title=${formatLocalTime(at)}>${formatLocalDay(at)}</time></td>
                    <td>${who(author, id !== undefined && agents.has(id))}</td>
                    <td>
                      ${saidText(feedback_type)}${times > 1 ? ` × ${formatNumber(times)}` : ''}
                      ${from === undefined ? nothing : html`<span class="quiet">${t('of the project')} <button type="button" class="link" @click=${() => post({ type: 'open', artifact: projectAddress(from) })}>${projects[from] ?? from}</button></span>`}
                    </td>
                    <td>${factorName(factor)}</td>
                    <td class="number">${plainNumber(value)}</td>
                    <td class="number">${plainNumber(weight)}</td>
                    <td>${tierName(tier)}</td>
                    <td class="does">${id !== undefined && offers.get(id) === sample ? takeBack(id, saidText(feedback_type), post) : nothing}</td>
                  </tr>`;
                })}
              </tbody>
            </table>
          </div>`
    }
  </section>`;
}

/** Comments, suggestions, and what is missing: they count in no score. */
export function remarkList({ remarks, own }: ScoreState, post: Post): TemplateResult | typeof nothing {
  if (remarks.length === 0) return nothing;
  return html`<section class="card wide">
    <h2>${t('Comments and suggestions')}</h2>
    <ul class="remarks">
      ${remarks.toReversed().map((remark) => {
        const { feedback_id: id, feedback_type, author, by_agent, at } = remark;
        return html`<li>
          <p class="quiet">
            ${who(author, by_agent)}, <time datetime=${at}>${formatLocalDay(at)}</time>: ${saidText(feedback_type)}
            ${own.includes(id) && feedback_type === 'suggestion' ? takeBack(id, saidText(feedback_type), post) : nothing}
          </p>
          ${lines(remark).map((line) => html`<p class="said">${line}</p>`)}
        </li>`;
      })}
    </ul>
  </section>`;
}

function lines({ context, comment, suggestions, missing }: Remark): string[] {
  return [
    ...(context ? [t('Used for: {0}', context)] : []),
    ...(comment ? [comment] : []),
    ...suggestions,
    ...missing.map((each) => t('Missing: {0}', each)),
  ];
}

function who(author: string | undefined, isAgent: boolean): TemplateResult | string {
  if (author === undefined) return t('counted');
  return html`<span class="who"
    ><span class="codicon codicon-${isAgent ? 'hubot' : 'account'}" aria-hidden="true"></span>${isAgent ? t('{0} (agent)', author) : author}</span
  >`;
}

function takeBack(id: string, what: string, post: Post): TemplateResult {
  return html`<button
    type="button"
    class="link"
    aria-label=${t('Take back: {0}', what)}
    @click=${() => post({ type: 'takeBack', feedback: id })}
  >
    ${t('Take Back')}
  </button>`;
}

function projectAddress(id: string): string {
  return `knowledge://learning/project/${encodeURIComponent(id)}`;
}
