import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A proxy between a client and a server that can stop forwarding without closing, like a network that drops packets.
 */
export class Relay {
  private silent = false;
  private cutAfter = Number.POSITIVE_INFINITY;
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly port: number,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  static async to(port: number): Promise<Relay> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the system gave no port');
    const relay = new Relay(address.port, server);
    server.on('connection', (near) => relay.join(near, connect(port, '127.0.0.1')));
    return relay;
  }

  get connections(): number {
    return this.sockets.size / 2;
  }

  /** From now on nothing is forwarded; connections are still accepted. */
  fallSilent(): void {
    this.silent = true;
  }

  speak(): void {
    this.silent = false;
  }

  /** From now on a connection is cut when the server has sent this many bytes on it. */
  limit(bytes: number): void {
    this.cutAfter = bytes;
  }

  /** Ends every connection without a regular close. */
  cut(): void {
    for (const socket of this.sockets) reset(socket);
  }

  async stop(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => {
        if (!this.silent) to.write(chunk);
        if (far.bytesRead > this.cutAfter) reset(near);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}

/** libuv does not reset a socket that is sending its end (EINVAL): it would stay open and the process would not exit. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
