import { connect, type Socket } from 'node:net';
import { PATIENCE_MS } from './unique.js';

/** A TCP connection to the collector on which single bytes are written and read. */
export class RawConnection {
  private received = '';
  private ended = false;
  private wake: () => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      this.received += text;
      this.wake();
    });
    socket.on('close', () => {
      this.ended = true;
      this.wake();
    });
    // A broken connection is judged by the bytes that were read before.
    socket.on('error', () => this.wake());
  }

  static open({ hostname, port }: URL): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port || 80), hostname, () => resolve(new RawConnection(socket)));
      socket.once('error', reject);
    });
  }

  write(text: string): void {
    this.socket.write(text);
  }

  /** The received text as soon as it matches; it is removed from later results. Rejects after a timeout. */
  async read(pattern: RegExp, withinMs = PATIENCE_MS): Promise<string> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const found = pattern.exec(this.received);
      if (found) {
        this.received = this.received.slice(found.index + found[0].length);
        return found[0];
      }
      const left = deadline - Date.now();
      if (this.ended || left <= 0) throw new Error(`no ${pattern} in ${JSON.stringify(this.received)}`);
      await this.news(left);
    }
  }

  /** Whether the other side has ended the connection. */
  async closed(withinMs = PATIENCE_MS): Promise<boolean> {
    const deadline = Date.now() + withinMs;
    while (!this.ended && Date.now() < deadline) await this.news(deadline - Date.now());
    return this.ended;
  }

  close(): void {
    this.socket.destroy();
  }

  private news(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
