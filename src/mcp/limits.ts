/** What a server takes at most. All of it stands here, so that stdio and HTTP cannot drift apart. */
export const LIMITS = {
  /** One request: a line on stdio, a body over HTTP. */
  requestBytes: 4 * 1024 * 1024,
  /** Tool calls that run at once; more wait in the order of their arrival. */
  callsAtOnce: 10,
  /** How long one call may run before it is stopped. */
  callMs: 30_000,
  /** The same of calls that read large files or fetch pages: they have places of their own, and others need not wait for them. */
  longCallsAtOnce: 3,
  longCallMs: 10 * 60_000,
  /** How long a stopped call may take to say whether it had already written. */
  stopMs: 1_000,
  /** How long the person may think about a question before the call goes on without an answer. */
  personMs: 5 * 60_000,
  /** Kept 2025 sessions over HTTP, and how long one may lie idle. */
  sessions: 100,
  sessionIdleMs: 30 * 60_000,
  /** Resources that one 2025 connection, or one later subscription, may follow. */
  subscriptions: 1_000,
  /** After stdin has ended: how long to wait for the next answer still owed. */
  drainMs: 5_000,
} as const;

/** From this revision of MCP on each request stands by itself, and a server cannot send requests of its own. */
export const FIRST_SESSIONLESS_REVISION = '2026-07-28';

export const REQUEST_TOO_LARGE = 'The request is larger than 4 MB, which is the limit for one request.';
