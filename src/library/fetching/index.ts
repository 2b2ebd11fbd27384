import { lookup } from 'node:dns/promises';
import type { Clock } from '../../core/clock';
import type { Sentence } from '../../core/sentence';
import type { WebSettings } from '../model';
import { privateNetwork } from './addresses';
import type { Lookup } from './exchange';
import { FETCHING_LIMITS, type FetchingLimits } from './limits';
import type { Web } from './model';
import { PoliteWeb } from './web';

export { privateNetwork } from './addresses';
export { isUnreachable } from './faults';
export { FETCHING_LIMITS } from './limits';

export interface CreateWebOptions {
  clock: Clock;
  /** Resolves names of hosts; the system does unless told. */
  lookup?: Lookup | undefined;
  /** What an IP address leads to, where it is none of the Internet; by the registries unless told. */
  networkOf?: ((address: string) => Sentence | string | undefined) | undefined;
  /** Where proxies are named; the process's own unless told. */
  environment?: NodeJS.ProcessEnv | undefined;
  limits?: Partial<FetchingLimits> | undefined;
}

/** Nothing is connected to before it is asked. */
export function createWeb(settings: Partial<WebSettings>, options: CreateWebOptions): Web {
  return new PoliteWeb(settings, {
    ...options,
    lookup: options.lookup ?? ((host) => lookup(host, { all: true })),
    networkOf: options.networkOf ?? privateNetwork,
    environment: options.environment ?? process.env,
    limits: { ...FETCHING_LIMITS, ...options.limits },
  });
}
