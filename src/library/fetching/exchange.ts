import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isKaizenError } from '../../core/errors';
import { joinInTurns } from '../../core/joining';
import { sentence } from '../../core/sentence';
import { Turns } from '../../core/turns';
import { unlessAborted } from '../../files';
import { hostOf } from './address-rules';
import { Deadline } from './deadline';
import { failed, networkFault, refused, shown, unreachable } from './faults';
import type { FetchingLimits } from './limits';
import { refusedBy, requestBy } from './proxies';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All IP addresses of a host's name. */
export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface Exchange {
  url: URL;
  headers: Readonly<Record<string, string>>;
  lookup: Lookup;
  /** Asked instead of the host itself; what the host's name leads to is its own to find out then. */
  proxy?: URL | undefined;
  /** Looks at what the host's name leads to, and throws where that may not be asked. */
  checkAddresses(addresses: readonly string[]): void;
  signal: AbortSignal;
  limits: FetchingLimits;
}

export interface Head {
  status: number;
  headers: IncomingHttpHeaders;
}

/** How much of the body is read, once the headers are there; none of it unless told. */
export interface BodyPlan {
  /** Bytes, unpacked. */
  most: number;
  /** Milliseconds. */
  time: number;
  /** What is more is left unread, and is no error. */
  cut?: boolean;
}

export interface Answer extends Head {
  /** In a buffer of its own, so that it can be handed to another thread. */
  bytes: Uint8Array;
}

/**
 * One request and its answer, without following it anywhere. The name is resolved once, what comes of it is looked at, and
 * exactly that is connected to: whoever answers for the name cannot answer otherwise in between (DNS rebinding). By a proxy
 * neither can be done: who asks has to know the host then. Nothing is kept open. Throws `fetch_refused`, `fetch_failed`, the
 * signal's reason, and what `plan` throws.
 */
export async function exchange(asked: Exchange, plan: (head: Head) => BodyPlan | undefined): Promise<Answer> {
  const { url, limits } = asked;
  const deadline = new Deadline(asked.signal);
  let response: IncomingMessage | undefined;
  try {
    const late = () =>
      unreachable(
        url,
        sentence('nobody answers there within {0} seconds', limits.connectTime / 1000),
        sentence('Try again later.'),
      );
    deadline.next(limits.connectTime, late);
    deadline.signal.throwIfAborted();
    response = asked.proxy ? await byProxy(asked, asked.proxy, deadline) : await direct(asked, deadline);
    // Told by whoever reads it; where nobody does any more, it must not end the process.
    response.on('error', () => undefined);
    const head: Head = { status: response.statusCode ?? 0, headers: response.headers };
    const body = plan(head);
    if (!body) return { ...head, bytes: new Uint8Array() };
    return { ...head, bytes: await bodyOf(response, body, deadline, asked) };
  } catch (error) {
    // What broke off because somebody let go is theirs to tell.
    deadline.signal.throwIfAborted();
    throw isKaizenError(error) ? error : networkFault(url, error);
  } finally {
    response?.destroy();
    deadline.dispose();
  }
}

async function direct(asked: Exchange, deadline: Deadline): Promise<IncomingMessage> {
  const addresses = await unlessAborted(addressesOf(asked), deadline.signal);
  asked.checkAddresses(addresses.map(({ address }) => address));
  return connected(asked, addresses, deadline);
}

async function byProxy(asked: Exchange, proxy: URL, deadline: Deadline): Promise<IncomingMessage> {
  const { url, headers, limits } = asked;
  const options = await requestBy(proxy, url, { headers, signal: deadline.signal });
  const request = requestHttp({ ...options, method: 'GET', maxHeaderSize: limits.headers });
  const response = await answered(request, asked, deadline).catch((error: unknown) => {
    deadline.signal.throwIfAborted();
    // Of a tunnel, what breaks is the server's; else nobody but the proxy was spoken to.
    throw isKaizenError(error) || url.protocol === 'https:' ? error : networkFault(proxy, error);
  });
  if (response.statusCode !== 407) return response;
  response.destroy();
  throw refusedBy(proxy, url, 407);
}

