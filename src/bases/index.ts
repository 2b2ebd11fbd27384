export type { BasesOptions } from './bases';
export { type BasesConfig, readBasesConfig } from './config';
export { checkDefinitions } from './definitions';
export * from './model';
export { type BaseSuggestion, suggestBases } from './suggest';

import { Bases, type BasesOptions } from './bases';
import type { BasesPart } from './model';

/** Nothing is read before `start`. Throws `invalid_argument` for definitions that cannot be. */
export function openBases(options: BasesOptions): BasesPart {
  return new Bases(options);
}
