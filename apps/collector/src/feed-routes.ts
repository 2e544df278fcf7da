import { METHODS, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BodyCutOff, BodyTooLarge, lingerAtEnd, readBody } from '@ringdown/http-server';
import type { Logger } from '@ringdown/observability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AllowedAddresses } from './allowed-addresses.js';
import type { CollectorMetrics } from './collector-metrics.js';
import type { FeedInlet } from './feed-inlet.js';
import { RareLine } from './rare-line.js';
import { FEED_TYPE, Refusal, type FeedAnswer } from './refusal.js';
import type { RejectedKeeper } from './rejected-keeper.js';
import { originOf, recordsUrl, refusalByHead } from './request-checks.js';

export interface FeedRoutesOptions {
  readonly inlet: FeedInlet;
  readonly keeper: RejectedKeeper;
  readonly metrics: CollectorMetrics;
  readonly logger: Logger;
  readonly maxBodyBytes: number;
  readonly scheme: 'http' | 'https';
  /** Address of the feed as front ends see it, when it is not what they call. */
  readonly origin: string | undefined;
  readonly allowed: AllowedAddresses;
  /** Whose connection it is: the one that a balancer hands on. */
  addressOf(socket: Socket): string | undefined;
}

/** All paths are one to the router: senders of different releases post to different ones, some to paths no router takes. */
export const FEED_PATH = '/feed';

type Expectation = 'continue' | 'other';

/** The feed over HTTP: one route for every path and method, on the Fastify instance itself for the sake of speed. */
export class FeedRoutes {
  private readonly expectations = new WeakMap<IncomingMessage, Expectation>();
  private readonly strangers = new RareLine();
  private closing = false;

  constructor(private readonly options: FeedRoutesOptions) {}

  register(fastify: FastifyInstance): void {
    for (const method of METHODS) {
      if (method !== 'CONNECT' && !fastify.supportedMethods.includes(method)) fastify.addHttpMethod(method);
    }
    this.followExpectations(fastify);
    this.followConnections(fastify);
    // In a context of its own: parsers, hooks and errors here concern no other route.
    void fastify.register(async (feed) => {
      feed.removeAllContentTypeParsers();
      feed.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) =>
        readBody(payload, this.options.maxBodyBytes),
      );
      feed.setErrorHandler((error, request, reply) => this.refuse(error, request, reply));
      feed.addHook('onRequest', async (request, reply) => this.checkHead(request, reply));
      feed.addHook('onResponse', async (_request, reply) => this.options.metrics.answered(reply.elapsedTime / 1_000));
      feed.route({
        method: feed.supportedMethods,
        url: FEED_PATH,
        exposeHeadRoute: false,
        handler: (request, reply) => this.receive(request, reply),
      });
    });
  }

  /** From now on every answer is the last one of its connection. */
  startClosing(): void {
    this.closing = true;
  }

  private followConnections({ server }: FastifyInstance): void {
    const { metrics, scheme } = this.options;
    server.on('drop', () => metrics.connectionDropped());
    server.on('connection', (socket: Socket) => {
      metrics.connectionOpened(scheme);
      socket.once('close', () => metrics.connectionClosed(scheme));
    });
  }

  /** Node would say `100 Continue` before anybody has looked at the head, and answer 417 without a word. */
  private followExpectations({ server }: FastifyInstance): void {
    const remember = (expectation: Expectation) => (request: IncomingMessage, response: ServerResponse) => {
      this.expectations.set(request, expectation);
      server.emit('request', request, response);
    };
    server.on('checkContinue', remember('continue'));
    server.on('checkExpectation', remember('other'));
  }

  private checkHead(request: FastifyRequest, reply: FastifyReply): void {
    this.checkAddress(request);
    const expectation = this.expectations.get(request.raw);
    const refusal = refusalByHead(request.raw, this.options.maxBodyBytes);
    if (refusal) throw refusal;
    if (expectation === 'other') throw new Refusal('expectation-failed');
    if (expectation === 'continue') {
      this.expectations.delete(request.raw);
      reply.raw.writeContinue();
    }
  }

  private checkAddress({ raw }: FastifyRequest): void {
    const { allowed, logger } = this.options;
    const remoteAddress = this.options.addressOf(raw.socket);
    if (allowed.allows(remoteAddress)) return;
    this.strangers.say((leftOut) => logger.warn({ remoteAddress, leftOut }, 'a request came from a foreign address'));
    throw new Refusal('address-not-allowed');
  }

  private async receive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const body = bodyOf(request);
    this.options.metrics.received(body.length);
    const answer = await this.options.inlet.receive({
      body,
      receivedAt: Date.now(),
      recordsUrl: this.recordsUrl(request),
    });
    return this.send(reply, answer);
  }

  private recordsUrl({ headers, originalUrl }: FastifyRequest): string | undefined {
    const { origin, scheme } = this.options;
    return recordsUrl(origin ?? originOf(scheme, headers.host), originalUrl);
  }

  private refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (thrown instanceof BodyCutOff) return void reply.raw.destroy();
    const refusal = this.asRefusal(thrown, request);
    const { keeper, metrics } = this.options;
    metrics.refuse(refusal.code);
    if (worthKeeping(refusal)) {
      const path = request.originalUrl;
      const remoteAddress = this.options.addressOf(request.raw.socket) ?? '';
      keeper.keep({ receivedAt: Date.now(), remoteAddress, path, body: bodyStart(thrown, request) }, refusal);
    }
    // Somebody who waits for 100 Continue and gets this instead may or may not send the body: neither can be told.
    const unread =
      this.expectations.has(request.raw) ||
      refusal.code === 'address-not-allowed' ||
      (thrown instanceof BodyTooLarge && !thrown.finished);
    if (unread) {
      lingerAtEnd(request.raw.socket);
      void reply.header('connection', 'close');
    }
    this.send(reply, refusal.answer());
  }

  private asRefusal(thrown: unknown, request: FastifyRequest): Refusal {
    if (thrown instanceof Refusal) return thrown;
    if (thrown instanceof BodyTooLarge) return new Refusal('too-large');
    if (statusOf(thrown) === 415) return new Refusal('unsupported-media-type');
    this.options.logger.error({ err: thrown, requestId: request.id }, 'request failed');
    return new Refusal('internal');
  }

  private send(reply: FastifyReply, { status, headers, body }: FeedAnswer): FastifyReply {
    if (this.closing) void reply.header('connection', 'close');
    return reply.status(status).headers(headers).header('content-type', FEED_TYPE).send(body);
  }
}

/** Whatever an operator can learn from: not what is our own trouble, nor what was not meant for a collector. */
function worthKeeping({ code }: Refusal): boolean {
  return !['address-not-allowed', 'method-not-allowed', 'unavailable', 'internal'].includes(code);
}

function bodyOf({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}

function bodyStart(thrown: unknown, request: FastifyRequest): Uint8Array {
  return thrown instanceof BodyTooLarge ? thrown.start : bodyOf(request);
}

function statusOf(thrown: unknown): unknown {
  return typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown ? thrown.statusCode : undefined;
}