async function addressesOf({ url, lookup }: Exchange): Promise<readonly ResolvedAddress[]> {
  const host = hostOf(url);
  const family = isIP(host);
  const addresses = family === 0 ? await lookup(host) : [{ address: host, family }];
  if (addresses.length === 0) throw Object.assign(new Error('no addresses'), { code: 'ENOTFOUND' });
  return addresses;
}

/** Sends the request; the answer's headers, its body unread. */
function connected(
  asked: Exchange,
  addresses: readonly ResolvedAddress[],
  deadline: Deadline,
): Promise<IncomingMessage> {
  const { url, headers, limits } = asked;
  const host = hostOf(url);
  const lookup: LookupFunction = (name, options, callback) => {
    const [first] = addresses as [ResolvedAddress];
    if (name !== host) callback(Object.assign(new Error('another host'), { code: 'ENOTFOUND' }), '', 0);
    else if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  const options: RequestOptions = {
    method: 'GET',
    headers: { ...headers },
    // No connection outlives its request: the next one is looked at anew.
    agent: false,
    lookup,
    maxHeaderSize: limits.headers,
    signal: deadline.signal,
  };
  return answered((url.protocol === 'https:' ? requestHttps : requestHttp)(url, options), asked, deadline);
}

/** The headers of its answer; its body is unread. */
function answered(request: ClientRequest, { url, limits }: Exchange, deadline: Deadline): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const wait = () =>
      deadline.next(limits.headersTime, () =>
        failed(
          sentence('{0} cannot be fetched: nothing comes within {1} seconds.', shown(url), limits.headersTime / 1000),
          sentence('Try again later.'),
        ),
      );
    request.on('socket', (socket) => {
      if (socket.connecting) socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', wait);
      else wait();
    });
    // Nobody asked for another protocol; without this its socket would stay open.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(Object.assign(new Error('another protocol'), { code: 'HPE_UPGRADE' }));
    });
    request.on('error', reject);
    request.on('response', resolve);
    request.end();
  });
}

async function bodyOf(
  response: IncomingMessage,
  { most, time, cut = false }: BodyPlan,
  deadline: Deadline,
  { url, limits }: Exchange,
): Promise<Uint8Array> {
  const slow = () =>
    failed(sentence('{0} cannot be fetched: it sends too slowly.', shown(url)), sentence('Try again later.'));
  const length = Number(response.headers['content-length'] ?? 0);
  if (length > most && !cut) throw tooLarge(url, most);
  deadline.all(time, slow);
  deadline.next(limits.idleTime, slow);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of unpacked(response, url) as AsyncIterable<Uint8Array>) {
    deadline.next(limits.idleTime, slow);
    size += piece.length;
    if (size > most && !cut) throw tooLarge(url, most);
    pieces.push(piece);
    // Leaving the loop closes the connection.
    if (size >= most && cut) break;
  }
  return joinInTurns(pieces, Math.min(size, most), new Turns(deadline.signal));
}

/** As `Content-Encoding` says; a bomb is defused by counting what comes out. */
function unpacked(response: IncomingMessage, url: URL): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const unpacker = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }[
    encoding
  ];
  if (unpacker) return pipeline(response, unpacker(), () => undefined);
  if (encoding === 'identity' || encoding === '') return response;
  throw failed(sentence('{0} is packed in a way that was not asked for ({1}).', shown(url), encoding.slice(0, 40)));
}

function tooLarge(url: URL, most: number): Error {
  const megabytes = (most / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 });
  return refused(
    sentence('{0} has more than {1} MB, which is not read.', shown(url), megabytes),
    sentence('Get it by other means, and add a part of it.'),
  );
}
