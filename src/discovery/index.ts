export * from './model';
export type { DiscoveryOptions } from './options';
export { discoverySchema } from './schema';

import { Discovery } from './discovery';
import type { DiscoveryPart } from './model';
import type { DiscoveryOptions } from './options';

/** Reads and indexes nothing before it is started or asked. Throws `invalid_argument` for bad settings. */
export function openDiscovery(options: DiscoveryOptions): DiscoveryPart {
  return new Discovery(options);
}
