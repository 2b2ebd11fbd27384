import type { Pattern } from '../../records-model';

/** A pattern that comes with the product; its id never changes, so that feedback on it lasts. */
export type StartingPattern = Pick<
  Pattern,
  | 'id'
  | 'name'
  | 'pattern_type'
  | 'domain'
  | 'severity'
  | 'description'
  | 'indicators'
  | 'consequences'
  | 'root_causes'
  | 'mitigations'
  | 'keywords'
> &
  Partial<Pick<Pattern, 'benefits' | 'prerequisites'>>;
