import { chmod, mkdir, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { dirname } from 'node:path';
import {
  classifyInboundRequest,
  createMcpHandler,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { KaizenError } from '../../core/errors';
import type { Log } from '../calls';
import { FIRST_SESSIONLESS_REVISION, LIMITS } from '../limits';
import { refusalOfListen, sendInTurns } from '../resources/subscriptions';
import type { Surface } from '../server';
import { createGuard, ENDPOINT, REFUSED, readJson, refuse } from './http-guard';
import { HttpSessions } from './http-sessions';
import { serveByFetch } from './web-adapter';

export interface HttpOptions {
  surface: Surface;
  /** Loopback TCP (0 takes a free port), or the path of a Unix socket or Windows named pipe. */
  listen: { port: number } | { path: string };
  /** What every request must carry as `Authorization: Bearer …`. */
  token: string;
  log?: Log | undefined;
}

export interface HttpServer {
  /** For example `http://127.0.0.1:40123/mcp`; behind a socket or pipe the host is `localhost`. */
  readonly url: string;
  /** Ends the sessions and every connection, and removes the socket. */
  close(): Promise<void>;
}

/** Longer than the pause between two turns of an agent, so that the next call finds its connection still there. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Serves both protocol eras at `/mcp` (MCP, "Transports: Streamable HTTP"): 2025 clients in kept sessions, 2026-07-28
 * requests each by itself. Rejects with the system's error when the port or path cannot be had.
 */
export async function serveHttp({ surface, listen, token, log = () => {} }: HttpOptions): Promise<HttpServer> {
  // A header would lose or change anything else on its way, and nobody could ever come in.
  if (!/^[!-~]+$/.test(token)) {
    throw new KaizenError(
      'invalid_argument',
      token === '' ? 'The HTTP server needs a token.' : 'The token holds something that no HTTP header carries.',
      'Use letters, digits and punctuation of ASCII, without spaces.',
    );
  }
  const mayEnter = createGuard(token);
  const sessions = new HttpSessions(surface, log);
  const handler = createMcpHandler(() => surface.connect({ era: 'modern', isForOneRequest: true }), {
    legacy: 'reject',
    maxRequestBodySize: LIMITS.requestBytes,
    onerror: (error) => log('http', error),
  });
  surface.notices.onNotice(({ updated, isListChanged }) => {
    void sendInTurns(updated.values(), handler.notify.resourceUpdated);
    if (isListChanged) handler.notify.resourcesChanged();
  });

  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (!mayEnter(req, res)) return;
    const version = header(req, 'mcp-protocol-version');
    if (req.method !== 'POST') return sessions.handle(req, res);
    const body = await readJson(req, res);
    if (body === undefined) return;
    if (isOfSession(req, version, body.json)) return sessions.handle(req, res, body.json);
    const route = classifyInboundRequest({
      httpMethod: 'POST',
      body: body.json,
      ...(version !== undefined && { protocolVersionHeader: version }),
      ...optional('mcpMethodHeader', header(req, 'mcp-method')),
      ...optional('mcpNameHeader', header(req, 'mcp-name')),
    });
    const refusal = refusalOfListen(body.json);
    if (refusal !== undefined) return refuse(res, 400, ProtocolErrorCode.InvalidParams, refusal);
    return route.kind === 'legacy'
      ? sessions.handle(req, res, body.json)
      : serveByFetch(handler.fetch, req, res, body.json);
  };

  const server = createServer({ noDelay: true, keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    serve(req, res).catch((error: unknown) => {
      if (req.destroyed && !req.complete) return;
      log('http', error);
      refuse(res, 500, REFUSED, 'Internal error.');
    });
  });
  const url = await start(server, listen);
  return {
    url,
    async close() {
      surface.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([sessions.close(), handler.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Whether a message comes within a kept session and claims no newer revision. The SDK would route it the same way, after
 * checking it against every schema there is.
 */
function isOfSession(req: IncomingMessage, version: string | undefined, body: unknown): boolean {
  if (req.headers['mcp-session-id'] === undefined || Array.isArray(body)) return false;
  if (version !== undefined && version >= FIRST_SESSIONLESS_REVISION) return false;
  const meta = (body as { params?: { _meta?: object } } | null)?.params?._meta;
  return typeof meta !== 'object' || meta === null || !(PROTOCOL_VERSION_META_KEY in meta);
}

function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}

async function start(server: Server, where: HttpOptions['listen']): Promise<string> {
  if ('port' in where) {
    await listenOn(server, { host: '127.0.0.1', port: where.port });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}${ENDPOINT}`;
  }
  const isPipe = process.platform === 'win32';
  if (!isPipe) await secureDirectory(dirname(where.path));
  await listenOn(server, { path: where.path });
  if (!isPipe) await chmod(where.path, 0o600);
  return `http://localhost${ENDPOINT}`;
}

function listenOn(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Who may enter the directory may connect to the socket in it: that must be its owner alone. */
async function secureDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { uid } = await stat(directory);
  if (uid !== process.getuid?.()) {
    throw new KaizenError('invalid_argument', `The socket's directory ${directory} belongs to another user.`);
  }
  await chmod(directory, 0o700);
}
