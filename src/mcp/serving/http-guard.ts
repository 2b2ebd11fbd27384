import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  isJsonContentType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { LIMITS, REQUEST_TOO_LARGE } from '../limits';

export const ENDPOINT = '/mcp';

/** JSON-RPC's codes for a message that is no JSON and for one that is no request; -32000 is free for the server. */
export const PARSE_ERROR = -32700;
export const REFUSED = -32000;

/** Answers with a JSON-RPC error that belongs to no request, as the SDK's own HTTP refusals do. */
export function refuse(res: ServerResponse, status: number, code: number, message: string, headers = {}): void {
  if (res.headersSent) return;
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers });
  res.end(body);
}

const METHODS = new Set(['POST', 'GET', 'DELETE']);

/**
 * Decides who may come in: only a page or program on this machine (Host and Origin: MCP, "Transports", DNS rebinding),
 * only at the endpoint, only with the token. Answers the request itself and returns false when it may not.
 */
export function createGuard(token: string): (req: IncomingMessage, res: ServerResponse) => boolean {
  const hosts = localhostAllowedHostnames();
  const origins = localhostAllowedOrigins();
  const expected = digest(token);
  return (req, res) => {
    const { host, origin, authorization } = req.headers;
    if (!validateHostHeader(host, hosts).ok) return no(res, 403, 'Forbidden host.');
    if (!validateOriginHeader(origin, origins).ok) return no(res, 403, 'Forbidden origin.');
    const [path] = (req.url ?? '').split('?', 1);
    if (path !== ENDPOINT) return no(res, 404, 'Not found.');
    // Digests have one length, so that the comparison takes the same time for every header that may come.
    if (!timingSafeEqual(digest(bearerToken(authorization)), expected)) {
      return no(res, 401, 'Unauthorized.', { 'www-authenticate': 'Bearer' });
    }
    if (!METHODS.has(req.method ?? '')) return no(res, 405, 'Method not allowed.', { allow: [...METHODS].join(', ') });
    if (req.method === 'POST' && !isJsonContentType(req.headers['content-type'])) {
      return no(res, 415, 'Unsupported media type: the content type must be application/json.');
    }
    return true;
  };
}

function no(res: ServerResponse, status: number, message: string, headers = {}): false {
  refuse(res, status, REFUSED, message, headers);
  return false;
}

/** What follows the scheme, whose letters may be of either case (RFC 9110, section 11.1); empty when there is none. */
function bearerToken(authorization = ''): string {
  return /^bearer +(.*)$/i.exec(authorization)?.[1] ?? '';
}

function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

/** So long is the rest of a body that is too large read and thrown away, so that the client gets to see the answer. */
const DISCARD_MS = 5_000;
const DISCARD_BYTES = 16 * LIMITS.requestBytes;

/** The body parsed as JSON; undefined when it was refused, which is then already answered. */
export async function readJson(req: IncomingMessage, res: ServerResponse): Promise<{ json: unknown } | undefined> {
  const bytes = await readBytes(req);
  if (bytes === undefined) {
    refuse(res, 413, REFUSED, REQUEST_TOO_LARGE, { connection: 'close' });
    return undefined;
  }
  try {
    return { json: JSON.parse(bytes.toString('utf8')) };
  } catch {
    refuse(res, 400, PARSE_ERROR, 'Parse error: the body is not JSON.');
    return undefined;
  }
}

/** By events: iterating over the stream takes several times as long for the one chunk that a request usually is. */
function readBytes(req: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let tooLarge = Number(req.headers['content-length'] ?? 0) > LIMITS.requestBytes;
    const deadline = Date.now() + DISCARD_MS;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      tooLarge ||= length > LIMITS.requestBytes;
      if (!tooLarge) chunks.push(chunk);
      else {
        chunks = [];
        if (length > DISCARD_BYTES || Date.now() > deadline) resolve(undefined);
      }
    });
    req.on('end', () => resolve(tooLarge ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    req.on('error', reject);
    req.on('close', () => reject(new Error('The request was cut off.')));
  });
}
