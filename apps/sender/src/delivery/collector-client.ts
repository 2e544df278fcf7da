import type { Followed } from '@ringdown/settings';
import { CollectorSocket, StaleConnection, type CollectorTls } from './collector-socket.js';
import { NoAnswer, type CollectorAnswer } from './http-answer.js';

export interface CollectorClientOptions {
  /** What it is when a connection is made. */
  readonly tls?: Pick<Followed<CollectorTls>, 'current'> | undefined;
  /** How long one request may take as a whole, milliseconds. */
  readonly timeoutMs?: number;
  /** How long to wait for `100 Continue` before the body goes out all the same, milliseconds; 0: not at all. */
  readonly continueWaitMs?: number;
}

/**
 * The one persistent connection of a front end: one request at a time, each with `Expect: 100-continue`. HTTP is written
 * here because the client of Node takes three times the processor time for such an exchange (ADR 0019).
 */
export class CollectorClient {
  private socket: CollectorSocket | undefined;
  private isStopped = false;

  constructor(private readonly options: CollectorClientOptions = {}) {}

  /** Only after the one before is settled. Rejects with {@link NoAnswer} and nothing else. */
  async post(url: URL, xml: string): Promise<CollectorAnswer> {
    try {
      return await this.exchange(url, xml);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      // The collector closed the idle connection in this moment and has seen nothing of the body: no record comes twice.
      return await this.exchange(url, xml);
    }
  }

  close(): void {
    this.isStopped = true;
    this.socket?.close();
  }

  private exchange(url: URL, xml: string): Promise<CollectorAnswer> {
    if (this.isStopped) return Promise.reject(new NoAnswer('the sender is stopping'));
    const { tls, timeoutMs = 10_000, continueWaitMs = 1_000 } = this.options;
    if (!this.socket || this.socket.isClosed) this.socket = new CollectorSocket(url, tls?.current);
    const body = Buffer.from(xml, 'utf8');
    return this.socket.exchange({ head: headOf(url, body.length), body, timeoutMs, continueWaitMs });
  }
}

/** What the specification names, and what HTTP asks for. */
function headOf(url: URL, length: number): string {
  const lines = [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    'Content-Type: text/xml',
    'Accept: text/xml',
    `Content-Length: ${length}`,
    'Expect: 100-continue',
    'Connection: keep-alive',
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
