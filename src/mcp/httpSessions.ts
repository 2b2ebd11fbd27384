import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { Log } from './calls';
import { REFUSED, refuse } from './httpGuard';
import { LIMITS } from './limits';
import type { Surface } from './server';

interface Session {
  transport: NodeStreamableHTTPServerTransport;
  /** Responses that are still open; a session in use is never idle. */
  open: Set<ServerResponse>;
  /** Requests by their JSON-RPC id, so that a cancelled one can be let go. */
  pending: Map<string | number, ServerResponse>;
  lastUsed: number;
}

const SESSION_NOT_FOUND = -32001;
const SWEEP_MS = 60_000;

/**
 * The kept sessions of 2025 clients (MCP 2025-11-25, "Session Management"): one transport and one server each, so that
 * a call builds nothing. They end when the client says so, after lying idle, or when newer ones need the place.
 */
export class HttpSessions {
  readonly #sessions = new Map<string, Session>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(
    private readonly surface: Surface,
    private readonly log: Log,
    private readonly limits: { sessions: number; sessionIdleMs: number } = LIMITS,
  ) {
    this.#sweeper = setInterval(() => this.#dropIdle(), Math.min(SWEEP_MS, limits.sessionIdleMs));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Serves a request that has passed the guard. `body` is the parsed one of a POST. */
  async handle(req: IncomingMessage, res: ServerResponse, body?: unknown): Promise<void> {
    const id = req.headers['mcp-session-id'];
    if (id === undefined) {
      if (!isInitializeRequest(body))
        return refuse(res, 400, REFUSED, 'Bad request: the Mcp-Session-Id header is missing.');
      const session = await this.#open(res);
      return session && this.#serve(session, req, res, body);
    }
    const session = this.#sessions.get(String(id));
    if (session === undefined) return refuse(res, 404, SESSION_NOT_FOUND, 'Session not found.');
    await this.#serve(session, req, res, body);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.transport.close()));
  }

  async #open(res: ServerResponse): Promise<Session | undefined> {
    if (this.#sessions.size >= this.limits.sessions && !this.#dropOldest()) {
      refuse(res, 503, REFUSED, 'Too many sessions are in use.', { 'retry-after': '5' });
      return undefined;
    }
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      // No tool says anything before its result, so that a stream for one answer would only cost time.
      enableJsonResponse: true,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, session);
      },
    });
    const session: Session = { transport, open: new Set(), pending: new Map(), lastUsed: Date.now() };
    const server = this.surface.connect();
    server.onerror = (error) => this.log('session', error);
    server.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    return session;
  }

  async #serve(session: Session, req: IncomingMessage, res: ServerResponse, body: unknown): Promise<void> {
    session.lastUsed = Date.now();
    session.open.add(res);
    const request = asMessage(body);
    if (request?.id !== undefined) session.pending.set(request.id, res);
    res.once('close', () => {
      session.lastUsed = Date.now();
      session.open.delete(res);
      if (request?.id !== undefined && session.pending.get(request.id) === res) session.pending.delete(request.id);
    });
    await session.transport.handleRequest(req, res, body);
    if (request?.method === 'notifications/cancelled') letGo(session, request.params?.requestId);
  }

  #dropIdle(): void {
    const now = Date.now();
    for (const session of this.#sessions.values()) {
      if (session.open.size === 0 && now - session.lastUsed >= this.limits.sessionIdleMs)
        void session.transport.close();
    }
  }

  /** Makes room by ending the session that has been idle the longest. False when all of them are in use. */
  #dropOldest(): boolean {
    const idle = [...this.#sessions.values()].filter((session) => session.open.size === 0);
    const [oldest] = idle.sort((a, b) => a.lastUsed - b.lastUsed);
    void oldest?.transport.close();
    return oldest !== undefined;
  }
}

interface Message {
  id?: string | number;
  method?: string;
  params?: { requestId?: string | number };
}

function asMessage(body: unknown): Message | undefined {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Message) : undefined;
}

/** A cancelled request is never answered (MCP, "Cancellation"); its HTTP exchange has to end all the same. */
function letGo(session: Session, requestId: string | number | undefined): void {
  const res = requestId === undefined ? undefined : session.pending.get(requestId);
  if (requestId === undefined || res === undefined || res.headersSent) return;
  session.transport.closeSSEStream(requestId);
  res.writeHead(202).end();
}
