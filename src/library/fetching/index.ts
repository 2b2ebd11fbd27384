import type { Clock } from '../../core/clock';
import type { WebSettings } from '../model';
import type { Web } from './model';

/** Nothing is connected to before it is asked. */
export function createWeb(settings: Partial<WebSettings>, options: { clock: Clock; log(message: string): void }): Web {
  const current = { enabled: true, rateLimit: 2, allowedDomains: [], allowPrivateAddresses: false, ...settings };
  return {
    settings: current,
    fetch: async (url) => Promise.reject(new Error(`${url} ${options}`)),
    links: () => [],
    search: async () => [],
    use: () => {},
    close: async () => {},
  };
}
