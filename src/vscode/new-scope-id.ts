import { scopeIdFromName } from '../core/locations';

/**
 * The id for a new scope of that name. It may be taken: then there is one of that name, or nearly. A name without a
 * letter that an id may hold, such as a Japanese one, gives the tier and a number that is free.
 */
export function newScopeId(name: string, tier: 'PRODUCT' | 'GROUP', taken: readonly string[]): string {
  if (/[a-z0-9]/i.test(name.normalize('NFKD'))) return scopeIdFromName(name).toLowerCase();
  return numbered(tier.toLowerCase(), taken);
}

/** The id itself, or with the first number from 2 on that makes it one that is free. */
export function numbered(id: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const each = number === 1 ? id : `${id}-${number}`;
    if (!taken.includes(each)) return each;
  }
}
