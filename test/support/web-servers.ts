import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server on loopback whose pages a test makes; what there is none for is answered with 404. */
export class WebServer {
  /** Paths with their queries, in the order in which they were asked for. */
  readonly asked: string[] = [];
  readonly requests: IncomingMessage[] = [];
  private readonly pages = new Map<string, Answering>();
  private readonly server = createServer((request, response) => {
    const path = request.url ?? '/';
    this.asked.push(path);
    this.requests.push(request);
    const page = this.pages.get(path) ?? this.pages.get(path.split('?')[0]!);
    if (page) page(request, response);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not here.</p>');
  });

  /** On another address of loopback the same port may be taken once more. */
  async start({ host = '127.0.0.1', port = 0 } = {}): Promise<this> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  /** What is asked for without its robots.txt. */
  get pagesAsked(): string[] {
    return this.asked.filter((path) => path !== '/robots.txt');
  }

  on(path: string, answering: Answering): this {
    this.pages.set(path, answering);
    return this;
  }

  page(path: string, body: string, headers: Record<string, string> = {}): this {
    const all = { 'content-type': 'text/html; charset=utf-8', ...headers };
    return this.on(path, (_, response) => response.writeHead(200, all).end(body));
  }

  /** A page that Readability takes for an article, with links. */
  article(path: string, title: string, text: string, links: readonly string[] = []): this {
    const anchors = links.map((href) => `<a href="${href}">${href}</a>`).join(' ');
    const body = `<article><h1>${title}</h1><p>${text}</p><p>${anchors}</p></article>`;
    return this.page(
      path,
      `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`,
    );
  }

  redirect(path: string, location: string, status = 302): this {
    return this.on(path, (_, response) => response.writeHead(status, { location }).end());
  }

  robots(text: string, headers: Record<string, string> = {}): this {
    return this.page('/robots.txt', text, { 'content-type': 'text/plain', ...headers });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A server that sends any bytes it likes, once a request has come. */
export class RawServer {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(answer: (socket: Socket, path: string) => void) {
    this.server = createTcpServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
      socket.once('data', (data) => {
        const path = data.toString('latin1').split(' ')[1] ?? '/';
        if (path === '/robots.txt') socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
        else answer(socket, path);
      });
    });
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Connections that are open by now. */
  get open(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
