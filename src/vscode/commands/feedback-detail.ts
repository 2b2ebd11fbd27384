import * as vscode from 'vscode';
import type { KaizenParts } from '../../kaizen';
import type { FeedbackInput } from '../../learning';
import { shareOfStars, starsOfShare } from '../learning';
import type { CommandContext } from './command';
import { askInSteps, askText, keep, pick, type Step } from './multi-step';

type Aspects = Extract<FeedbackInput, { operation: 'rate_specific' }>['aspect_ratings'];
type Aspect = keyof Aspects;

const ASPECTS = ['relevance', 'accuracy', 'completeness', 'usefulness'] as const satisfies readonly Aspect[];
const STARS = [5, 4, 3, 2, 1] as const;
const MAX_SUGGESTION = 2_000;
const MAX_COMMENT = 8_192;
const SHOWN_MS = 5_000;

interface Answers {
  /** 1 to 5; those that were skipped are left out. */
  stars: Partial<Record<Aspect, number>>;
  suggestion: string;
  comment: string;
}

/**
 * Asks how relevant, accurate, complete and useful something was, each from one to five stars, and what could be better;
 * each question may be skipped. What a person says of the aspects takes the place of what they said before.
 */
export async function rateInDetail(context: CommandContext, parts: KaizenParts, artifact: string): Promise<void> {
  const { learning } = parts;
  const change = context.learning.change();
  const { artifact: artifact_id, artifact_type } = await learning.resolve(artifact);
  const said = learning.saidBy(context.learning.person, artifact_id);
  const before = said.filter(({ feedback_type }) => feedback_type === 'aspects').at(-1);
  const stars = before ? starsOf(before.specific_data) : {};
  const answers = await askInTurn({ stars, suggestion: '', comment: before?.comment ?? '' });
  if (!answers) return;
  const ratings: Aspects = {};
  for (const [aspect, count] of Object.entries(answers.stars)) ratings[aspect as Aspect] = shareOfStars(count);
  const about = { artifact_id, artifact_type };
  const comment = answers.comment || undefined;
  const hasRatings = Object.keys(ratings).length > 0;
  if (hasRatings) {
    const input: FeedbackInput = { ...about, operation: 'rate_specific', aspect_ratings: ratings, comment };
    await learning.feedback(input, { ...change, instead: true });
  }
  if (answers.suggestion) {
    await learning.feedback({ ...about, operation: 'suggest_improvement', suggestions: [answers.suggestion] }, change);
  }
  const message =
    hasRatings || answers.suggestion
      ? vscode.l10n.t('Noted. Explain Score shows what came of it, and takes it back.')
      : vscode.l10n.t('Everything was skipped: nothing was noted.');
  vscode.window.setStatusBarMessage(`$(star-full) ${message}`, SHOWN_MS);
}

function askInTurn(initial: Answers): Promise<Answers | undefined> {
  return askInSteps<Answers>(
    vscode.l10n.t('Rate in Detail'),
    // A comment goes with ratings; without any, what could be better says it.
    ({ stars = {} }) => [
      ...ASPECTS.map(askAspect),
      askSuggestion,
      ...(Object.keys(stars).length > 0 ? [askComment] : []),
    ],
    initial,
  );
}

function askAspect(aspect: Aspect): Step<Answers> {
  return async (state, place) => {
    const stars = state.stars ?? {};
    const skip = { label: `$(dash) ${vscode.l10n.t('Skip')}`, value: 0 };
    const items = STARS.map((count) => ({
      label: '★'.repeat(count).padEnd(5, '☆'),
      description: starsText(count),
      value: count as number,
    }));
    const answer = await pick<number>({
      ...place,
      placeholder: questionOf(aspect),
      items: [skip, ...items],
      active: (count) => count === (stars[aspect] ?? 0),
    });
    return keep(answer, (count) => {
      const { [aspect]: _, ...others } = stars;
      state.stars = count === 0 ? others : { ...others, [aspect]: count };
    });
  };
}

const askSuggestion: Step<Answers> = async (state, place) => {
  const answer = await askText({
    ...place,
    prompt: vscode.l10n.t('What could be better, or is missing? (optional)'),
    value: state.suggestion,
    validate: (text) => tooLong(text, MAX_SUGGESTION),
  });
  return keep(answer, (suggestion) => {
    state.suggestion = suggestion.trim();
  });
};

const askComment: Step<Answers> = async (state, place) => {
  const answer = await askText({
    ...place,
    prompt: vscode.l10n.t('A comment, for whoever reads the score (optional)'),
    value: state.comment,
    validate: (text) => tooLong(text, MAX_COMMENT),
  });
  return keep(answer, (comment) => {
    state.comment = comment.trim();
  });
};

function questionOf(aspect: Aspect): string {
  switch (aspect) {
    case 'relevance':
      return vscode.l10n.t('Relevance: was it about what you needed?');
    case 'accuracy':
      return vscode.l10n.t('Accuracy: was it right?');
    case 'completeness':
      return vscode.l10n.t('Completeness: was all there that you needed?');
    case 'usefulness':
      return vscode.l10n.t('Usefulness: did it work?');
  }
}

function starsText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 of 5 stars: the least') : vscode.l10n.t('{0} of 5 stars', count);
}

function tooLong(text: string, most: number): string | undefined {
  return text.length > most ? vscode.l10n.t('At most {0} characters.', most) : undefined;
}

function starsOf(shares: Readonly<Record<string, unknown>>): Answers['stars'] {
  const stars: Answers['stars'] = {};
  for (const aspect of ASPECTS) {
    const share = shares[aspect];
    if (typeof share === 'number') stars[aspect] = starsOfShare(share);
  }
  return stars;
}
