import { eventually } from '@ringdown/testing/eventually';
import { connect, type Socket } from 'node:net';

/** A TCP connection on which a test sends any bytes at any time. */
export class RawConnection {
  received = '';
  closed = false;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => (this.received += text));
    socket.on('close', () => (this.closed = true)).on('error', () => (this.closed = true));
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new RawConnection(socket)));
      socket.once('error', reject);
    });
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** Waits until the received text matches; returns it. */
  async receives(pattern: RegExp): Promise<string> {
    await eventually(`${pattern} in ${JSON.stringify(this.received)}`, () => pattern.test(this.received));
    return this.received;
  }

  /** Waits for the end of the connection; returns everything received until then. */
  async receivesToTheEnd(): Promise<string> {
    await eventually('the connection to close', () => this.closed);
    return this.received;
  }

  /** Closes the sending side and continues to receive. */
  finish(): void {
    this.socket.end();
  }

  end(): void {
    this.socket.destroy();
  }
}

/** The head of a POST as senders of the feed write it. */
export function postHead(headers: Record<string, string | number>, path = '/Ringdown/RequestMessage'): string {
  const lines = Object.entries({ Host: 'collector', 'Content-Type': 'text/xml', Accept: 'text/xml', ...headers });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
