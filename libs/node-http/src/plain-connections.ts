import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { httpDate } from './http-date.js';
import { readPlainPost, type PlainForm, type PlainPost } from './plain-post.js';

/** A reply to a plain post. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the connection ends after it. */
  readonly isLast: boolean;
}

export interface PlainConnectionsOptions extends PlainForm {
  /** How long a connection may be open before its first request, milliseconds. */
  readonly firstMs: number;
  /** How long a request may take; then it is left to Node, whose own limits begin. */
  readonly restMs: number;
  /** After which time without a request a connection is closed. */
  readonly idleMs: number;
  /** Must not reject. */
  answer(post: PlainPost, socket: Socket): Promise<PlainAnswer>;
  /** As an event `clientError` of Node: there is no request in time, or the sender has closed its side within one. */
  unreadable(error: Error & { readonly code?: string }, socket: Socket): void;
}

/** Each further piece of a request is copied behind those before it. */
const MOST_PIECES = 8;

/**
 * Answers {@link PlainPost}s on the connections of a server of Node without its parser and its objects, which take more processor time
 * than all else of a small request. A connection on which anything else arrives is left to Node with all that was not answered yet, for
 * good.
 */
export class PlainConnections {
  private readonly connections = new WeakMap<Socket, PlainConnection>();

  constructor(private readonly options: PlainConnectionsOptions) {}

  /** `leave`: lets Node read from the connection. */
  open(socket: Socket, leave: (socket: Socket) => void): void {
    this.connections.set(socket, new PlainConnection(socket, leave, this.options));
  }

  /** Whether a request on this connection is not answered yet. */
  isInUse(socket: Socket): boolean {
    return this.connections.get(socket)?.isInUse ?? false;
  }
}

class PlainConnection {
  /** The beginning of a request. */
  private received: Buffer | undefined;
  private pieces = 0;
  private beganAt = 0;
  private isAnswering = false;
  private isDetached = false;
  private hasAnswered = false;
  private hasEnded = false;
  private waitMs = 0;
  private readonly listeners = {
    data: (chunk: Buffer): void => this.onData(chunk),
    end: (): void => this.onEnd(),
    timeout: (): void => this.onTimeout(),
  };

  constructor(
    private readonly socket: Socket,
    private readonly leave: (socket: Socket) => void,
    private readonly options: PlainConnectionsOptions,
  ) {
    for (const [event, listener] of Object.entries(this.listeners)) socket.on(event, listener);
    // The connection is closed then; without a listener the process would end.
    socket.on('error', () => undefined);
    this.waitFor(options.firstMs);
  }

  get isInUse(): boolean {
    return !this.isDetached && (this.isAnswering || this.received !== undefined);
  }

  private onData(chunk: Buffer): void {
    const bytes = this.received === undefined ? chunk : Buffer.concat([this.received, chunk]);
    this.received = bytes;
    if (this.isAnswering) return void this.socket.pause();
    const read = readPlainPost(bytes, this.options);
    if (read === 'unfinished' && this.mayWait()) return;
    if (read === undefined || read === 'unfinished') return this.leaveToNode();
    this.received = undefined;
    this.pieces = 0;
    this.isAnswering = true;
    void this.options.answer(read, this.socket).then((answer) => this.reply(answer));
  }

  /** Whether the rest of a request is waited for. */
  private mayWait(): boolean {
    const { restMs } = this.options;
    if (this.pieces === 0) this.beganAt = performance.now();
    this.waitFor(restMs);
    return ++this.pieces < MOST_PIECES && performance.now() - this.beganAt < restMs;
  }

  private reply({ isLast, ...answer }: PlainAnswer): void {
    const { socket } = this;
    const isEnd = isLast || this.hasEnded;
    const hasRoom = socket.write(replyText(answer, isEnd ? undefined : this.options.idleMs));
    if (isEnd) return this.end();
    if (hasRoom) this.next();
    else socket.once('drain', () => this.next());
  }

  /** Requests that came before the reply to the one before them are Node's. */
  private next(): void {
    this.isAnswering = false;
    this.hasAnswered = true;
    if (this.hasEnded) this.end();
    else if (this.received === undefined) this.waitFor(this.options.idleMs);
    else this.leaveToNode();
  }

  private end(): void {
    this.detach();
    this.socket.destroySoon();
  }

  private onEnd(): void {
    this.hasEnded = true;
    if (this.isAnswering) return;
    if (this.received === undefined) this.end();
    else this.fail(new Error('the connection ended within a request'));
  }

  private onTimeout(): void {
    if (this.isAnswering) return;
    if (this.received !== undefined) this.leaveToNode();
    else if (this.hasAnswered) this.socket.destroy();
    else this.fail(Object.assign(new Error('no request in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }));
  }

  private fail(error: Error & { readonly code?: string }): void {
    this.detach();
    this.options.unreadable(error, this.socket);
  }

  private leaveToNode(): void {
    const { socket, received } = this;
    this.detach();
    // Nothing is read before Node listens.
    socket.pause();
    if (received !== undefined) socket.unshift(received);
    this.leave(socket);
    socket.resume();
  }

  private detach(): void {
    for (const [event, listener] of Object.entries(this.listeners)) this.socket.off(event, listener);
    this.waitFor(0);
    this.isDetached = true;
  }

  private waitFor(ms: number): void {
    if (ms !== this.waitMs) this.socket.setTimeout(ms);
    this.waitMs = ms;
  }
}

/** As Node writes it. `keepAliveMs`: undefined when the connection ends. */
function replyText({ status, headers, body }: Omit<PlainAnswer, 'isLast'>, keepAliveMs: number | undefined): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  text += `content-length: ${Buffer.byteLength(body)}\r\nDate: ${httpDate()}\r\n`;
  text +=
    keepAliveMs === undefined
      ? 'connection: close\r\n\r\n'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n\r\n`;
  return text + body;
}
