import type { ServerContext } from '@modelcontextprotocol/server';
import type { Log } from './calls';
import type { CallProgress } from './tool';

/** More often nobody looks; more seldom a client may think that nothing goes on. */
const EVERY_MS = 250;
/** So far a notification is ahead of the one before it at least: MCP wants each to be greater. */
const STEP = 1e-6;

/**
 * What tells the client how far a call has come (MCP, "Progress"), from 0 to 1; undefined where the client did not ask for
 * it. What comes too soon after the last one is left out.
 */
export function progressTeller(
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
  log: Log,
): ((progress: CallProgress) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let told = 0;
  let last = Number.NEGATIVE_INFINITY;
  return ({ message, done }) => {
    const now = performance.now();
    if (now - last < EVERY_MS || mcpReq.signal.aborted) return;
    last = now;
    told = Math.max(told + STEP, Math.min(done ?? 0, 1));
    const params = { progressToken, progress: told, message, ...(done === undefined ? {} : { total: 1 }) };
    mcpReq
      .notify({ method: 'notifications/progress', params })
      .catch((error: unknown) => log('Progress could not be told', error));
  };
}
