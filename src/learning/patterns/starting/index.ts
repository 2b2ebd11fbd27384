import { ARCHITECTURE } from './architecture';
import { INTEGRATION } from './integration';
import type { StartingPattern } from './model';
import { PLANNING } from './planning';
import { PROCESS } from './process';
import { RELIABILITY } from './reliability';
import { REQUIREMENTS } from './requirements';
import { SAFETY } from './safety';
import { VERIFICATION } from './verification';

export type { StartingPattern } from './model';

/** Patterns that come with the product, so that nothing starts empty; over all domains of seed 003, 4.3. */
export const STARTING_PATTERNS: readonly StartingPattern[] = [
  ...ARCHITECTURE,
  ...REQUIREMENTS,
  ...VERIFICATION,
  ...PROCESS,
  ...SAFETY,
  ...RELIABILITY,
  ...INTEGRATION,
  ...PLANNING,
];
