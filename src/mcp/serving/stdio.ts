import type { Readable, Writable } from 'node:stream';
import { serveStdio as serveSdkStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../calls';
import type { Surface } from '../server';
import { StdioTransport } from './stdio-transport';

export interface StdioOptions {
  surface: Surface;
  log?: Log | undefined;
  /** `process.stdin` and `process.stdout` unless told. Nothing else may write to `output` meanwhile. */
  input?: Readable | undefined;
  output?: Writable | undefined;
}

export interface StdioConnection {
  /** Resolves when the input has ended and what was received before is answered, or when the output is gone. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves both protocol eras on one stdio connection (MCP, "Transports: stdio"). */
export function serveStdio({
  surface,
  log,
  input = process.stdin,
  output = process.stdout,
}: StdioOptions): StdioConnection {
  const transport = new StdioTransport(input, output);
  const connection = serveSdkStdio(({ era }) => surface.connect({ era }), {
    transport,
    onerror: (error) => log?.('stdio', error),
  });
  const onclose = transport.onclose;
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.();
      surface.close();
      // What was written last may still be on its way to a slow reader.
      if (output.writableLength === 0 || output.destroyed) resolve();
      else output.write('', () => resolve());
    };
  });
  return { closed, close: () => connection.close() };
}
