export * from './model';
export { Review } from './review';
export { reviewSchema } from './schema';
