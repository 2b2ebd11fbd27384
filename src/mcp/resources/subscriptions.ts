import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { Disposable } from '../../core/disposable';
import type { Log } from '../calls';
import { LIMITS } from '../limits';
import { addressKey, MAX_URI, parseAddress } from './address';
import type { Notice } from './changes';
import type { Notices } from './notices';

/**
 * Tells one connection of changes. A client of 2025 hears of what it subscribed to; for one of 2026-07-28 the SDK keeps
 * the subscriptions (`subscriptions/listen`) and lets through what was asked for.
 */
export function tellOfChanges(server: Server, notices: Notices, isModern: boolean, log: Log): Disposable {
  /** By the URI as the client wrote it, which is how it will know it again. */
  const subscribed = new Map<string, string>();
  if (!isModern) {
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
      if (subscribed.size >= LIMITS.subscriptions && !subscribed.has(uri)) {
        const message = `There are ${LIMITS.subscriptions} subscriptions already: unsubscribe first.`;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
      }
      if (uri.length > MAX_URI) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The URI has more than ${MAX_URI} characters.`);
      }
      const address = parseAddress(uri);
      subscribed.set(uri, address ? addressKey(address) : uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscribed.delete(uri);
      return {};
    });
  }
  const failed = (error: unknown) => log('A change could not be told', error);
  const uris = ({ updated }: Notice) =>
    isModern ? updated.values() : [...subscribed].flatMap(([uri, key]) => (updated.has(key) ? [uri] : []));
  return notices.onNotice((notice) => {
    // Nobody is told anything before it has introduced itself.
    if (!isModern && server.getClientVersion() === undefined) return;
    if (notice.isListChanged) server.sendResourceListChanged().catch(failed);
    void sendInTurns(uris(notice), (uri) => server.sendResourceUpdated({ uri }).catch(failed));
  });
}

/** Why a `subscriptions/listen` is refused: with each change the SDK looks through all that it asks for. */
export function refusalOfListen(message: unknown): string | undefined {
  const { method, params } = (message ?? {}) as {
    method?: unknown;
    params?: { notifications?: Record<string, unknown> };
  };
  if (method !== 'subscriptions/listen') return undefined;
  const wanted = params?.notifications?.resourceSubscriptions;
  if (!Array.isArray(wanted) || wanted.length <= LIMITS.subscriptions) return undefined;
  return `A subscription may name ${LIMITS.subscriptions} resources; this one names ${wanted.length}.`;
}

/** So many at a time: a checkout of another branch can change thousands of files, whose nodes nobody may have asked for. */
const AT_A_TIME = 200;

export async function sendInTurns(uris: Iterable<string>, send: (uri: string) => void): Promise<void> {
  let sent = 0;
  for (const uri of uris) {
    if (++sent % AT_A_TIME === 0) await new Promise((resolve) => setImmediate(resolve));
    send(uri);
  }
}
