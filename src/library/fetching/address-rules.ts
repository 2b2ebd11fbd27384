import { isIP } from 'node:net';
import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import type { WebSettings } from '../model';
import { refused, shown } from './faults';
import { FETCHING_LIMITS } from './limits';

/** What of the settings, and of the request, says which addresses may be asked. */
export interface AddressRules extends Pick<WebSettings, 'allowedDomains' | 'allowPrivateAddresses'> {
  /** Of the request: on top of the settings'. */
  domains: readonly string[];
  /** See `privateNetwork`. */
  networkOf(address: string): Sentence | string | undefined;
}

/** Ports from 1024 on that speak something else than HTTP (Fetch Standard, "bad port"). */
const BAD_PORTS = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080],
]);

/**
 * The address, as far as it may be asked by its looks: http and https, no name and password, port 80, 443 or from 1024 on
 * without those that speak something else, a host that is allowed, and no address of a private network. What the host's name
 * leads to is looked at when it is connected to. Throws `fetch_refused`, `invalid_argument` for what is no address.
 */
export function checkedAddress(address: string, rules: AddressRules): URL {
  if (address.length > FETCHING_LIMITS.address || !URL.canParse(address)) {
    throw new KaizenError('invalid_argument', sentence('"{0}" is no address on the web.', address.slice(0, 120)));
  }
  const url = new URL(address);
  url.hash = '';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refused(
      sentence('Addresses with {0} are not fetched.', url.protocol.slice(0, 40)),
      sentence('Use https: or http:.'),
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(
      sentence('The address of {0} holds a name or a password.', url.host),
      sentence('Leave them out: they would be kept with the page.'),
    );
  }
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (port !== 80 && port !== 443 && (port < 1024 || BAD_PORTS.has(port))) {
    throw refused(
      sentence('Port {0} is not one that pages are fetched from.', port),
      sentence('80, 443 and most from 1024 on are.'),
    );
  }
  checkDomain(url, rules.allowedDomains, sentence("the settings' list of domains"));
  checkDomain(url, rules.domains, sentence('the domain_allowlist'));
  const host = hostOf(url);
  if (isIP(host) !== 0) checkNetwork(url, [host], rules);
  return url;
}

/** Throws `fetch_refused` where one of the IP addresses that a host's name leads to is none of the Internet. */
export function checkNetwork(
  url: URL,
  addresses: readonly string[],
  { allowPrivateAddresses, networkOf }: Pick<AddressRules, 'allowPrivateAddresses' | 'networkOf'>,
): void {
  if (allowPrivateAddresses) return;
  for (const address of addresses) {
    const what = networkOf(address);
    if (what === undefined) continue;
    throw refused(
      sentence('{0} is not fetched: {1} leads to {2}.', shown(url), url.hostname, what),
      sentence('A person can allow private addresses in the settings.'),
    );
  }
}

/** As `lookup` takes it: IPv6 addresses without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * Throws `fetch_refused` where a proxy would find out what a host's name leads to, which may be a private network that the
 * proxy is in, and nobody has named the host.
 */
export function checkProxied(
  url: URL,
  allowedDomains: readonly string[],
  { allowPrivateAddresses }: Pick<AddressRules, 'allowPrivateAddresses'>,
): void {
  if (allowPrivateAddresses || isIP(hostOf(url)) !== 0 || isAmong(url, allowedDomains)) return;
  throw refused(
    sentence(
      '{0} is not fetched: behind a proxy it cannot be told whether {1} leads to a private network.',
      shown(url),
      url.hostname,
    ),
    sentence('A person can add it to the allowed domains in the settings.'),
  );
}

function checkDomain(url: URL, domains: readonly string[], list: Sentence): void {
  if (domains.length === 0 || isAmong(url, domains)) return;
  throw refused(sentence('{0} is not fetched: {1} is not in {2}.', shown(url), url.hostname, list));
}

/** Whether its host is one of these, or a subdomain. */
function isAmong(url: URL, domains: readonly string[]): boolean {
  const host = url.hostname.replace(/\.$/, '');
  return domains.some((given) => {
    const domain = given
      .trim()
      .toLowerCase()
      .replace(/^\*?\./, '')
      .replace(/\.$/, '');
    return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
  });
}
