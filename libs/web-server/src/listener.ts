import { isPaced } from './input/body-pace.js';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  closableConnections,
  connectionTimes,
  sendHsts,
  NetworkList,
  withHsts,
  type ConnectionLimits,
} from '@ringdown/node-http';
import { answerConnect, answerExpectations, answerUnreadable, hostCheckedLater } from '@ringdown/node-http/requests';
import { nestLogger, type Logger, type Metrics } from '@ringdown/observability';
import type { Network } from '@ringdown/settings';
import type { FastifyServerOptions } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { ServerOptions } from 'node:https';
import { AllowedMethods } from './allowed-methods.js';
import { isCatchAll } from './catch-all.js';
import { BodyReader, leaveBodiesUnread } from './input/body-reader.js';
import { ErrorFilter } from './error-filter.js';
import type { ErrorStyle } from './errors.js';
import { spellingResponse } from './header-case.js';
import { InputPipe } from './input/input-pipe.js';
import { loggedPath } from './logged-path.js';
import { keepApiOutOfCaches } from './no-store.js';
import { pathAndQuery, profilePathRewriter, withEvenLowerCase } from './profile-paths.js';
import { connectAnswer, expectationAnswer, unreadableProblem } from './problem-json.js';
import { assertReadable } from './readable-head.js';
import { serveWebInterface, type WebInterface } from './web-interface.js';

/** One service's part of a listener: its Nest module and the format of its errors. */
export interface WebPart {
  readonly module: DynamicModule | Type<unknown>;
  readonly errorStyles: readonly ErrorStyle[];
}

export interface ListenerTls {
  readonly cert: string;
  readonly key: string;
  readonly hstsSeconds: number;
  /** Chooses the protocol of a connection; HTTP/1.1 without. */
  readonly alpnCallback?: ServerOptions['ALPNCallback'];
}

export interface ListenerOptions {
  readonly parts: readonly WebPart[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Certificate and key in PEM; plain HTTP without. */
  readonly tls?: ListenerTls;
  /** Names and addresses of interface A. */
  readonly webInterface?: WebInterface;
  readonly trustedProxies?: readonly Network[] | undefined;
  /** The maximum number of connections; unlimited if left out. */
  readonly limits?: ConnectionLimits;
  /** The largest body in bytes that is accepted. */
  readonly bodyLimitBytes?: number;
}

const DEFAULT_BODY_LIMIT = 256 * 1024;

/**
 * Creates the Nest application of one listener. The caller listens and closes; when this fails, its modules are closed
 * already.
 */
export async function createListener(options: ListenerOptions): Promise<NestFastifyApplication> {
  const { logger, metrics, bodyLimitBytes = DEFAULT_BODY_LIMIT } = options;
  const allowedMethods = new AllowedMethods();
  const styles = options.parts.flatMap((part) => part.errorStyles);
  const errors = new ErrorFilter({ styles, logger, allowedMethods });
  const adapter = new FastifyAdapter(fastifyOptions(options, errors));
  const fastify = adapter.getInstance();
  const closeConnections = closableConnections(fastify.server);
  fastify.addHook('preClose', async () => closeConnections());
  followConnections(fastify.server, options);
  fastify.addHook('onRoute', ({ url, method, config }) => {
    if (!isCatchAll(config)) allowedMethods.add(url, [method].flat());
  });
  leaveBodiesUnread(fastify);

  const seconds = metrics.seconds('http_request_seconds', 'Time to answer a request', ['method', 'route', 'status']);
  // Hooks with callbacks: a hook with a promise would delay each request by one more step.
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // Some clients send an empty content type, with or without a body (web-interface.md, section 6): it counts as
    // missing.
    if (request.headers['content-type'] === '') delete request.headers['content-type'];
    try {
      assertReadable(request.raw);
    } catch (error) {
      return errors.answer(error, request, reply);
    }
    done();
  });
  if (options.webInterface) serveWebInterface(fastify, options.webInterface, errors, options.tls !== undefined);
  keepApiOutOfCaches(fastify);
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    seconds.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    if (logger.isLevelEnabled('debug')) {
      const line = {
        requestId: request.id,
        method: request.method,
        path: loggedPath(request),
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
  app.useGlobalInterceptors(new BodyReader(bodyLimitBytes));
  app.useGlobalPipes(new InputPipe());
  try {
    await app.init();
    return app;
  } catch (error) {
    // The error of the start is the one to report.
    await app
      .close()
      .catch((failure: unknown) =>
        logger.error({ err: failure }, 'could not close the application after a failed start'),
      );
    throw error;
  }
}

class RootModule {}

/** Handles what Node leaves to its servers, or would do without a response. */
function followConnections(server: Server, { limits, tls }: ListenerOptions): void {
  answerExpectations(server, expectationAnswer);
  answerConnect(server, () => withHsts(connectAnswer, tls?.hstsSeconds));
  if (tls !== undefined) sendHsts(server, tls.hstsSeconds);
  limits?.follow(server);
}

/** The time limit of requests does not apply to bodies whose pace is checked. */
function unlessPaced(answer: ReturnType<typeof answerUnreadable>): ReturnType<typeof answerUnreadable> {
  return (error, socket) => {
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || !isPaced(socket)) answer(error, socket);
  };
}

function fastifyOptions(options: ListenerOptions, errors: ErrorFilter): FastifyServerOptions {
  const { tls, webInterface, trustedProxies } = options;
  const proxies = new NetworkList(trustedProxies);
  const responses = webInterface === undefined ? {} : { ServerResponse: spellingResponse(webInterface.web) };
  const http = { ...hostCheckedLater, ...connectionTimes, ...responses };
  const base: FastifyServerOptions & { https?: ServerOptions; http?: ServerOptions } = {
    logger: false,
    clientErrorHandler: unlessPaced(
      answerUnreadable((unreadable) => withHsts(unreadableProblem(unreadable), tls?.hstsSeconds)),
    ),
    frameworkErrors: (error, request, reply) => errors.answer(error, request, reply),
    genReqId: () => randomUUID(),
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 512,
    },
    requestTimeout: connectionTimes.requestTimeout,
    connectionTimeout: 0,
    keepAliveTimeout: connectionTimes.keepAliveTimeout,
    trustProxy: trustedProxies === undefined ? false : (address: string) => proxies.has(address),
    forceCloseConnections: 'idle',
    // New requests on open connections while stopping are answered as usual, as the last of their connection.
    return503OnClosing: false,
  };
  const rewritePath = webInterface === undefined ? String : profilePathRewriter(webInterface.web);
  base.rewriteUrl = (request) => withEvenLowerCase(rewritePath(pathAndQuery(request.url ?? '/')));
  const alpn = tls?.alpnCallback === undefined ? {} : { ALPNCallback: tls.alpnCallback };
  if (tls) base.https = { cert: tls.cert, key: tls.key, ...alpn, ...http };
  else base.http = http;
  return base;
}
