import { BACKFILL_HEADER } from '@ringdown/contracts/backfill';
import type { Followed } from '@ringdown/settings';
import { UPLOAD_TICKET_HEADER } from '@ringdown/contracts/upload-tickets';
import { CollectorSocket, StaleConnection } from './collector-socket.js';
import type { CollectorTls } from './collector-tls.js';
import { NoAnswer, type CollectorAnswer } from './http-answer.js';

export interface CollectorClientOptions {
  /** Read each time a connection is opened. */
  readonly tls?: Pick<Followed<CollectorTls>, 'current'> | undefined;
  /** Time limit of one request as a whole, milliseconds. */
  readonly timeoutMs?: number;
  /** How long to wait for `100 Continue` before the body is sent anyway, milliseconds; 0: not at all. */
  readonly continueWaitMs?: number;
  /** Of an uploaded capture: shows that an aggregator sends it. */
  readonly uploadTicket?: string | undefined;
}

export interface PostOptions {
  /** Left out: XML. */
  readonly type?: string;
  /** Type of the answer. Left out: that of the body. */
  readonly accept?: string;
  /** Whether the collector has announced that it reads bodies of this kind and size. */
  readonly isAnnounced?: boolean;
  /** Whether the body has records that are posted long after their times. */
  readonly isBackfill?: boolean;
}

const EXPECTATION_FAILED = 417;

/**
 * The one persistent connection of a front end: one request at a time, each with `Expect: 100-continue`. HTTP is implemented
 * here because the client of Node needs three times the processor time for such an exchange (ADR 0019).
 */
export class CollectorClient {
  private socket: CollectorSocket | undefined;
  private isStopped = false;
  /** False behind a proxy that knows no expectations. */
  private expects = true;

  constructor(private readonly options: CollectorClientOptions = {}) {}

  /** Call it only after the previous request has settled. Rejects only with {@link NoAnswer}. */
  async post(url: URL, text: string, options: PostOptions = {}): Promise<CollectorAnswer> {
    const answer = await this.postOverOpenConnection(url, text, options);
    if (answer.status !== EXPECTATION_FAILED || !this.expects) return answer;
    // The same again without it (RFC 9110, section 10.1.1): nothing was stored.
    this.expects = false;
    return this.postOverOpenConnection(url, text, options);
  }

  close(): void {
    this.isStopped = true;
    this.socket?.close();
  }

  private async postOverOpenConnection(url: URL, text: string, options: PostOptions): Promise<CollectorAnswer> {
    try {
      return await this.exchange(url, text, options);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      // The collector closed the idle connection just now and has received nothing of the body: the record is not duplicated.
      return await this.exchange(url, text, options);
    }
  }

  private exchange(url: URL, text: string, options: PostOptions): Promise<CollectorAnswer> {
    if (this.isStopped) return Promise.reject(new NoAnswer('the sender is stopping'));
    const { tls, timeoutMs = 10_000, continueWaitMs = 1_000, uploadTicket } = this.options;
    if (!this.socket || this.socket.isClosed) this.socket = new CollectorSocket(url, tls?.current);
    const body = Buffer.from(text, 'utf8');
    const { isAnnounced = false } = options;
    const { expects } = this;
    return this.socket.exchange({
      head: requestHead(url, body.length, { ...options, uploadTicket, expects }),
      body,
      timeoutMs,
      continueWaitMs: expects ? continueWaitMs : 0,
      isAnnounced,
    });
  }
}

type HeadOptions = PostOptions & Pick<CollectorClientOptions, 'uploadTicket'> & { readonly expects: boolean };

/** The headers that the specification names, those that HTTP requires, and the marks of a back-fill and of an upload. */
function requestHead(url: URL, length: number, options: HeadOptions): string {
  const { type = 'text/xml', accept = type, isBackfill = false, uploadTicket, expects } = options;
  const lines = [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    `Content-Type: ${type}`,
    `Accept: ${accept}`,
    `Content-Length: ${length}`,
    ...(expects ? ['Expect: 100-continue'] : []),
    'Connection: keep-alive',
    ...(isBackfill ? [`${BACKFILL_HEADER}: true`] : []),
    ...(uploadTicket === undefined ? [] : [`${UPLOAD_TICKET_HEADER}: ${uploadTicket}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
