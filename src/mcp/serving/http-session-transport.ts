import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  isInitializeRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { REFUSED, refuse } from './http-guard';

/** One POST that holds requests, until all of them are answered. */
interface Exchange {
  res: ServerResponse;
  /** A batch is answered as a list (MCP 2025-03-26 only; later revisions have none). */
  isBatch: boolean;
  owed: Set<RequestId>;
  answers: JSONRPCResponse[];
}

const MAX_BATCH = 100;
const KEEP_ALIVE_MS = 15_000;
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
};

/**
 * One kept session of Streamable HTTP (MCP 2025-11-25, "Transports"), straight on Node's own requests and responses: the
 * SDK's transport goes through web requests and web streams, which took more time than everything else in a call. It answers with plain JSON, and
 * with a stream only when a tool has something to say before its result.
 */
export class HttpSessionTransport implements Transport {
  readonly sessionId = randomUUID();
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  /** Responses that are still open: calls under way and the stream for what no call asked for. */
  readonly open = new Set<ServerResponse>();
  lastUsed = Date.now();

  readonly #exchanges = new Map<RequestId, Exchange>();
  #stream: ServerResponse | undefined;
  #supported: readonly string[] = [];
  #initialized = false;
  #closed = false;

  async start(): Promise<void> {}

  setSupportedProtocolVersions(versions: string[]): void {
    this.#supported = versions;
  }

  /** Serves a request that has passed the guard and belongs to the session, or opens it. `body` is a POST's, parsed. */
  handle(req: IncomingMessage, res: ServerResponse, body: unknown) {
    this.lastUsed = Date.now();
    const revision = req.headers['mcp-protocol-version'];
    if (this.#initialized && revision !== undefined && !this.#supported.includes(String(revision))) {
      return refuse(res, 400, REFUSED, `Bad request: unsupported protocol version ${revision}.`);
    }
    this.open.add(res);
    res.once('close', () => {
      this.lastUsed = Date.now();
      this.open.delete(res);
      this.#forget(res);
    });
    if (req.method === 'GET') this.#listen(req, res);
    else if (req.method === 'DELETE') void this.close().then(() => res.writeHead(200).end());
    else this.#receive(req, res, body);
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.#answer(message);
    const related = options?.relatedRequestId;
    const exchange = related === undefined ? undefined : this.#exchanges.get(related);
    // A question is withdrawn when its call is, whose own stream may be closed by then.
    const res = exchange?.res ?? this.#stream;
    if (res !== undefined) this.#say(res, message);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream?.end();
    for (const { res } of new Set(this.#exchanges.values())) {
      if (res.headersSent) res.end();
      else refuse(res, 404, REFUSED, 'The session was closed.');
    }
    this.#exchanges.clear();
    this.onclose?.();
  }

  #receive(req: IncomingMessage, res: ServerResponse, body: unknown) {
    if (!accepts(req, 'application/json') || !accepts(req, 'text/event-stream')) {
      return refuse(res, 406, REFUSED, 'Not acceptable: a client must accept application/json and text/event-stream.');
    }
    const isBatch = Array.isArray(body);
    const invalid = (why: string) => refuse(res, 400, ProtocolErrorCode.InvalidRequest, `Invalid request: ${why}.`);
    let messages: JSONRPCMessage[];
    try {
      messages = (isBatch ? body : [body]).map(parseJSONRPCMessage);
    } catch {
      return invalid('the body is not a JSON-RPC message');
    }
    if (messages.length === 0 || messages.length > MAX_BATCH)
      return invalid(`a batch holds 1 to ${MAX_BATCH} messages`);
    // By its name first: the schema's no costs more than all the rest.
    if (
      messages.some((message) => 'method' in message && message.method === 'initialize' && isInitializeRequest(message))
    ) {
      if (this.#initialized || isBatch) return invalid('a session is initialized once, by a request of its own');
      this.#initialized = true;
    }
    const requests = messages.filter((message): message is JSONRPCRequest => 'method' in message && 'id' in message);
    const owed = new Set(requests.map((request) => request.id));
    if (owed.size < requests.length || requests.some((request) => this.#exchanges.has(request.id))) {
      return invalid('the id belongs to another request under way');
    }
    const exchange: Exchange = { res, isBatch, owed, answers: [] };
    for (const id of owed) this.#exchanges.set(id, exchange);
    for (const message of messages) {
      this.onmessage?.(message);
      // The server hears of it first, and may have a question of that request to withdraw on its stream.
      if ('method' in message && message.method === 'notifications/cancelled') setImmediate(() => this.#letGo(message));
    }
    if (requests.length === 0) res.writeHead(202).end();
  }

  #answer(answer: JSONRPCResponse): void {
    const exchange = answer.id === undefined ? undefined : this.#exchanges.get(answer.id);
    // Who closed the connection does not get an answer any more; that is no error.
    if (exchange === undefined || answer.id === undefined) return;
    this.#exchanges.delete(answer.id);
    exchange.owed.delete(answer.id);
    if (exchange.res.headersSent) this.#say(exchange.res, answer);
    else exchange.answers.push(answer);
    if (exchange.owed.size === 0) this.#finish(exchange);
  }

  #finish({ res, isBatch, answers }: Exchange): void {
    if (res.headersSent) {
      res.end();
      return;
    }
    const body = JSON.stringify(isBatch ? answers : answers[0]);
    res.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'mcp-session-id': this.sessionId,
    });
    res.end(body);
  }

  /** Sends one message as a server-sent event; what was to be plain JSON becomes a stream by that. */
  #say(res: ServerResponse, message: JSONRPCMessage): void {
    // A stream that was ended is not closed until its reader has taken all of it.
    if (res.writableEnded) return;
    if (!res.headersSent) this.#beginStream(res);
    res.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  #listen(req: IncomingMessage, res: ServerResponse) {
    if (!accepts(req, 'text/event-stream')) {
      return refuse(res, 406, REFUSED, 'Not acceptable: a client must accept text/event-stream.');
    }
    if (this.#stream !== undefined) return refuse(res, 409, REFUSED, 'Conflict: the session has its stream already.');
    this.#stream = res;
    this.#beginStream(res);
    res.flushHeaders();
    res.once('close', () => {
      this.#stream = undefined;
    });
  }

  /** Clients give up a stream on which nothing comes for minutes, be it that a person thinks about a question. */
  #beginStream(res: ServerResponse): void {
    res.writeHead(200, { ...STREAM_HEADERS, 'mcp-session-id': this.sessionId });
    const keepAlive = setInterval(() => {
      if (!res.writableEnded) res.write(': keepalive\n\n');
    }, KEEP_ALIVE_MS);
    keepAlive.unref();
    res.once('close', () => clearInterval(keepAlive));
  }

  /** A cancelled request is never answered (MCP, "Cancellation"); its HTTP exchange has to end all the same. */
  #letGo(notification: JSONRPCNotification): void {
    const id = notification.params?.requestId as RequestId;
    const exchange = this.#exchanges.get(id);
    if (exchange === undefined) return;
    this.#exchanges.delete(id);
    exchange.owed.delete(id);
    if (exchange.owed.size > 0) return;
    if (exchange.answers.length > 0 || exchange.res.headersSent) this.#finish(exchange);
    else exchange.res.writeHead(202).end();
  }

  #forget(res: ServerResponse): void {
    for (const [id, exchange] of this.#exchanges) {
      if (exchange.res === res) this.#exchanges.delete(id);
    }
  }
}

function accepts(req: IncomingMessage, type: string): boolean {
  const { accept = '' } = req.headers;
  return accept.includes(type) || accept.includes('*/*');
}
