import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { checkText } from '../../core/text';
import type { FeedbackInput, FeedbackRecord, OutcomeDetails } from '../feedback-model';
import { ASPECTS } from '../scoring/factors';
import { ARTIFACT_TYPES, OUTCOME_TYPES } from '../vocabulary';

/** What of a record follows from what was given, and from nothing else. */
export type Given = Pick<
  FeedbackRecord,
  | 'usage_context'
  | 'feedback_type'
  | 'feedback_tier'
  | 'rating'
  | 'comment'
  | 'specific_data'
  | 'corrections'
  | 'suggested_improvements'
>;

const MAX_CONTEXT = 4_096;
const MAX_COMMENT = 8_192;
const MAX_ITEMS = 50;
const MAX_ITEM = 2_000;
const MAX_COUNT = 100_000;
/** Percent: a hundred times as long as was thought. */
const MAX_DELTA = 10_000;

/** Throws `invalid_argument`, naming the operation that needs what is missing. */
export function givenBy(input: FeedbackInput): Given {
  const { operation, artifact_type, usage_context = '', comment } = input;
  if (!ARTIFACT_TYPES.includes(artifact_type)) {
    throw invalid(`"${String(artifact_type)}" is no type of artifact.`, `Use ${ARTIFACT_TYPES.join(', ')}.`);
  }
  const said = {
    usage_context: checkText(usage_context.trim(), { name: 'usage_context', max: MAX_CONTEXT }),
    comment: checkText(comment?.trim() ?? '', { name: sentence('comment'), max: MAX_COMMENT }) || undefined,
  };
  const none = { ...said, rating: undefined, specific_data: {}, corrections: [], suggested_improvements: [] };
  switch (input.operation) {
    case 'rate': {
      const { rating, helpful } = input;
      if (rating === undefined && helpful === undefined) throw missing(operation, 'rating (0 to 1) or helpful');
      checkShare(rating, 'rating');
      const type = helpful === undefined ? 'rating' : helpful ? 'helpful' : 'not_helpful';
      return { ...none, feedback_type: type, feedback_tier: 'quick', rating };
    }
    case 'rate_specific': {
      const ratings = Object.entries(input.aspect_ratings ?? {}).filter(([, value]) => value !== undefined);
      const known = Object.keys(ASPECTS);
      if (ratings.length === 0) throw missing(operation, `aspect_ratings with one or more of ${known.join(', ')}`);
      for (const [aspect, value] of ratings) {
        if (!known.includes(aspect)) throw invalid(`"${aspect}" is no aspect.`, `Use ${known.join(', ')}.`);
        checkShare(value, aspect);
      }
      const specific_data = Object.fromEntries(ratings);
      return { ...none, feedback_type: 'aspects', feedback_tier: 'detailed', specific_data };
    }
    case 'report_outcome': {
      const { outcome_type, rating, outcome_details = {} } = input;
      if (outcome_type === undefined) throw missing(operation, 'outcome_type');
      if (!OUTCOME_TYPES.includes(outcome_type)) {
        throw invalid(`"${String(outcome_type)}" is no outcome.`, `Use ${OUTCOME_TYPES.join(', ')}.`);
      }
      checkShare(rating, 'rating');
      const specific_data = checkedDetails(outcome_details);
      const corrections = checkedLines(outcome_details.modifications_made, 'modifications_made');
      return { ...none, feedback_type: outcome_type, feedback_tier: 'detailed', rating, specific_data, corrections };
    }
    case 'suggest_improvement': {
      const suggestions = checkedLines(input.suggestions, 'suggestions');
      const lacking = checkedLines(input.missing_elements, 'missing_elements');
      if (suggestions.length + lacking.length === 0) throw missing(operation, 'suggestions or missing_elements');
      const specific_data = lacking.length > 0 ? { missing_elements: lacking } : {};
      return {
        ...none,
        ...{ feedback_type: 'suggestion', feedback_tier: 'detailed', specific_data },
        suggested_improvements: suggestions,
      };
    }
    default:
      throw invalid(
        `"${String(operation)}" is no operation of feedback.`,
        'Use rate, rate_specific, report_outcome or suggest_improvement.',
      );
  }
}

function checkedDetails(details: OutcomeDetails): Record<string, unknown> {
  const { tasks_added, tasks_removed, estimate_delta_percent: delta } = details;
  for (const [name, count] of Object.entries({ tasks_added, tasks_removed })) {
    if (count !== undefined && !(Number.isInteger(count) && count >= 0 && count <= MAX_COUNT)) {
      throw invalid(`${name} is to be a whole number from 0 to ${MAX_COUNT}, not ${count}.`);
    }
  }
  if (delta !== undefined && !(Math.abs(delta) <= MAX_DELTA)) {
    throw invalid(`estimate_delta_percent is to be a number from -${MAX_DELTA} to ${MAX_DELTA}, not ${delta}.`);
  }
  const lists = Object.entries({
    risks_that_occurred: details.risks_that_occurred,
    risks_missed: details.risks_missed,
    modifications_made: details.modifications_made,
  }).flatMap(([name, lines]) => (lines === undefined ? [] : [[name, checkedLines(lines, name)]]));
  const numbers = Object.entries({ tasks_added, tasks_removed, estimate_delta_percent: delta });
  return Object.fromEntries([...numbers.filter(([, value]) => value !== undefined), ...lists]);
}

function checkedLines(lines: readonly string[] | undefined, name: string): string[] {
  if (lines === undefined) return [];
  if (lines.length > MAX_ITEMS) throw invalid(`${name} has ${lines.length} items; the limit is ${MAX_ITEMS}.`);
  return lines.map((line) => checkText(line.trim(), { name, min: 1, max: MAX_ITEM }));
}

function checkShare(value: number | undefined, name: string): void {
  if (value === undefined || (value >= 0 && value <= 1)) return;
  throw invalid(`${name} is to be a number from 0 to 1, not ${value}.`);
}

function missing(operation: string, what: string): KaizenError {
  return invalid(`${operation} needs ${what}.`);
}

function invalid(message: string, hint?: string): KaizenError {
  return new KaizenError('invalid_argument', message, hint);
}
