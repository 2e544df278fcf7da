import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { RawConnection } from './raw-connection.js';

export interface From {
  /** Local address that the connection comes from. */
  readonly from?: string;
  /** Local address that it connects to. */
  readonly to?: string;
}

/** PEM texts. */
export interface OwnCertificate {
  /** The authorities that it trusts. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface FeedAnswer {
  readonly status: number;
  readonly body: string;
}

/** A connection to the diagnostics feed, from a chosen address. */
export class FeedConnection extends RawConnection {
  static open(port: number, { from = '127.0.0.1', to = '127.0.0.1' }: From = {}): Promise<FeedConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: to, localAddress: from }, () => {
        socket.off('error', reject);
        resolve(new FeedConnection(socket));
      });
      socket.once('error', reject);
    });
  }

  /** With a client certificate, after the text in `line`, which is sent before the handshake. */
  static async openSecure(port: number, own: OwnCertificate, line = ''): Promise<FeedConnection> {
    const below = connect({ port, host: '127.0.0.1' });
    if (line !== '') below.write(line);
    const socket = connectTls({ socket: below, servername: 'localhost', ...own });
    await once(socket, 'secureConnect');
    return new FeedConnection(socket);
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** One POST as a front end sends it. Rejects when the connection closes before the response. */
  async post(xml: string): Promise<FeedAnswer> {
    this.received = '';
    this.send(
      `POST /Ringdown/RequestMessage HTTP/1.1\r\nHost: feed\r\nContent-Type: text/xml\r\nContent-Length: ${Buffer.byteLength(xml)}\r\n\r\n${xml}`,
    );
    for (;;) {
      const [, status, length, body = ''] = ANSWER.exec(this.received) ?? [];
      if (status !== undefined && Buffer.byteLength(body) >= Number(length)) return { status: Number(status), body };
      if (this.isClosed) throw new Error('the connection was closed without a response');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

const ANSWER = /^HTTP\/1\.1 (\d{3}) .*?\r\ncontent-length: (\d+)\r\n.*?\r\n\r\n(.*)$/is;

/** One POST on its own connection. */
export async function postFrom(from: string, port: number, xml: string): Promise<FeedAnswer> {
  const connection = await FeedConnection.open(port, { from });
  try {
    return await connection.post(xml);
  } finally {
    connection.end();
  }
}
