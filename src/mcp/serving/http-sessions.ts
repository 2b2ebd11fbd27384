import type { IncomingMessage, ServerResponse } from 'node:http';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { Log } from '../calls';
import { LIMITS } from '../limits';
import type { Surface } from '../server';
import { REFUSED, refuse } from './http-guard';
import { HttpSessionTransport } from './http-session-transport';

const SESSION_NOT_FOUND = -32001;
const SWEEP_MS = 60_000;

/**
 * The kept sessions of 2025 clients (MCP 2025-11-25, "Session Management"): one transport and one server each, so that
 * a call builds nothing. They end when the client says so, after lying idle, or when newer ones need the place.
 */
export class HttpSessions {
  readonly #sessions = new Map<string, HttpSessionTransport>();
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
    if (id !== undefined) {
      const session = this.#sessions.get(String(id));
      if (session === undefined) return refuse(res, 404, SESSION_NOT_FOUND, 'Session not found.');
      return session.handle(req, res, body);
    }
    if (!isInitializeRequest(body))
      return refuse(res, 400, REFUSED, 'Bad request: the Mcp-Session-Id header is missing.');
    if (this.#sessions.size >= this.limits.sessions && !this.#dropOldest()) {
      return refuse(res, 503, REFUSED, 'Too many sessions are in use.', { 'retry-after': '5' });
    }
    const session = await this.#open();
    session.handle(req, res, body);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #open(): Promise<HttpSessionTransport> {
    const session = new HttpSessionTransport();
    this.#sessions.set(session.sessionId, session);
    const server = this.surface.connect();
    server.onerror = (error) => this.log('session', error);
    const { onclose } = server;
    server.onclose = () => {
      onclose?.();
      this.#sessions.delete(session.sessionId);
    };
    await server.connect(session);
    return session;
  }

  #dropIdle(): void {
    const now = Date.now();
    for (const session of this.#sessions.values()) {
      if (session.open.size === 0 && now - session.lastUsed >= this.limits.sessionIdleMs) void session.close();
    }
  }

  /** Makes room by ending the session that has been idle the longest. False when all of them are in use. */
  #dropOldest(): boolean {
    const idle = [...this.#sessions.values()].filter((session) => session.open.size === 0);
    const [oldest] = idle.sort((a, b) => a.lastUsed - b.lastUsed);
    void oldest?.close();
    return oldest !== undefined;
  }
}
