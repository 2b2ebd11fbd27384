import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy on loopback that takes every host for one port of this machine, and notes what it was asked for. */
export class WebProxy {
  /** `GET http://docs.example/`, `CONNECT docs.example:443`. */
  readonly asked: string[] = [];
  readonly authorizations: (string | undefined)[] = [];
  /** Answers with this status instead of asking anybody. */
  refusesWith: number | undefined;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(private readonly target: () => number) {
    this.server = createServer((asking, response) => {
      const status = this.note(asking);
      if (status !== undefined) return void response.writeHead(status).end();
      const { pathname, search } = new URL(asking.url ?? '/');
      const options = { port: this.target(), host: '127.0.0.1', path: pathname + search, headers: asking.headers };
      const passed = request(options, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      passed.end();
    });
    this.server.on('connect', (asking: IncomingMessage, client: Socket) => {
      this.keep(client);
      const status = this.note(asking);
      if (status !== undefined) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      const passed = this.keep(
        connect(this.target(), '127.0.0.1', () => {
          client.write('HTTP/1.1 200 Connection established\r\n\r\n');
          passed.pipe(client).pipe(passed);
        }),
      );
    });
  }

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  /** With `credentials` (`name:password`), as a variable holds them. */
  url(credentials = ''): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://${credentials && `${credentials}@`}127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private note({ method, url, headers }: IncomingMessage): number | undefined {
    this.asked.push(`${method} ${url}`);
    this.authorizations.push(headers['proxy-authorization']);
    return this.refusesWith;
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    return socket;
  }
}
