import { TRACES_PATH_END } from '@ringdown/contracts/traces';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { lingerAtEnd } from '@ringdown/node-http';
import {
  BodyCutOff,
  BodyTooLarge,
  hostProblem,
  readBody,
  type PlainAnswer,
  type PlainPost,
} from '@ringdown/node-http/requests';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import { isBackfill } from './back-fill.js';
import { isBatchRequest, type BatchInlet } from './batch-inlet.js';
import type { CollectorMetrics } from './collector-metrics.js';
import type { FeedInlet } from './feed-inlet.js';
import type { FeedRequest } from './feed-request.js';
import { jsonPathEnd } from './json-inlet.js';
import type { Peers } from './peers.js';
import { FEED_TYPE, FeedRefusal, refusalFor, type FeedAnswer } from './feed-refusal.js';
import { isWorthKeeping, type RejectedBodies } from './rejected-bodies.js';
import { senderOrigin, recordsUrl, refusalByHead } from './request-checks.js';
import type { SipFailureInlet } from './sip-failure-inlet.js';
import type { TraceInlet } from './trace-inlet.js';
import type { UploadTickets } from './upload-tickets.js';

export interface FeedHandlerOptions {
  readonly inlet: FeedInlet;
  readonly batchInlet: BatchInlet;
  readonly traceInlet: TraceInlet;
  readonly sipFailureInlet: SipFailureInlet;
  readonly uploadTickets: UploadTickets;
  readonly rejectedBodies: RejectedBodies;
  readonly metrics: CollectorMetrics;
  readonly logger: Logger;
  readonly maxBodyBytes: number;
  readonly scheme: 'http' | 'https';
  /** Origin of the feed as front ends see it, when it is not the one in their requests. */
  readonly origin: string | undefined;
  readonly peers: Peers;
}

type Expectation = 'continue' | 'other';

/** What is stored of a request that is rejected. */
interface Rejected {
  readonly path: string;
  readonly body: Uint8Array;
  readonly socket: Socket;
}

const NOTHING = new Uint8Array();

/**
 * The feed over HTTP. Senders of different releases post to different paths, so there is nothing to route, and requests
 * come directly from Node's server, or without its parser (ADR 0119): a framework would need a third of the time that a record may take.
 */
export class FeedHandler {
  private readonly expectations = new WeakMap<IncomingMessage, Expectation>();
  private readonly rejectedAddresses = new RateLimitedLog();
  private closing = false;

  constructor(private readonly options: FeedHandlerOptions) {}

  /** From now on it handles the server's requests. */
  serve(server: Server): void {
    this.followExpectations(server);
    this.followConnections(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.answer(request, response));
  }

  /** Answers a record, or a request for the configuration, that came without a request of Node. Never rejects. */
  async answerPlain({ path, host, body }: PlainPost, socket: Socket): Promise<PlainAnswer> {
    const { inlet, metrics, peers } = this.options;
    const began = performance.now();
    metrics.received(body.length);
    const { sentBy } = peers.of(socket);
    const recordsUrl = (): string | undefined => this.recordsUrl(host, path);
    const {
      status,
      headers,
      body: text,
    } = await inlet.receive({ body, receivedAt: Date.now(), sentBy, recordsUrl }).catch((thrown: unknown) => {
      const refusal = this.asRefusal(thrown);
      this.reject(refusal, { path, body, socket });
      return refusal.answer();
    });
    metrics.answered((performance.now() - began) / 1_000);
    return { status, headers: { 'content-type': FEED_TYPE, ...headers }, body: text, isLast: this.closing };
  }

  /** From now on every reply is the last one on its connection. */
  startClosing(): void {
    this.closing = true;
  }

  private followConnections(server: Server): void {
    const { metrics, scheme } = this.options;
    server.on('drop', () => metrics.connectionDropped('port'));
    server.on('connection', (socket: Socket) => {
      metrics.connectionOpened(scheme);
      socket.once('close', () => metrics.connectionClosed(scheme));
    });
  }

