import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Something that listens on a port of this machine, and is no server of a database. */
export class Peer {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  port = 0;

  private constructor(onSocket: (socket: Socket, peer: Peer) => void) {
    this.server = createServer((socket) => {
      this.keep(socket);
      onSocket(socket, this);
    });
  }

  /** Accepts connections, and never says a word. */
  static silent(): Promise<Peer> {
    return new Peer((socket) => socket.resume()).listen();
  }

  /** Answers whatever it is told with the same bytes. */
  static saying(bytes: string): Promise<Peer> {
    return new Peer((socket) => socket.on('data', () => socket.write(bytes))).listen();
  }

  /** Hands everything on to another port; `onSent` is told what the client sends, and may do something about it. */
  static before(port: number, onSent: (bytes: Buffer, proxy: Peer) => void = () => {}): Promise<Peer> {
    return new Peer((socket, proxy) => {
      const server = proxy.keep(connect(port, '127.0.0.1'));
      socket.on('data', (bytes) => {
        server.write(bytes);
        onSent(bytes, proxy);
      });
      server.on('data', (bytes) => {
        if (!proxy.muted.has(socket)) socket.write(bytes);
      });
      server.on('close', () => socket.destroy());
      socket.on('close', () => server.destroy());
    }).listen();
  }

  private readonly muted = new Set<Socket>();

  /** Nothing comes back over the connections that there are, as when a network was unplugged; new ones are good. */
  mute(): void {
    for (const socket of this.sockets) this.muted.add(socket);
  }

  /** Cuts all connections; new ones are taken. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.sockets.delete(socket));
    return socket;
  }

  private async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }
}
