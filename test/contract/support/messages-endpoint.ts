import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model that says what a test has written down, on loopback: Anthropic's Messages API, streamed. */

/** What the model does when it is its turn: says something and ends, or uses tools and goes on. */
export type Turn = { text: string } | { tools: { name: string; input: Record<string, unknown> }[] };

export interface ModelRequest {
  system: unknown;
  messages: { role: string; content: unknown }[];
  tools: { name: string; description?: string }[];
}

export interface ScriptedModel {
  url: string;
  /** The requests of the agent itself; those that only name a conversation or count tokens are left out. */
  requests: ModelRequest[];
  close(): Promise<void>;
}

/** Requests with tools take the next turn each; when all are taken, the model ends. */
export async function startModel(turns: readonly Turn[]): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const left = [...turns];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      if (request.method !== 'POST' || !request.url?.startsWith('/v1/messages')) return json(response, {});
      if (request.url.includes('count_tokens')) return json(response, { input_tokens: 100 });
      const asked = JSON.parse(body) as Partial<ModelRequest>;
      const isAgent = (asked.tools ?? []).some(({ name }) => name === 'Edit');
      const turn = isAgent ? left.shift() : undefined;
      if (isAgent) {
        requests.push({ system: asked.system, messages: asked.messages ?? [], tools: asked.tools ?? [] });
      }
      stream(response, turn ?? { text: 'Done.' }, requests.length);
    })().catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function stream(response: ServerResponse, turn: Turn, number: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, fields: object) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  const usage = { input_tokens: 10, output_tokens: 10 };
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'scripted', content: [] };
  send('message_start', { message: { ...message, stop_reason: null, stop_sequence: null, usage } });
  const blocks =
    'text' in turn
      ? [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: turn.text } }]
      : turn.tools.map(({ name, input }, at) => ({
          start: { type: 'tool_use', id: `toolu_${number}_${at}`, name, input: {} },
          delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
        }));
  for (const [index, { start, delta }] of blocks.entries()) {
    send('content_block_start', { index, content_block: start });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  const stop_reason = 'text' in turn ? 'end_turn' : 'tool_use';
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}
