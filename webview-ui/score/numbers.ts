import { html, type TemplateResult } from 'lit';
import type { ArtifactScore, ScoreAge, ScoreExplanation } from '../../src/learning/feedback-model';
import { FACTOR_CONFIDENCE_SAMPLES, SCORE_FACTOR_WEIGHTS, SCORE_FACTORS } from '../../src/learning/vocabulary';
import type { Score } from '../charts';
import type { ScoreState } from '../protocol/score';
import { formatNumber, formatPercent, formatPrecise } from '../shared/formats';
import { t } from '../shared/l10n';
import { confidenceName, levelColour, levelName } from '../shared/score-words';
import { factorHelp, factorName, sumName } from './words';

/** Below this a bar is hatched, so that it is seen without colour. */
const LOW = 0.4;

/** The score as a gauge, with its level, stars and how sure it is, in words. */
export function overall(score: ArtifactScore): TemplateResult {
  const { composite_score: value, level, stars, confidence, confidence_level, simple } = score;
  const word = levelName(level);
  const samples = SCORE_FACTORS.reduce((sum, factor) => sum + score.factors[factor].samples, 0);
  return html`<kaizen-chart-figure
    class="card"
    .heading=${t('Score')}
    .caption=${t('{0} of 5 stars', stars)}
  >
    <kaizen-gauge
      .label=${t('Score {0}: {1}', formatPercent(value), word)}
      .value=${value}
      .word=${word}
      .colour=${levelColour(level)}
    ></kaizen-gauge>
    <p class="stars" aria-hidden="true">
      ${[1, 2, 3, 4, 5].map((star) => html`<span class="codicon codicon-star-${star <= stars ? 'full' : 'empty'}"></span>`)}
    </p>
    <dl class="facts">
      <dt>${t('Confidence')}</dt>
      <dd>
        <strong>${formatPercent(confidence)}, ${confidenceName(confidence_level)}</strong>
        <span class="quiet">${t('It rests on {0} of the {1} samples that full confidence takes.', formatNumber(Math.min(samples, FACTOR_CONFIDENCE_SAMPLES)), FACTOR_CONFIDENCE_SAMPLES)}</span>
      </dd>
      <dt>${t('Simple score')}</dt>
      <dd>
        <strong>${formatPercent(simple.score)}</strong>
        <span class="quiet">${t('For comparison: the share of what was positive, with the last ratings. Its confidence: {0}.', formatPercent(simple.confidence))}</span>
      </dd>
    </dl>
  </kaizen-chart-figure>`;
}

/** The five factors as bars, with what each weighs and rests on. */
export function factorBars({ factors }: ArtifactScore): TemplateResult {
  const rows = SCORE_FACTORS.map((factor) => ({
    label: factorName(factor),
    help: factorHelp(factor),
    weight: SCORE_FACTOR_WEIGHTS[factor],
    value: factors[factor].score,
    samples: factors[factor].samples,
  }));
  const scores: Score[] = rows.map(({ label, help, weight, value, samples }) => ({
    label,
    value,
    colour: samples === 0 ? 'blue' : value >= 0.6 ? 'green' : value >= LOW ? 'yellow' : 'red',
    hatched: samples > 0 && value < LOW,
    note: samples === 0 ? t('neutral') : samplesText(samples),
    tip: `${label}: ${formatPercent(value)}\n${help}\n${t('Weight: {0}', formatPercent(weight))}`,
  }));
  const table = {
    columns: [
      { label: t('Factor') },
      { label: t('Value'), numeric: true },
      { label: t('Weight'), numeric: true },
      { label: t('Samples'), numeric: true },
      { label: t('What it says') },
    ],
    rows: rows.map(({ label, help, weight, value, samples }) => [
      label,
      formatPercent(value),
      formatPercent(weight),
      formatNumber(samples),
      help,
    ]),
  };
  const gist = rows.map(({ label, value }) => `${label} ${formatPercent(value)}`).join('; ');
  return html`<kaizen-chart-figure
    class="card"
    .heading=${t('Factors')}
    .caption=${t('What nobody said anything of is neutral. What is low is hatched.')}
    .table=${table}
  >
    <kaizen-score-chart .label=${t('Factors. {0}.', gist)} .scores=${scores}></kaizen-score-chart>
  </kaizen-chart-figure>`;
}

/** What age takes off, and what the score does to an order. */
export function effects({ explanation, ranking }: ScoreState): TemplateResult {
  const { score, age } = explanation;
  const { composite_score: value, staleness_penalty: penalty, boost } = score;
  return html`<section class="card wide">
    <h2>${t('What it does')}</h2>
    <dl class="facts">
      <dt>${t('Age')}</dt>
      <dd>
        <strong>${penalty === 0 ? t('takes nothing off') : t('takes {0} off', formatPercent(penalty))}</strong>
        <span class="quiet">${ageText(age)}</span>
      </dd>
      <dt>${t('Boost')}</dt>
      <dd>
        <strong>× ${formatPrecise(boost)}</strong>
        <span class="quiet">${boostText(boost)}</span>
      </dd>
      <dt>${t('In a search')}</dt>
      <dd>
        ${
          ranking.isOn
            ? html`<code>${t('fit')} × ${ranking.semantic} + ${plainNumber(value)} × ${boost} × ${ranking.effectiveness}</code>
                <span class="quiet">${t('How well it fits counts {0}, how it served {1}.', formatPercent(ranking.semantic), formatPercent(ranking.effectiveness))}</span>`
            : html`<span class="quiet">${t('Ranking by what was learned is switched off in the settings.')}</span>`
        }
      </dd>
    </dl>
  </section>`;
}

/** Each sum as a line: whoever has the samples and a pencil gets the same. */
export function sumList({ sums, age, score }: ScoreExplanation): TemplateResult {
  return html`<section class="card wide">
    <h2>${t('The sums')}</h2>
    <p class="quiet">${t('Each line can be recomputed by hand from what was said below: v is a value, w its weight.')}</p>
    <ol class="sums">
      ${sums.map(({ of, formula, value }) => {
        const said =
          of === 'staleness'
            ? ageText(age)
            : of === 'simple'
              ? t('{0} positive, {1} negative', score.positive_feedback, score.negative_feedback)
              : formula === ''
                ? t('no samples: neutral')
                : '';
        return html`<li>
          <span>${sumName(of)}</span>
          <span><code>${formula === '' ? '' : `${formula} = `}<b>${plainNumber(value)}</b></code>
            ${said ? html` <span class="quiet">${said}</span>` : ''}</span>
        </li>`;
      })}
    </ol>
  </section>`;
}

function ageText({ since, days }: ScoreAge): string {
  const ago = days === 1 ? t('1 day') : t('{0} days', formatNumber(days));
  switch (since) {
    case 'used':
      return t('{0} since it was last used', ago);
    case 'feedback':
      return t('{0} since the last feedback', ago);
    case 'captured':
      return t('{0} since it was captured; nobody used or rated it', ago);
    case 'nothing':
      return t('Nobody rated or used it, so that nothing ages.');
    case 'off':
      return t('Ageing is switched off in the settings.');
  }
}

function boostText(boost: number): string {
  if (boost > 1) return t('It rises above what fits as well and served less.');
  return boost < 1 ? t('It falls behind what fits as well and served better.') : t('It neither rises nor falls.');
}

function samplesText(samples: number): string {
  return samples === 1 ? t('1 sample') : t('{0} samples', formatNumber(samples));
}

/** In the formulas numbers stand as in any language of computers. */
export function plainNumber(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}
