import { isoTime } from '../../core/clock';
import type { Pattern } from '../records-model';
import { STARTING_PATTERNS } from './starting';

/** Before everything that is captured. */
const WRITTEN = isoTime(Date.UTC(2026, 0, 1));

/** The patterns of the product by their ids, in the order in which they are written. */
export const BUILT_IN_PATTERNS: ReadonlyMap<string, Pattern> = new Map(
  STARTING_PATTERNS.map((pattern) => [
    pattern.id,
    {
      benefits: [],
      prerequisites: [],
      ...pattern,
      examples: [],
      is_built_in: true,
      author: 'kaizen',
      created_at: WRITTEN,
      updated_at: WRITTEN,
    },
  ]),
);
