export { feedbackTitle, learningTitle } from './learning-proposals';
export { libraryTitle } from './library-proposals';
export * from './model';
export { relationTitle } from './relation-proposals';
export { Review } from './review';
export { reviewSchema } from './schema';
