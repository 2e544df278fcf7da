import { signNonce } from '@ringdown/testing/embedded-servers';
import { connect, type Socket } from 'node:net';

/** How to log in: with the key of a service, or with a password. */
export type BusLogin =
  | { readonly name: string; readonly seed: string; readonly publicKey: string }
  | { readonly name: string; readonly password: string };

/** Headers of a message, by which its sender asks something of the stream that stores it. */
export type Headers = Readonly<Record<string, string>>;

const REPLY_MS = 5_000;

/** A user of the bus who sends what it likes: any reply subject, whatever the server does with it. */
export class RawBus {
  /** What the server has sent, since it was last taken. */
  private received = '';
  private requests = 0;
  private pings = 0;

  private constructor(
    private readonly socket: Socket,
    readonly inbox: string,
  ) {
    // Each reply that is waited for listens.
    socket.setMaxListeners(0);
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
  }

  static async open(port: number, login: BusLogin): Promise<RawBus> {
    const bus = new RawBus(connect(port, '127.0.0.1'), `_INBOX.${login.name}`);
    await bus.until(() => bus.received.includes('\r\n'));
    const nonce = /"nonce":"([^"]+)"/.exec(bus.received)?.[1] ?? '';
    const proof =
      'seed' in login
        ? { nkey: login.publicKey, sig: signNonce(login.seed, nonce) }
        : { user: login.name, pass: login.password };
    const about = { verbose: false, pedantic: false, lang: 'attack', version: '1', headers: true, no_responders: true };
    bus.socket.write(`CONNECT ${JSON.stringify({ ...about, ...proof })}\r\nSUB ${bus.inbox}.> 1\r\n`);
    await bus.flush();
    return bus;
  }

  publish(subject: string, body = '', reply = '', headers: Headers = {}): void {
    const to = reply === '' ? subject : `${subject} ${reply}`;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    if (lines.length === 0) {
      this.socket.write(`PUB ${to} ${Buffer.byteLength(body)}\r\n${body}\r\n`);
      return;
    }
    const head = `NATS/1.0\r\n${lines.join('')}\r\n`;
    const sizes = `${Buffer.byteLength(head)} ${Buffer.byteLength(head + body)}`;
    this.socket.write(`HPUB ${to} ${sizes}\r\n${head}${body}\r\n`);
  }

  /** Resolves when the server has processed everything before. */
  async flush(): Promise<void> {
    const pings = ++this.pings;
    this.socket.write('PING\r\n');
    await this.until(() => this.received.split('PONG\r\n').length > pings);
  }

  /** Everything that has come since the last time. Not while a reply is waited for. */
  takeReceived(): string {
    const { received } = this;
    [this.received, this.pings] = ['', 0];
    return received;
  }

  /** The JSON of the reply; undefined if there is none. */
  async request(subject: string, body: unknown, headers: Headers = {}): Promise<unknown> {
    const reply = `${this.inbox}.request.${++this.requests}`;
    const from = this.received.length;
    this.publish(subject, typeof body === 'string' ? body : JSON.stringify(body), reply, headers);
    const message = new RegExp(
      `\r\n(?:MSG|HMSG) ${reply.replaceAll('.', '\\.')} 1 (?:\\d+ )?\\d+\r\n([^]*?)\r\n(?=[A-Z+-])`,
    );
    // What came before ends with a line break, after which the message may begin.
    const found = (): RegExpExecArray | null => message.exec(`\r\n${this.received.slice(from)}+`);
    await this.until(() => found() !== null).catch(() => undefined);
    const [, text = ''] = found() ?? [];
    try {
      return JSON.parse(text.slice(text.indexOf('{')));
    } catch {
      return undefined;
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private until(isThere: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const check = (): void => {
      if (isThere()) resolve();
    };
    const closed = (): void => reject(new Error(`the bus has closed the connection: ${this.received.slice(-200)}`));
    const timer = setTimeout(() => reject(new Error('the bus does not answer')), REPLY_MS);
    this.socket.on('data', check).on('close', closed);
    if (this.socket.destroyed) closed();
    else check();
    return promise.finally(() => {
      clearTimeout(timer);
      this.socket.off('data', check).off('close', closed);
    });
  }
}
