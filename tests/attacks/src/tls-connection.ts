import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface TlsTarget {
  readonly port: number;
  /** The trusted certificate. */
  readonly ca: string;
  /** Local address that the connection comes from. */
  readonly from?: string;
}

/** A connection to the HTTPS port on which an attack sends exactly the bytes that it wants. */
export class TlsConnection {
  received = '';
  isClosed = false;
  /** The time from its opening to its end. */
  openMs = Number.POSITIVE_INFINITY;
  private readonly openedAt = performance.now();

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => (this.received += text));
    const closed = (): void => {
      if (!this.isClosed) this.openMs = performance.now() - this.openedAt;
      this.isClosed = true;
    };
    socket.on('close', closed).on('error', closed);
  }

  /** Also resolves for a connection that is closed before it is secure. */
  static async open({ port, ca, from = '127.0.0.1' }: TlsTarget): Promise<TlsConnection> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    const secure = connectTls({ socket, servername: 'localhost', ca });
    const connection = new TlsConnection(secure);
    await new Promise((resolve) => secure.once('secureConnect', resolve).once('close', resolve));
    return connection;
  }

  /** Without a handshake, or in plain text. */
  static async openPlain(port: number, from = '127.0.0.1'): Promise<TlsConnection> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    const connection = new TlsConnection(socket);
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    return connection;
  }

  /** Resolves when the system has accepted it. */
  send(content: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(content, () => resolve()));
  }

  end(): void {
    this.socket.destroy();
  }

  /** The received text, once it matches. Rejects when the connection is closed before, or after half a minute. */
  async answer(like: RegExp): Promise<string> {
    const deadline = Date.now() + 30_000;
    while (!like.test(this.received)) {
      if (this.isClosed || Date.now() > deadline) {
        throw new Error(`no answer like ${String(like)}, but ${JSON.stringify(this.received.slice(0, 1_000))}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return this.received;
  }
}
