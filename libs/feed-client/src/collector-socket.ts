import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { tlsOptions, type CollectorTls } from './collector-tls.js';
import { connectionReason, isConnectionLoss } from './connection-error.js';
import { closedUnanswered, tlsReason, type TlsAttempt } from './tls-error.js';
import { NoAnswer, readHttpAnswer, type CollectorAnswer } from './http-answer.js';

export interface Exchange {
  readonly head: string;
  readonly body: Buffer;
  /** Time limit of the whole exchange, milliseconds. */
  readonly timeoutMs: number;
  /**
   * How long to wait for `100 Continue` before the body is sent anyway, milliseconds; 0: not at all
   * (RFC 9110, 10.1.1).
   */
  readonly continueWaitMs: number;
  /** Whether the collector has announced that it reads bodies of this kind and size. */
  readonly isAnnounced: boolean;
}

/** The kept connection was closed before anything of the body was sent over it. */
export class StaleConnection extends Error {
  override readonly name = 'StaleConnection';
}

class Closed extends NoAnswer {
  constructor() {
    super('the connection was closed');
  }
}

const KEEP_ALIVE_MS = 1_000;
/**
 * A collector that accepted a record this recently has neither closed the connection as idle nor does it reject
 * a body of this many bytes: waiting for `100 Continue` would save nothing then (RFC 9110, 10.1.1 leaves it to the client).
 */
const RECENT_MS = 1_000;
const SMALL_BYTES = 16_384;
const OK = 200;
const CONTINUE = 100;
const SWITCHING_PROTOCOLS = 101;

interface Current extends Exchange {
  bodySent: boolean;
  isSilent: boolean;
  readonly timers: readonly NodeJS.Timeout[];
  resolve(answer: CollectorAnswer): void;
  reject(error: Error): void;
}

/**
 * One connection to a collector, with TCP keep-alive each second, for one request after another. It is open until either
 * side closes it or an error occurs; then it {@link isClosed} for ever.
 */
export class CollectorSocket {
  private readonly socket: Socket;
  private readonly secured: TlsAttempt | undefined;
  private received: Buffer = Buffer.alloc(0);
  private current: Current | undefined;
  private answers = 0;
  /** When the collector last accepted a record, by `performance.now()`. */
  private lastAcceptedAt = Number.NEGATIVE_INFINITY;
  private closed = false;

  constructor(url: URL, tls: CollectorTls = {}) {
    const host = url.hostname.replaceAll(/[[\]]/g, '');
    const isSecure = url.protocol === 'https:';
    const port = Number(url.port) || (isSecure ? 443 : 80);
    const to = { host, port };
    const servername = isIP(host) === 0 ? { servername: host } : {};
    this.secured = isSecure ? { host, tls } : undefined;
    this.socket = isSecure
      ? connectTls({ ...to, ...tlsOptions(tls), ...servername, ALPNProtocols: ['http/1.1'] })
      : connect(to);
    // TLS does not apply these when they are given as options before the connection exists.
    this.socket.once('connect', () => this.socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS));
    this.socket.on('data', (bytes: Buffer) => this.receive(bytes));
    this.socket.on('end', () => this.onEnd());
    this.socket.on('error', (error) => this.fail(error));
    this.socket.on('close', () => this.fail(new Closed()));
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** One at a time. Rejects with {@link StaleConnection} if the request may be sent again, otherwise with {@link NoAnswer}. */
  exchange(exchange: Exchange): Promise<CollectorAnswer> {
    return new Promise((resolve, reject) => {
      const { head, body, timeoutMs, continueWaitMs, isAnnounced } = exchange;
      const isRecent = performance.now() - this.lastAcceptedAt < RECENT_MS;
      const sendsBodyAtOnce = continueWaitMs === 0 || (isRecent && (isAnnounced || body.length <= SMALL_BYTES));
      const timers = [setTimeout(() => this.fail(new NoAnswer('no answer within the time limit')), timeoutMs)];
      if (!sendsBodyAtOnce) timers.push(setTimeout(() => this.sendBody(), continueWaitMs));
      this.current = { ...exchange, bodySent: sendsBodyAtOnce, isSilent: true, timers, resolve, reject };
      if (sendsBodyAtOnce) this.socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]));
      else this.socket.write(head, 'latin1');
    });
  }

  /** A pending exchange is rejected. */
  close(): void {
    this.fail(new NoAnswer('the sender closed the connection'));
  }

  private sendBody(): void {
    if (!this.current || this.current.bodySent) return;
    this.current.bodySent = true;
    this.socket.write(this.current.body);
  }

  private receive(bytes: Buffer): void {
    if (!this.current) return this.close();
    this.current.isSilent = false;
    this.received = this.received.length === 0 ? bytes : Buffer.concat([this.received, bytes]);
    this.read(false);
  }

  /** Some answers end with the connection. */
  private onEnd(): void {
    if (this.current && !this.current.isSilent) this.read(true);
    this.fail(new Closed());
  }

  private read(isEnd: boolean): void {
    try {
      while (this.current && this.readOne(isEnd));
    } catch (error) {
      this.fail(error instanceof Error ? error : new NoAnswer(String(error)));
    }
  }

  /** Returns false when there is nothing more to read for now. */
  private readOne(isEnd: boolean): boolean {
    const found = readHttpAnswer(this.received, isEnd);
    if (!found) return false;
    this.received = this.received.subarray(found.length);
    if (found.kind === 'interim') {
      if (found.status === SWITCHING_PROTOCOLS) throw new NoAnswer('the collector answered 101 Switching Protocols');
      if (found.status === CONTINUE) this.sendBody();
      return this.received.length > 0;
    }
    // A final answer instead of "100 Continue": the announced body is never sent, so the connection cannot be used again.
    const isUsable = found.isKept && this.current?.bodySent === true && this.received.length === 0;
    this.answers++;
    if (found.answer.status === OK) this.lastAcceptedAt = performance.now();
    this.settle()?.resolve(found.answer);
    if (!isUsable) this.close();
    return false;
  }

  private fail(error: Error): void {
    this.closed = true;
    const current = this.settle();
    const isLoss = error instanceof Closed || isConnectionLoss(error);
    if (current && isLoss && this.answers > 0 && !current.bodySent && current.isSilent)
      current.reject(new StaleConnection());
    else current?.reject(this.noAnswer(error));
    this.socket.destroy();
  }

  private noAnswer(error: Error): NoAnswer {
    const isOfTls = this.secured !== undefined && this.answers === 0;
    if (isOfTls && error instanceof Closed) return new NoAnswer(closedUnanswered(this.secured.tls));
    if (error instanceof NoAnswer) return error;
    const why = isOfTls ? tlsReason(error, this.secured) : undefined;
    return new NoAnswer(why ?? connectionReason(error), { cause: error });
  }

  private settle(): Current | undefined {
    const { current } = this;
    this.current = undefined;
    for (const timer of current?.timers ?? []) clearTimeout(timer);
    return current;
  }
}
