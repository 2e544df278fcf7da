import { signNonce } from '@ringdown/testing/embedded-servers';
import { connect, type Socket } from 'node:net';

export interface BusKey {
  readonly seed: string;
  readonly publicKey: string;
}

/** A connection to the bus in the protocol of NATS itself, for an attacker who has the key of a service. */
export class BusConnection {
  private received = '';
  private marks = 0;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
  }

  /** `url`: the address; a user in it is ignored. Rejects when the bus does not accept the key. */
  static async open(url: string, { seed, publicKey }: BusKey): Promise<BusConnection> {
    const { hostname, port } = new URL(url);
    const connection = new BusConnection(connect(Number(port), hostname));
    const greeting = await connection.until((received) => received.startsWith('INFO ') && received.includes('\r\n'));
    const nonce = /"nonce":"([^"]+)"/.exec(greeting)?.[1] ?? '';
    const login = { verbose: false, pedantic: false, lang: 'attack', version: '1' };
    const proof = { nkey: publicKey, sig: signNonce(seed, nonce) };
    connection.socket.write(`CONNECT ${JSON.stringify({ ...login, ...proof })}\r\n`);
    await connection.answer('');
    return connection;
  }

  /** The replies of the server to lines of the protocol: its errors, and messages. */
  async answer(lines: string): Promise<string> {
    const from = this.received.length;
    this.marks++;
    this.socket.write(`${lines}PING\r\n`);
    await this.until((received) => received.split('PONG\r\n').length > this.marks);
    return this.received.slice(from);
  }

  close(): void {
    this.socket.destroy();
  }

  private async until(isThere: (received: string) => boolean): Promise<string> {
    for (;;) {
      if (isThere(this.received)) return this.received;
      if (this.socket.destroyed) throw new Error(`the bus has closed the connection: ${this.received}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** Lines of the protocol. */
export function subscribe(subject: string): string {
  return `SUB ${subject} 1\r\n`;
}

export function publish(subject: string, body = '{}', reply = ''): string {
  return `PUB ${subject} ${reply}${reply === '' ? '' : ' '}${Buffer.byteLength(body)}\r\n${body}\r\n`;
}
