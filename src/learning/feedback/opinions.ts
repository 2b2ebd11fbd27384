import type { Reader } from '../../store';
import type { FeedbackRecord } from '../feedback-model';
import { feedbackOn } from './rows';

/** What a person said of this very thing by hand; an outcome that was captured is taken back with its capture. */
export function ownOn(reader: Reader, author: string, artifact: string): FeedbackRecord[] {
  return feedbackOn(reader, artifact, { withPassages: false }).filter(
    (each) => each.author === author && each.feedback_source === 'user' && each.propagated_from === undefined,
  );
}

/** The ways in which a person has one opinion of a thing: a thumb or stars, and ratings of its aspects. */
export function wayOf({ feedback_type: type }: Pick<FeedbackRecord, 'feedback_type'>): 'quick' | 'aspects' | undefined {
  if (type === 'helpful' || type === 'not_helpful' || type === 'rating') return 'quick';
  return type === 'aspects' ? 'aspects' : undefined;
}
