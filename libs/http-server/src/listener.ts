import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Transport } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { nestLogger, type Logger, type Metrics } from '@ringdown/observability';
import { setting } from '@ringdown/settings';
import type { FastifyRequest, FastifyServerOptions } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import type { Readable } from 'node:stream';
import { AllowedMethods } from './allowed-methods.js';
import { closeConnectionsAtStop } from './closing.js';
import { ErrorFilter } from './error-filter.js';
import { Fault, type ErrorStyle } from './errors.js';
import { spellingResponse } from './header-case.js';
import { pathAndQuery, pathOf, profilePathRewriter } from './profile-paths.js';
import { unreadableProblem } from './problem-json.js';
import { readBody } from './read-body.js';
import { answerExpectations, assertOneHost, hostIsLookedAtLater } from './request-heads.js';
import { answerUnreadable } from './unreadable-requests.js';
import { serveWebInterface, type WebInterface } from './web-interface.js';

/** Where a service listens inside the deployment; the edge in front of it speaks HTTPS. */
export const listenerSettings = {
  servicePort: setting.port('SERVICE_PORT', { default: 8000, about: 'Plain HTTP port of a service behind the edge' }),
  serviceHost: setting.text('SERVICE_HOST', { default: '127.0.0.1', about: 'Address that a service listens on' }),
  trustedProxies: setting.optional(
    setting.list('TRUSTED_PROXIES', { about: 'Addresses or networks whose X-Forwarded-For header is believed' }),
  ),
};

/** One service's share of a listener: its Nest module and how its errors look. */
export interface WebPart {
  readonly module: DynamicModule;
  readonly errorStyles: readonly ErrorStyle[];
}

export interface ListenerOptions {
  readonly parts: readonly WebPart[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Certificate and key in PEM; plain HTTP without. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Names and addresses of interface A. */
  readonly webInterface?: WebInterface;
  readonly trustedProxies?: readonly string[] | undefined;
  /** Largest body in bytes that is read. */
  readonly bodyLimitBytes?: number;
  /** NATS for request/reply; replicas of one `queue` share the requests. */
  readonly requestReply?: {
    readonly servers: string;
    readonly user?: string;
    readonly pass?: string;
    readonly queue: string;
  };
}

const DEFAULT_BODY_LIMIT = 256 * 1024;

/** Makes the Nest application of one listener. The caller listens and closes. */
export async function createListener(options: ListenerOptions): Promise<NestFastifyApplication> {
  const { logger, metrics, bodyLimitBytes = DEFAULT_BODY_LIMIT } = options;
  const allowedMethods = new AllowedMethods();
  const styles = options.parts.flatMap((part) => part.errorStyles);
  const errors = new ErrorFilter({ styles, logger, allowedMethods });
  const adapter = new FastifyAdapter(fastifyOptions(options, errors));
  const fastify = adapter.getInstance();
  closeConnectionsAtStop(fastify);
  answerExpectations(fastify.server);
  fastify.addHook('onRoute', ({ url, method }) => allowedMethods.add(url, [method].flat()));
  // Bodies stay bytes: which types are read, and how, is the business of each interface.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request: FastifyRequest, payload: Readable) =>
    readPlainBody(request, payload, bodyLimitBytes),
  );

  const seconds = metrics.seconds('http_request_seconds', 'Time to answer a request', ['method', 'route', 'status']);
  // These hooks are of no promise: each would put the request off once more.
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // Some clients name the type of no body, or of one, with nothing (web-interface.md, section 6): that is no type.
    if (request.headers['content-type'] === '') delete request.headers['content-type'];
    try {
      assertOneHost(request.raw);
    } catch (error) {
      return errors.answer(error, request, reply);
    }
    done();
  });
  if (options.webInterface) serveWebInterface(fastify, options.webInterface, errors, options.tls !== undefined);
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    seconds.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    if (logger.isLevelEnabled('debug')) {
      const line = {
        requestId: request.id,
        method: request.method,
        path: pathOf(request.url),
        status: reply.statusCode,
      };
      logger.debug({ ...line, ms: Math.round(reply.elapsedTime) }, 'answered');
    }
    done();
  });

  const root: DynamicModule = { module: RootModule, imports: options.parts.map((part) => part.module) };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: nestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  app.useGlobalFilters(errors);
  if (options.requestReply) {
    // For ever: by itself Nest gives up after some tries, and the service would answer nobody until a restart.
    const nats = { ...options.requestReply, maxReconnectAttempts: -1 };
    app.connectMicroservice({ transport: Transport.NATS, options: nats }, { inheritAppConfig: false });
    await app.startAllMicroservices();
  }
  await app.init();
  return app;
}

class RootModule {}

/** Read first and refused then, so that the connection stays good. */
async function readPlainBody({ headers }: FastifyRequest, payload: Readable, limit: number): Promise<Buffer> {
  const body = await readBody(payload, limit);
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return body;
  throw new Fault('unsupported-media-type', {
    message: 'The body must not be compressed.',
    headers: { 'accept-encoding': 'identity' },
  });
}

function fastifyOptions(options: ListenerOptions, errors: ErrorFilter): FastifyServerOptions {
  const { tls, webInterface, trustedProxies } = options;
  const responses = webInterface === undefined ? {} : { ServerResponse: spellingResponse(webInterface.web) };
  const http = { ...hostIsLookedAtLater, ...responses };
  const base: FastifyServerOptions & { https?: ServerOptions; http?: ServerOptions } = {
    logger: false,
    clientErrorHandler: answerUnreadable(unreadableProblem),
    frameworkErrors: (error, request, reply) => errors.answer(error, request, reply),
    genReqId: () => randomUUID(),
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 512,
    },
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 75_000,
    trustProxy: trustedProxies === undefined ? false : [...trustedProxies],
    forceCloseConnections: 'idle',
    // What comes on open connections while we stop is answered like everything else, as the last of its connection.
    return503OnClosing: false,
  };
  const rewritePath = webInterface === undefined ? String : profilePathRewriter(webInterface.web);
  base.rewriteUrl = (request) => rewritePath(pathAndQuery(request.url ?? '/'));
  if (tls) base.https = { cert: tls.cert, key: tls.key, ...http };
  else base.http = http;
  return base;
}
