import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import http from 'node:http';
import { createInterface } from 'node:readline';

/** A client that does as little as possible, so that what is measured is the server. */
export interface Client {
  call(tool: string, args: object): Promise<string>;
  /** Megabytes of memory that the server's process holds now. */
  memory(): number;
  close(): Promise<void>;
}

interface Answer {
  result?: { content?: { text: string }[]; isError?: boolean };
  error?: { message: string };
}

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
};

export async function stdioClient(args: string[], env: Record<string, string> = {}): Promise<Client> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } });
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Answer & { id?: number };
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  let id = 0;
  const request = (method: string, params: object) =>
    new Promise<Answer>((resolve) => {
      waiting.set(++id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await request('initialize', INITIALIZE);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    call: async (name, args) => text(await request('tools/call', { name, arguments: args })),
    memory: () => residentMegabytes(child),
    close: () => ended(child, () => child.stdin.end()),
  };
}

/** Starts the server and speaks to it over one kept-alive connection. */
export async function httpClient(args: string[]): Promise<Client> {
  const token = 'bench';
  const child = spawn(process.execPath, [...args, '--http', '0', '--token', token], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await new Promise<URL>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /listening on (\S+)/.exec(line)?.[1];
      if (found) resolve(new URL(found));
    });
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  let id = 0;
  const post = (message: object) =>
    new Promise<{ body: string; session: string | undefined }>((resolve, reject) => {
      const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => resolve({ body, session: response.headers['mcp-session-id']?.toString() }));
      });
      request.on('error', reject);
      request.setNoDelay(true);
      request.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
  const { session } = await post({ id: ++id, method: 'initialize', params: INITIALIZE });
  if (session) headers['mcp-session-id'] = session;
  headers['mcp-protocol-version'] = INITIALIZE.protocolVersion;
  await post({ method: 'notifications/initialized' });
  return {
    call: async (name, args) => {
      const { body } = await post({ id: ++id, method: 'tools/call', params: { name, arguments: args } });
      // A server may answer with one server-sent event instead of plain JSON.
      return text(JSON.parse(body.startsWith('{') ? body : body.slice(body.indexOf('data: ') + 6)) as Answer);
    },
    memory: () => residentMegabytes(child),
    close: async () => {
      agent.destroy();
      await ended(child, () => child.kill());
    },
  };
}

function text(answer: Answer): string {
  const found = answer.result?.content?.[0]?.text;
  if (found === undefined || answer.result?.isError) throw new Error(JSON.stringify(answer).slice(0, 500));
  return found;
}

function ended(child: ChildProcess, end: () => void): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    end();
  });
}

function residentMegabytes({ pid }: ChildProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
