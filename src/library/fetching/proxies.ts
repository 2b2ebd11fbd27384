import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { sentence } from '../../core/sentence';
import { hostOf } from './address-rules';
import { failed, networkFault, shown } from './faults';

/**
 * The proxy that an address is asked by, as curl and others read the environment: HTTPS_PROXY or HTTP_PROXY by the address's
 * own protocol, else ALL_PROXY, unless NO_PROXY names its host (a host stands for its subdomains, `*` for all). Lower case
 * counts first. This machine is never asked by a proxy. Throws `fetch_failed` for a proxy that is none of http.
 */
export function proxyOf(url: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const variable = (name: string) => environment[name.toLowerCase()] || environment[name] || '';
  const given = variable(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || variable('ALL_PROXY');
  if (given === '' || isLoopback(hostOf(url)) || isExcepted(url, variable('NO_PROXY'))) return undefined;
  const address = given.includes('://') ? given : `http://${given}`;
  if (URL.canParse(address) && new URL(address).protocol === 'http:') return new URL(address);
  throw failed(
    sentence('The proxy that the environment names is none of http.'),
    sentence('Look at HTTPS_PROXY and HTTP_PROXY.'),
  );
}

function isExcepted(url: URL, list: string): boolean {
  const host = hostOf(url).replace(/\.$/, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', only] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
      const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
      return domain !== '' && (host === domain || host.endsWith(`.${domain}`)) && (only === undefined || only === port);
    });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\./.test(host);
}

/** How a request has to be made so that it goes by a proxy: to it, or through a tunnel that it has made. */
export async function requestBy(
  proxy: URL,
  url: URL,
  { headers, signal }: { headers: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<RequestOptions> {
  const to = { host: hostOf(proxy), port: proxy.port || 80, agent: false as const, signal };
  const authorization = authorizationOf(proxy);
  if (url.protocol === 'http:')
    return { ...to, path: url.href, headers: { ...headers, host: url.host, ...authorization } };
  const tunnel = await tunnelTo(url, { ...to, headers: authorization }, proxy);
  const host = hostOf(url);
  const secure = connectTls({
    socket: tunnel,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
  });
  const { agent: _, ...direct } = to;
  return {
    ...direct,
    createConnection: () => secure,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host },
  };
}

/** `CONNECT` (RFC 9110, 9.3.6): what goes through is between us and the server. */
function tunnelTo(url: URL, options: RequestOptions, proxy: URL): Promise<Duplex> {
  const authority = `${url.hostname}:${url.port || 443}`;
  return new Promise((resolve, reject) => {
    const asking = request({
      ...options,
      method: 'CONNECT',
      path: authority,
      headers: { ...options.headers, host: authority },
    });
    asking.on('connect', (answer: IncomingMessage, socket: Duplex) => {
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      return reject(refusedBy(proxy, url, answer.statusCode ?? 0));
    });
    // A proxy that answers as a server would.
    asking.on('response', (answer) => {
      answer.destroy();
      reject(refusedBy(proxy, url, answer.statusCode ?? 0));
    });
    asking.on('error', (error) => reject(networkFault(proxy, error)));
    asking.end();
  });
}

export function refusedBy(proxy: URL, url: URL, status: number): Error {
  const what = [shown(url), proxy.host, status] as const;
  return failed(
    status === 407
      ? sentence('{0} cannot be fetched: the proxy {1} wants another name or password (status {2}).', ...what)
      : sentence('{0} cannot be fetched: the proxy {1} refuses it (status {2}).', ...what),
    sentence('Ask who runs it.'),
  );
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** A bare `%`, which others take as well, stands for itself. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+|%/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}
