import { html, type TemplateResult } from 'lit';
import type { CoverageAssessment } from '../../src/library/coverage-model';
import type { CoverageLevel } from '../../src/library/vocabulary';
import type { Score } from '../charts';
import { formatPercent } from '../shared/formats';
import { t } from '../shared/l10n';
import { colourOf, levelName, levelOf } from './words';

interface Named {
  label: string;
  help: string;
  value: number;
  weight: number;
}

/** The overall score as a gauge. */
export function overall(score: number, level: CoverageLevel): TemplateResult {
  const word = levelName(level);
  return html`<kaizen-chart-figure
    class="card"
    .heading=${t('Overall')}
    .caption=${t('All scores together, by their weights.')}
  >
    <kaizen-gauge
      .label=${t('Overall {0}: {1}', formatPercent(score), word)}
      .value=${score}
      .word=${word}
      .colour=${colourOf(level)}
    ></kaizen-gauge>
  </kaizen-chart-figure>`;
}

/** The four scores as bars, with what each weighs. */
export function fourScores(assessment: CoverageAssessment): TemplateResult {
  const named = scoresOf(assessment);
  const scores: Score[] = named.map(({ label, help, value, weight }) => {
    const level = levelOf(value);
    return {
      label,
      value,
      colour: colourOf(level),
      hatched: value < 0.4,
      note: levelName(level),
      tip: `${label}: ${formatPercent(value)}, ${levelName(level)}\n${help}\n${t('Weight: {0}', formatPercent(weight))}`,
    };
  });
  const table = {
    columns: [
      { label: t('Score') },
      { label: t('Value'), numeric: true },
      { label: t('Level') },
      { label: t('Weight'), numeric: true },
      { label: t('What it says') },
    ],
    rows: named.map(({ label, help, value, weight }) => [
      label,
      formatPercent(value),
      levelName(levelOf(value)),
      formatPercent(weight),
      help,
    ]),
  };
  const gist = named.map(({ label, value }) => `${label} ${formatPercent(value)}`).join('; ');
  return html`<kaizen-chart-figure
    class="card"
    .heading=${t('Scores')}
    .caption=${t('What is low is hatched.')}
    .table=${table}
  >
    <kaizen-score-chart .label=${t('Scores. {0}.', gist)} .scores=${scores}></kaizen-score-chart>
  </kaizen-chart-figure>`;
}

function scoresOf(assessment: CoverageAssessment): Named[] {
  const { coverage_score, authority_score, recency_score, confidence_score, weights } = assessment;
  return [
    { label: t('Coverage'), help: t('Is there enough about it?'), value: coverage_score, weight: weights.coverage },
    {
      label: t('Authority'),
      help: t('Do those say it who must know?'),
      value: authority_score,
      weight: weights.authority,
    },
    { label: t('Recency'), help: t('Is it as new as asked for?'), value: recency_score, weight: weights.recency },
    {
      label: t('Confidence'),
      help: t('Do several sources say it, and is the assessment sure?'),
      value: confidence_score,
      weight: weights.confidence,
    },
  ];
}
