import type { FeedbackRecord } from '../feedback-model';
import { ARTIFACT_TYPES, FEEDBACK_SOURCES, FEEDBACK_TIERS, FEEDBACK_TYPES } from '../vocabulary';
import { free, id, list, maybe, number, object, oneOf, type Shape, text, time } from './shapes';

/** What a file has to say of a piece of feedback. */
export const FEEDBACK_SHAPE: Shape<FeedbackRecord> = object<FeedbackRecord>({
  id,
  artifact: text(4_096, { min: 1, singleLine: true }),
  artifact_type: oneOf(ARTIFACT_TYPES),
  usage_context: text(4_096),
  project_id: maybe(id),
  feedback_type: oneOf(FEEDBACK_TYPES),
  feedback_tier: oneOf(FEEDBACK_TIERS),
  rating: maybe(number(1)),
  comment: maybe(text(16_384)),
  specific_data: free(256 * 1024),
  corrections: list(text(4_000), 200),
  suggested_improvements: list(text(4_000), 200),
  feedback_source: oneOf(FEEDBACK_SOURCES),
  author: text(200, { singleLine: true }),
  created_at: time,
  propagated_from: maybe(id),
  propagation_weight: maybe(number(1)),
});
