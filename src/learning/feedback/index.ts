export { Feedback, type FeedbackSurroundings } from './feedback';
export { FEEDBACK_CHANGED_TOPIC, FEEDBACK_TOPIC } from './rows';
