export * from './model';
export type { RelationsOptions } from './relations';
export { relationsSchema } from './schema';

import type { RelationsPart } from './model';
import { Relations, type RelationsOptions } from './relations';

/** Follows what relations lead to from now on, until it is closed. */
export function openRelations(options: RelationsOptions): RelationsPart {
  return new Relations(options);
}
