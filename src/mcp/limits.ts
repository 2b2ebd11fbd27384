/** What a server takes at most. All of it stands here, so that stdio and HTTP cannot drift apart. */
export const LIMITS = {
  /** One request: a line on stdio, a body over HTTP. */
  requestBytes: 4 * 1024 * 1024,
  /** Tool calls that run at once; more wait in the order of their arrival. */
  callsAtOnce: 10,
  /** How long one call may run before it is stopped. */
  callMs: 30_000,
  /** How long a stopped call may take to say whether it had already written. */
  stopMs: 1_000,
  /** Kept 2025 sessions over HTTP, and how long one may lie idle. */
  sessions: 100,
  sessionIdleMs: 30 * 60_000,
  /** After stdin has ended: how long to wait for the next answer still owed. */
  drainMs: 5_000,
} as const;

export const REQUEST_TOO_LARGE = 'The request is larger than 4 MB, which is the limit for one request.';
