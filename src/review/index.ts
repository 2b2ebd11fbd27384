export { libraryTitle } from './library-proposals';
export * from './model';
export { Review } from './review';
export { reviewSchema } from './schema';
