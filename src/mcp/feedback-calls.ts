import type { KaizenParts } from '../kaizen';
import type { ArtifactType, FeedbackInput, FeedbackResult, OutcomeDetails, OutcomeType } from '../learning';
import { changeBy, writeOrHold } from './agent-writes';
import type { EnvelopedResult } from './envelope';
import { neededArgument } from './needed';
import type { Held } from './policy';
import { rounded } from './rounded';
import type { ToolCall } from './tool';

/** The arguments of `knowledge_feedback` (seed 003, 5.5.1): each operation takes some of them. */
export interface FeedbackArguments {
  operation: FeedbackInput['operation'];
  artifact_id: string;
  artifact_type: ArtifactType;
  usage_context?: string | undefined;
  rating?: number | undefined;
  helpful?: boolean | undefined;
  aspect_ratings?: Extract<FeedbackInput, { operation: 'rate_specific' }>['aspect_ratings'] | undefined;
  outcome_type?: OutcomeType | undefined;
  outcome_details?: OutcomeDetails | undefined;
  suggestions?: readonly string[] | undefined;
  missing_elements?: readonly string[] | undefined;
  comment?: string | undefined;
}

/** Gives feedback, or holds it for review. Throws as `feedback` of `LearningPart`, which says what an operation needs. */
export async function feedback(
  parts: KaizenParts,
  args: FeedbackArguments,
  call: ToolCall,
): Promise<EnvelopedResult | Held> {
  neededArgument(args, 'artifact_id', 'The `uri` of a result, or the id of a captured record or of a passage.');
  const input = args as FeedbackInput;
  const change = changeBy(call);
  return writeOrHold(parts, call, { operation: 'give_feedback', input: onlyOf(input) }, change, async () =>
    answerOf(input, await parts.learning.feedback(input, change)),
  );
}

/** Seed 003, 5.8 ("Feedback Response with Score Update"). */
function answerOf({ operation, artifact_id }: FeedbackInput, given: FeedbackResult): EnvelopedResult {
  const { feedback_id, artifact: uri, score_update, propagation } = given;
  const message =
    operation === 'suggest_improvement'
      ? 'The suggestion is kept with the artifact. It changes no score.'
      : 'Thank you for the feedback. This helps improve future recommendations.';
  return {
    result: { operation, feedback_id, artifact_id, uri, score_update: rounded(score_update), propagation, message },
  };
}

/** Without what is not said: it waits as JSON. */
function onlyOf(input: FeedbackInput): FeedbackInput {
  return JSON.parse(JSON.stringify(input)) as FeedbackInput;
}
