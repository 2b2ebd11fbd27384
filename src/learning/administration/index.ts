export * from './model';
export type { Surroundings as AdministrationSurroundings } from './surroundings';

import { Administration } from './administration';
import type { AdministrationPart } from './model';
import type { Surroundings } from './surroundings';

/** Opens nothing before it is asked for something. */
export function openAdministration(surroundings: Surroundings): AdministrationPart {
  return new Administration(surroundings);
}