  /** Otherwise Node would send `100 Continue` before the head is checked, and reply 417 without a body. */
  private followExpectations(server: Server): void {
    const remember = (expectation: Expectation) => (request: IncomingMessage, response: ServerResponse) => {
      this.expectations.set(request, expectation);
      server.emit('request', request, response);
    };
    server.on('checkContinue', remember('continue'));
    server.on('checkExpectation', remember('other'));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { maxBodyBytes, metrics } = this.options;
    const began = performance.now();
    let body: Uint8Array = NOTHING;
    try {
      this.checkHead(request, response);
      body = await readBody(request, maxBodyBytes);
      metrics.received(body.length);
      const recordsUrl = (): string | undefined => this.recordsUrl(request.headers.host, request.url);
      const { sentBy } = this.options.peers.of(request.socket);
      const upload = await this.options.uploadTickets.frontEndOf(request);
      const received = { body, receivedAt: Date.now(), isBackfill: isBackfill(request), upload, sentBy, recordsUrl };
      this.send(response, await this.receive(request, received));
    } catch (thrown) {
      if (thrown instanceof BodyCutOff) return void response.destroy();
      this.refuse(thrown, body, request, response);
    }
    metrics.answered((performance.now() - began) / 1_000);
  }

  private receive(request: IncomingMessage, received: FeedRequest): Promise<FeedAnswer> {
    const { inlet, batchInlet, traceInlet, sipFailureInlet } = this.options;
    const end = jsonPathEnd(request);
    if (end !== undefined) return (end === TRACES_PATH_END ? traceInlet : sipFailureInlet).receive(received);
    if (isBatchRequest(request)) return batchInlet.receive({ ...received, path: request.url ?? '/' });
    return inlet.receive(received);
  }

  private checkHead(request: IncomingMessage, response: ServerResponse): void {
    this.checkAddress(request);
    const problem = hostProblem(request);
    if (problem !== undefined) throw new FeedRefusal('bad-request', problem);
    const expectation = this.expectations.get(request);
    const refusal = refusalByHead(request, this.options.maxBodyBytes);
    if (refusal) throw refusal;
    if (expectation === 'other') throw new FeedRefusal('expectation-failed');
    if (expectation === 'continue') {
      this.expectations.delete(request);
      response.writeContinue();
    }
  }

  private checkAddress({ socket }: IncomingMessage): void {
    const { peers, logger } = this.options;
    const { isAllowed, sentBy } = peers.of(socket);
    if (isAllowed) return;
    const { remoteAddress } = sentBy;
    this.rejectedAddresses.log((leftOut) =>
      logger.warn({ remoteAddress, leftOut }, 'a request from an address that is not allowed was rejected'),
    );
    throw new FeedRefusal('address-not-allowed');
  }

  private recordsUrl(host: string | undefined, url = '/'): string | undefined {
    const { origin, scheme } = this.options;
    return recordsUrl(origin ?? senderOrigin(scheme, host), url);
  }

  private refuse(thrown: unknown, read: Uint8Array, request: IncomingMessage, response: ServerResponse): void {
    const refusal = this.asRefusal(thrown);
    const body = thrown instanceof BodyTooLarge ? thrown.start : read;
    const isOfFeed = jsonPathEnd(request) === undefined;
    this.reject(refusal, isOfFeed ? { path: request.url ?? '/', body, socket: request.socket } : undefined);
    // A sender that waits for 100 Continue and gets this instead may or may not send the body: it is not known which.
    const unread =
      this.expectations.has(request) ||
      ['address-not-allowed', 'bad-request', 'unsupported-transfer-encoding'].includes(refusal.code) ||
      (thrown instanceof BodyTooLarge && !thrown.finished);
    if (unread) lingerAtEnd(request.socket);
    this.send(response, refusal.answer(), unread);
  }

  /** `rejected`: undefined if nothing of it is stored. */
  private reject(refusal: FeedRefusal, rejected: Rejected | undefined): void {
    const { rejectedBodies, metrics, peers } = this.options;
    metrics.refuse(refusal.code);
    if (rejected === undefined || !isWorthKeeping(refusal)) return;
    const { path, body, socket } = rejected;
    rejectedBodies.store({ receivedAt: Date.now(), ...peers.of(socket).sentBy, path, body }, refusal);
  }

  private asRefusal(thrown: unknown): FeedRefusal {
    return thrown instanceof BodyTooLarge ? new FeedRefusal('too-large') : refusalFor(thrown, this.options.logger);
  }

  private send(response: ServerResponse, { status, headers, body }: FeedAnswer, last = false): void {
    const head = { 'content-type': FEED_TYPE, ...headers, 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, last || this.closing ? { ...head, connection: 'close' } : head).end(body);
  }
}
