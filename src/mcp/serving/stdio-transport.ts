import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { LIMITS, REQUEST_TOO_LARGE } from '../limits';
import { refusalOfListen } from '../resources/subscriptions';
import { type Line, LineCutter, recoverRequestId } from './lines';

/** So many unanswered requests are read ahead; further ones stay in the pipe until some are answered. */
const MAX_READ_AHEAD = 256;

/**
 * MCP's stdio binding over two streams. Unlike the SDK's own transport it answers what it cannot read (not JSON, not
 * JSON-RPC, over 4 MB) and goes on, and when its input ends it still answers what it had received before it closes.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #lines = new LineCutter(LIMITS.requestBytes);
  /** Requests handed in and not yet answered. */
  readonly #owed = new Set<RequestId>();
  #inputEnded = false;
  #closed = false;
  #drainTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', this.#onData);
    this.input.on('error', this.#onInputError);
    this.input.on('end', this.#onEnd);
    this.input.on('close', this.#onEnd);
    this.output.on('error', this.#onOutputError);
    this.output.on('drain', this.#onDrain);
    if (this.input.readableEnded || this.input.destroyed) setImmediate(this.#onEnd);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error('The connection is closed.');
    this.output.write(`${JSON.stringify(message)}\n`);
    if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
    this.#throttle();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#drainTimer);
    this.input.off('data', this.#onData);
    this.input.off('end', this.#onEnd);
    this.input.off('close', this.#onEnd);
    this.output.off('drain', this.#onDrain);
    // The error listeners stay: a pipe that breaks after the end must not end the process with a stack trace.
    this.input.pause();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.push(chunk)) this.#receive(line);
    this.#throttle();
  };

  readonly #onEnd = (): void => {
    if (this.#inputEnded || this.#closed) return;
    this.#inputEnded = true;
    const last = this.#lines.end();
    if (last !== undefined) this.#receive(last);
    this.#closeWhenDone();
  };

  readonly #onInputError = (error: Error): void => {
    this.onerror?.(error);
    this.#onEnd();
  };

  readonly #onOutputError = (error: Error): void => {
    if (this.#closed) return;
    this.onerror?.(error);
    void this.close();
  };

  readonly #onDrain = (): void => this.#throttle();

  /** Neither the answers that the client does not read nor the requests it sends ahead may fill the memory. */
  #throttle(): void {
    if (this.#closed || this.#inputEnded) return;
    const full = this.output.writableNeedDrain || this.#owed.size >= MAX_READ_AHEAD;
    if (full && !this.input.isPaused()) this.input.pause();
    else if (!full && this.input.isPaused()) this.input.resume();
  }

  #receive(line: Line): void {
    if ('tooLong' in line) {
      this.#refuse(recoverRequestId(line.head, line.tail), ProtocolErrorCode.InvalidRequest, REQUEST_TOO_LARGE);
      return;
    }
    if (line.text.trim() === '') return;
    let json: unknown;
    try {
      json = JSON.parse(line.text);
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, 'Parse error: the line is not JSON.');
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(json);
    } catch {
      this.#refuse(
        idOf(json),
        ProtocolErrorCode.InvalidRequest,
        'Invalid request: the line is not a JSON-RPC message.',
      );
      return;
    }
    const refusal = refusalOfListen(message);
    if (refusal !== undefined) {
      this.#refuse(idOf(message), ProtocolErrorCode.InvalidParams, refusal);
      return;
    }
    this.#note(message);
    this.onmessage?.(message);
  }

  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    // A subscription stays open by design and is answered only when the connection ends.
    if ('id' in message) {
      if (message.method !== 'subscriptions/listen') this.#owed.add(message.id);
    } else if (message.method === 'notifications/cancelled') {
      const cancelled = message.params?.requestId;
      if (typeof cancelled === 'string' || typeof cancelled === 'number') this.#settle(cancelled);
    }
  }

  #settle(id: RequestId): void {
    this.#owed.delete(id);
    this.#closeWhenDone();
  }

  /** Closes at once when nothing is owed, else gives each answer still owed its time. */
  #closeWhenDone(): void {
    if (!this.#inputEnded || this.#closed) return;
    clearTimeout(this.#drainTimer);
    if (this.#owed.size === 0) void this.close();
    else this.#drainTimer = setTimeout(() => void this.close(), LIMITS.drainMs);
  }

  /** JSON-RPC 2.0, section 5.1: an error whose request's id cannot be told carries a null id. */
  #refuse(id: RequestId | null, code: number, message: string): void {
    if (this.#closed) return;
    this.output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

function idOf(json: unknown): RequestId | null {
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
