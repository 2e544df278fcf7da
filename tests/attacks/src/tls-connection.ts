import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { RawConnection } from './raw-connection.js';

export interface TlsTarget {
  readonly port: number;
  /** The trusted certificate. */
  readonly ca: string;
  /** Local address that the connection comes from. */
  readonly from?: string;
}

/** A connection to the HTTPS port. */
export class TlsConnection extends RawConnection {
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

  /** The received text, once it matches. Rejects when the connection is closed before, or after half a minute. */
  async answer(expected: RegExp): Promise<string> {
    const deadline = Date.now() + 30_000;
    while (!expected.test(this.received)) {
      if (this.isClosed || Date.now() > deadline) {
        throw new Error(
          `no response that matches ${String(expected)}, but ${JSON.stringify(this.received.slice(0, 1_000))}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return this.received;
  }
}
